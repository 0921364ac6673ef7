// What the source of a CUDA kernel needs to be C++ for the CPU. struct Shared is that of driver/scheduler.cpp.
#pragma once
#define CPUCUDA 1
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <algorithm>
#include <limits>
#include <type_traits>
#include <tuple>
#include <utility>
#include <initializer_list>
#undef INFINITY  // NVRTC has neither
#undef NAN
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 9
#define __CUDA_ARCH__ 900
#define __shared__ static
#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __noinline__
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
#define __CUDA_LAUNCHER_CPU__ 1

namespace __cpu {
struct Shared {
  unsigned thread[3], block[3], block_size[3], grid_size[3];
  void (*yield_)(int);
  char* dynamic_shared;
  unsigned long long* exchange;
};
}
extern "C" { __attribute__((visibility("default"))) __cpu::Shared* __cpu_shared = nullptr; }
namespace __cpu {
static inline char* dynamic() { return __cpu_shared->dynamic_shared; }
static inline unsigned thread() {
  auto s = __cpu_shared;
  return s->thread[0] + s->block_size[0] * (s->thread[1] + s->block_size[1] * s->thread[2]);
}
static inline unsigned threads() { auto s = __cpu_shared; return s->block_size[0] * s->block_size[1] * s->block_size[2]; }
template <int I> struct Three {
  static unsigned* at() { return I == 0 ? __cpu_shared->thread : I == 1 ? __cpu_shared->block : I == 2 ? __cpu_shared->block_size : __cpu_shared->grid_size; }
  struct X { operator unsigned() const { return at()[0]; } } x;
  struct Y { operator unsigned() const { return at()[1]; } } y;
  struct Z { operator unsigned() const { return at()[2]; } } z;
};
template <class... A, size_t... I> void call_(void (*f)(A...), void** a, std::index_sequence<I...>) {
  f(*(typename std::remove_reference<A>::type*)a[I]...);
}
template <class... A> void call(void (*f)(A...), void** a) { call_(f, a, std::make_index_sequence<sizeof...(A)>()); }
template <class... A> const size_t* sizes(void (*)(A...)) {
  static const size_t all[] = {sizeof(typename std::remove_reference<A>::type)..., 0};
  return all;
}
template <class T> T shuffle(T v, unsigned from, bool in_range) {  // every thread of the block takes part, as it does in CuPy
  unsigned long long bits = 0;
  memcpy(&bits, &v, sizeof v);
  __cpu_shared->exchange[thread()] = bits;
  __cpu_shared->yield_(1);
  if (in_range) bits = __cpu_shared->exchange[from];
  __cpu_shared->yield_(1);
  memcpy(&v, &bits, sizeof v);
  return v;
}
}
static const __cpu::Three<0> threadIdx{};
static const __cpu::Three<1> blockIdx{};
static const __cpu::Three<2> blockDim{};
static const __cpu::Three<3> gridDim{};
static const int warpSize = 32;
static inline void __syncthreads() { __cpu_shared->yield_(2); }
static inline void __syncwarp(unsigned = 0) { __cpu_shared->yield_(1); }
static inline void __threadfence() {}
static inline void __threadfence_block() {}
template <class T> T __shfl_xor_sync(unsigned, T v, int m, int = 32) { unsigned t = __cpu::thread(); return __cpu::shuffle(v, t ^ m, true); }
template <class T> T __shfl_down_sync(unsigned, T v, unsigned d, int w = 32) { unsigned t = __cpu::thread(); return __cpu::shuffle(v, t + d, t % w + d < (unsigned)w); }
template <class T> T __shfl_up_sync(unsigned, T v, unsigned d, int w = 32) { unsigned t = __cpu::thread(); return __cpu::shuffle(v, t - d, t % w >= d); }
template <class T> T __shfl_sync(unsigned, T v, int s, int w = 32) { unsigned t = __cpu::thread(); return __cpu::shuffle(v, t / w * w + s % w, true); }

