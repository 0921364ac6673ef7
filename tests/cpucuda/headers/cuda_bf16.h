// bfloat16 for kernels: the upper half of a float, rounded to nearest even.
#pragma once
struct __nv_bfloat16 {
  unsigned short v;
  __nv_bfloat16() = default;
  __nv_bfloat16(float f) {
    unsigned b;
    memcpy(&b, &f, 4);
    v = f != f ? 0x7fff : (unsigned short)((b + 0x7fff + ((b >> 16) & 1)) >> 16);
  }
  __nv_bfloat16(double f) : __nv_bfloat16((float)f) {}
  operator float() const { unsigned b = (unsigned)v << 16; float f; memcpy(&f, &b, 4); return f; }
};
typedef __nv_bfloat16 nv_bfloat16;
static inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return h.v; }
static inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) { __nv_bfloat16 h; h.v = x; return h; }
static inline __nv_bfloat16 __float2bfloat16(float f) { return __nv_bfloat16(f); }
static inline float __bfloat162float(__nv_bfloat16 h) { return (float)h; }
static inline bool __hisnan(__nv_bfloat16 h) { return (h.v & 0x7fff) > 0x7f80; }
static inline int __hisinf(__nv_bfloat16 h) { return (h.v & 0x7fff) == 0x7f80; }
static inline bool operator==(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a == (float)b; }
