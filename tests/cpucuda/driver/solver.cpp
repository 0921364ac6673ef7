// cuSOLVER, and cuBLAS's factorizations of many small matrices: LU with partial pivoting and Cholesky, as LAPACK has them.
#include <algorithm>
#include <cmath>

#include "driver.h"

typedef int Status;

// In place, column-major, pivots from one on. The result is the first zero pivot, from one on, or 0.
template <class T> static int factor(int m, int n, T* a, int lead, int* pivots) {
  int info = 0;
  for (int j = 0; j < std::min(m, n); j++) {
    int p = j;
    for (int i = j + 1; i < m && pivots; i++)
      if (std::fabs(a[i + j * lead]) > std::fabs(a[p + j * lead])) p = i;
    if (pivots) pivots[j] = p + 1;
    if (a[p + j * lead] == T(0)) { if (!info) info = j + 1; continue; }
    if (p != j)
      for (int c = 0; c < n; c++) std::swap(a[j + c * lead], a[p + c * lead]);
    for (int i = j + 1; i < m; i++) a[i + j * lead] /= a[j + j * lead];
    for (int c = j + 1; c < n; c++)
      for (int i = j + 1; i < m; i++) a[i + c * lead] -= a[i + j * lead] * a[j + c * lead];
  }
  return info;
}
template <class T> static void solve_one(bool flip, int n, const T* a, int lead, const int* pivots, T* x) {
  auto swap = [&](int i) { if (pivots) std::swap(x[i], x[pivots[i] - 1]); };
  if (!flip) {
    for (int i = 0; i < n; i++) swap(i);
    for (int i = 0; i < n; i++) for (int k = 0; k < i; k++) x[i] -= a[i + k * lead] * x[k];
    for (int i = n - 1; i >= 0; i--) {
      for (int k = i + 1; k < n; k++) x[i] -= a[i + k * lead] * x[k];
      x[i] /= a[i + i * lead];
    }
  } else {
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < i; k++) x[i] -= a[k + i * lead] * x[k];
      x[i] /= a[i + i * lead];
    }
    for (int i = n - 1; i >= 0; i--) for (int k = i + 1; k < n; k++) x[i] -= a[k + i * lead] * x[k];
    for (int i = n - 1; i >= 0; i--) swap(i);
  }
}
template <class T>
static void solve(bool flip, int n, int columns, const T* a, int lead, const int* pivots, T* b, int lead_b) {
  for (int c = 0; c < columns; c++) solve_one(flip, n, a, lead, pivots, b + (size_t)c * lead_b);
}
template <class T> static int invert(int n, const T* a, int lead, const int* pivots, T* out, int lead_out) {
  int info = 0;
  for (int k = 0; k < n; k++) {
    for (int j = 0; j < n; j++) out[j + (size_t)k * lead_out] = j == k;
    if (a[k + (size_t)k * lead] == 0) info = k + 1;
  }
  solve(false, n, n, a, lead, pivots, out, lead_out);
  return info;
}
template <class T> static int cholesky(bool upper, int n, T* a, int lead) {
  auto at = [&](int i, int j) -> T& { return upper ? a[j + i * lead] : a[i + j * lead]; };
  for (int j = 0; j < n; j++) {
    T s = at(j, j);
    for (int k = 0; k < j; k++) s -= at(j, k) * at(j, k);
    if (!(s > 0)) return j + 1;
    at(j, j) = std::sqrt(s);
    for (int i = j + 1; i < n; i++) {
      T v = at(i, j);
      for (int k = 0; k < j; k++) v -= at(i, k) * at(j, k);
      at(i, j) = v / at(j, j);
    }
  }
  return 0;
}

// ---------------------------------------------------------------- the calls, for float (S) and double (D)
#define CALLS_OF(T, X) \
  EXPORT Status cublas##X##getrfBatched(void*, int n, T** a, int lead, int* p, int* info, int count) { \
    for (int i = 0; i < count; i++) info[i] = factor(n, n, a[i], lead, p ? p + (size_t)i * n : nullptr); \
    return 0; \
  } \
  EXPORT Status cublas##X##getriBatched(void*, int n, const T** a, int lead, const int* p, T** out, int lead_out, \
                                        int* info, int count) { \
    for (int i = 0; i < count; i++) info[i] = invert(n, a[i], lead, p + (size_t)i * n, out[i], lead_out); \
    return 0; \
  } \
  EXPORT Status cublas##X##getrsBatched(void*, int flip, int n, int columns, const T** a, int lead, const int* p, T** b, \
                                        int lead_b, int* info, int count) { \
    for (int i = 0; i < count; i++) solve(flip, n, columns, a[i], lead, p + (size_t)i * n, b[i], lead_b); \
    *info = 0; \
    return 0; \
  } \
  EXPORT Status cusolverDn##X##getrf_bufferSize(void*, int, int, T*, int, int* size) { *size = 1; return 0; } \
  EXPORT Status cusolverDn##X##getrf(void*, int m, int n, T* a, int lead, T*, int* p, int* info) { \
    *info = factor(m, n, a, lead, p); \
    return 0; \
  } \
  EXPORT Status cusolverDn##X##getrs(void*, int flip, int n, int columns, const T* a, int lead, const int* p, T* b, \
                                     int lead_b, int* info) { \
    solve(flip, n, columns, a, lead, p, b, lead_b); \
    *info = 0; \
    return 0; \
  } \
  EXPORT Status cusolverDn##X##potrf_bufferSize(void*, int, int, T*, int, int* size) { *size = 1; return 0; } \
  EXPORT Status cusolverDn##X##potrf(void*, int upper, int n, T* a, int lead, T*, int, int* info) { \
    *info = cholesky(upper, n, a, lead); \
    return 0; \
  } \
  EXPORT Status cusolverDn##X##potrfBatched(void*, int upper, int n, T** a, int lead, int* info, int count) { \
    for (int i = 0; i < count; i++) info[i] = cholesky(upper, n, a[i], lead); \
    return 0; \
  }
CALLS_OF(float, S)
CALLS_OF(double, D)
EXPORT Status cusolverDnCreate(void** h) { *h = (void*)0x30; return 0; }
EXPORT Status cusolverDnDestroy(void*) { return 0; }
EXPORT Status cusolverDnSetStream(void*, void*) { return 0; }
EXPORT Status cusolverDnGetStream(void*, void** s) { *s = nullptr; return 0; }
EXPORT Status cusolverGetProperty(int what, int* v) { *v = what == 0 ? 11 : what == 1 ? 7 : 0; return 0; }