static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x ? __builtin_clz(x) : 32; }
static inline int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
template <class T> T __ldg(const T* p) { return *p; }
template <class To, class From> static inline To __bits(From v) { To t; memcpy(&t, &v, sizeof t); return t; }
static inline int __float_as_int(float v) { return __bits<int>(v); }
static inline unsigned __float_as_uint(float v) { return __bits<unsigned>(v); }
static inline float __int_as_float(int v) { return __bits<float>(v); }
static inline float __uint_as_float(unsigned v) { return __bits<float>(v); }
static inline long long __double_as_longlong(double v) { return __bits<long long>(v); }
static inline double __longlong_as_double(long long v) { return __bits<double>(v); }
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return (unsigned long long)((unsigned __int128)a * b >> 64); }
static inline float __fdividef(float a, float b) { return a / b; }
static inline int __double2hiint(double v) { return (int)(__bits<unsigned long long>(v) >> 32); }
static inline int __double2loint(double v) { return (int)__bits<unsigned long long>(v); }
static inline double __hiloint2double(int h, int l) { return __bits<double>(((unsigned long long)(unsigned)h << 32) | (unsigned)l); }
static inline void sincosf_(float x, float* s, float* c) { *s = sinf(x); *c = cosf(x); }
static inline double rsqrt(double x) { return 1 / sqrt(x); }
static inline float rsqrt(float x) { return 1 / sqrtf(x); }
static inline float rsqrtf(float x) { return 1 / sqrtf(x); }
static inline float rcbrt(float x) { return 1 / cbrtf(x); }
static inline double exp10(double x, int) { return pow(10., x); }
static inline double sinpi(double x) { x = fmod(x, 2.); return x == (int)x ? copysign(0., x) : sin(3.14159265358979323846 * x); }
static inline float sinpi(float x) { return (float)sinpi((double)x); }
static inline double cospi(double x) { return sinpi(x + .5); }
static inline double normcdf(double x) { return erfc(-x / sqrt(2.)) / 2; }

// The CUDA runtime's overloads for floats and integers of C's functions.
using std::isnan; using std::isinf; using std::isfinite; using std::signbit;
inline float __fmul_rn(float a, float b) { return a * b; }  // products are never contracted here
using std::abs; using std::pow; using std::fmod; using std::floor; using std::ceil; using std::trunc; using std::rint;
using std::exp; using std::exp2; using std::expm1; using std::log; using std::log2; using std::log10; using std::log1p;
using std::sqrt; using std::cbrt; using std::hypot; using std::sin; using std::cos; using std::tan; using std::asin;
using std::acos; using std::atan; using std::atan2; using std::sinh; using std::cosh; using std::tanh; using std::asinh;
using std::acosh; using std::atanh; using std::copysign; using std::nextafter; using std::ldexp; using std::frexp;
using std::modf; using std::fmin; using std::fmax; using std::erf; using std::erfc; using std::lgamma; using std::tgamma;
using std::round; using std::fabs; using std::remainder; using std::ilogb; using std::nearbyint; using std::logb;
template <class A, class B, class = typename std::enable_if<std::is_arithmetic<A>::value && std::is_arithmetic<B>::value>::type>
static inline typename std::common_type<A, B>::type min(A a, B b) {
  typedef typename std::common_type<A, B>::type T;
  if constexpr (std::is_floating_point<T>::value) return std::fmin((T)a, (T)b);
  else return (T)a < (T)b ? (T)a : (T)b;
}
template <class A, class B, class = typename std::enable_if<std::is_arithmetic<A>::value && std::is_arithmetic<B>::value>::type>
static inline typename std::common_type<A, B>::type max(A a, B b) {
  typedef typename std::common_type<A, B>::type T;
  if constexpr (std::is_floating_point<T>::value) return std::fmax((T)a, (T)b);
  else return (T)a > (T)b ? (T)a : (T)b;
}

