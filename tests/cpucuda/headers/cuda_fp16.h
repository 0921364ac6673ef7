// float16 for kernels: the part of the header that CuPy's kernels and ours use, with GCC's _Float16 under it.
#pragma once
struct __half_raw { unsigned short x; };
struct __half {
  _Float16 v;
  __half() = default;
  __half(const __half_raw& r) { memcpy(&v, &r, 2); }
  __half(float f) : v((_Float16)f) {}
  __half(double f) : v((_Float16)f) {}
  __half(bool f) : v((_Float16)(float)f) {}
  __half(short f) : v((_Float16)f) {}
  __half(unsigned short f) : v((_Float16)f) {}
  __half(int f) : v((_Float16)f) {}
  __half(unsigned f) : v((_Float16)f) {}
  __half(long f) : v((_Float16)f) {}
  __half(unsigned long f) : v((_Float16)f) {}
  __half(long long f) : v((_Float16)f) {}
  __half(unsigned long long f) : v((_Float16)f) {}
  operator float() const { return (float)v; }
  operator __half_raw() const { __half_raw r; memcpy(&r, &v, 2); return r; }
};
typedef __half half;
static inline unsigned short __half_as_ushort(__half h) { return ((__half_raw)h).x; }
static inline short __half_as_short(__half h) { return (short)((__half_raw)h).x; }
static inline __half __ushort_as_half(unsigned short x) { __half_raw r{x}; return __half(r); }
static inline __half __float2half_rn(float f) { return __half(f); }
static inline __half __float2half(float f) { return __half(f); }
static inline float __half2float(__half h) { return (float)h; }