// Atomics: threads run one after another, so an ordinary step is one.
template <class T, class F> static inline T __atomically(T* p, F f) { T old = *p; *p = f(old); return old; }
#define ATOMIC(name, T, expression) static inline T name(T* p, T v) { return __atomically(p, [=](T old) -> T { return expression; }); }
#define INTEGERS(M, name, e) M(name, int, e) M(name, unsigned, e) M(name, unsigned long long, e)
INTEGERS(ATOMIC, atomicAdd, old + v) ATOMIC(atomicAdd, float, old + v) ATOMIC(atomicAdd, double, old + v)
INTEGERS(ATOMIC, atomicExch, v) ATOMIC(atomicExch, float, v)
INTEGERS(ATOMIC, atomicMax, old > v ? old : v) ATOMIC(atomicMax, long long, old > v ? old : v)
INTEGERS(ATOMIC, atomicMin, old < v ? old : v) ATOMIC(atomicMin, long long, old < v ? old : v)
INTEGERS(ATOMIC, atomicAnd, old & v) ATOMIC(atomicAnd, long long, old & v)
INTEGERS(ATOMIC, atomicOr, old | v) ATOMIC(atomicOr, long long, old | v)
INTEGERS(ATOMIC, atomicXor, old ^ v) ATOMIC(atomicXor, long long, old ^ v)
template <class T> static inline T atomicCAS(T* p, T compare, T v) { T old = *p; if (old == compare) *p = v; return old; }
static inline int atomicSub(int* p, int v) { return atomicAdd(p, -v); }

// Products on tensor cores, called by the names of PTX's instructions (see compiler.cpp). Each thread lays its registers
// into the warp's matrices where PTX says that they belong, and takes its numbers of the result from where PTX says.
struct uint4 { unsigned x, y, z, w; };
namespace __cpu {
struct Matrices { float a[16][16], b[16][8]; };
static Matrices matrices[32];
static inline float as_f16(unsigned bits) { return (float)__bits<_Float16>((unsigned short)bits); }
static inline float as_bf16(unsigned bits) { return __bits<float>(bits << 16); }
// a: registers for rows (group, group + 8), columns 2 quad + {0, 1}, then the same 8 columns further; b: rows likewise.
template <float number(unsigned), int DEPTH>
void mma(float* d[4], const unsigned* a, const unsigned* b, const float* c) {
  unsigned lane = thread() % 32, group = lane >> 2, quad = lane % 4;
  Matrices& m = matrices[thread() / 32];
  for (int i = 0; i < DEPTH / 4; i++)
    for (int j = 0; j < 2; j++) m.a[group + i % 2 * 8][i / 2 * 8 + 2 * quad + j] = number(a[i] >> 16 * j & 0xffff);
  for (int i = 0; i < DEPTH / 8; i++)
    for (int j = 0; j < 2; j++) m.b[i * 8 + 2 * quad + j][group] = number(b[i] >> 16 * j & 0xffff);
  __cpu_shared->yield_(1);
  for (int i = 0; i < 4; i++) {
    float sum = c[i];
    for (int k = 0; k < DEPTH; k++) sum += m.a[group + i / 2 * 8][k] * m.b[k][2 * quad + i % 2];
    *d[i] = sum;
  }
  __cpu_shared->yield_(1);
}
#define MMA_16(NAME, NUMBER) \
  static inline void NAME(float& d0, float& d1, float& d2, float& d3, unsigned a0, unsigned a1, unsigned a2, unsigned a3, \
                          unsigned b0, unsigned b1, float c0, float c1, float c2, float c3) { \
    float *d[4] = {&d0, &d1, &d2, &d3}, c[4] = {c0, c1, c2, c3}; \
    unsigned a[4] = {a0, a1, a2, a3}, b[2] = {b0, b1}; \
    mma<NUMBER, 16>(d, a, b, c); \
  }
MMA_16(mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32, as_f16)
MMA_16(mma_sync_aligned_m16n8k16_row_col_f32_bf16_bf16_f32, as_bf16)
static inline void mma_sync_aligned_m16n8k8_row_col_f32_f16_f16_f32(float& d0, float& d1, float& d2, float& d3, unsigned a0,
                                                                    unsigned a1, unsigned b0, float c0, float c1, float c2,
                                                                    float c3) {
  float *d[4] = {&d0, &d1, &d2, &d3}, c[4] = {c0, c1, c2, c3};
  unsigned a[2] = {a0, a1};
  mma<as_f16, 8>(d, a, &b0, c);
}
}
