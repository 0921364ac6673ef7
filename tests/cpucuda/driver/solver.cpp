// cuSOLVER, and cuBLAS's factorizations of many small matrices: LU with partial pivoting and Cholesky, as LAPACK has them,
// and singular values by one-sided Jacobi rotations (Hestenes, 1958).
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

// ---------------------------------------------------------------- singular values
typedef std::vector<double> Numbers;
struct Singular { Numbers u, s, v; };  // U (m, m), V (n, n), column-major; s descending

static double dot(int m, const double* x, const double* y) {
  double sum = 0;
  for (int i = 0; i < m; i++) sum += x[i] * y[i];
  return sum;
}
static void rotate(int m, double* x, double* y, double c, double s) {
  for (int i = 0; i < m; i++) {
    double old = x[i];
    x[i] = c * old - s * y[i];
    y[i] = s * old + c * y[i];
  }
}
// Make column k a unit vector that is orthogonal to those before it: itself, or else the first axis that leaves something.
static void complete(int m, double* u, int k, bool given) {
  for (int axis = given ? -1 : 0; axis < m; axis++) {
    double* x = u + (size_t)k * m;
    if (axis >= 0) for (int i = 0; i < m; i++) x[i] = i == axis;
    double before = std::sqrt(dot(m, x, x));
    for (int again = 0; again < 2; again++)
      for (int j = 0; j < k; j++) {
        double along = dot(m, x, u + (size_t)j * m);
        for (int i = 0; i < m; i++) x[i] -= along * u[i + (size_t)j * m];
      }
    double length = std::sqrt(dot(m, x, x));
    if (!(length > 0.5 / m * before)) continue;
    for (int i = 0; i < m; i++) x[i] /= length;
    return;
  }
}
static Singular singular_of(int m, int n, const Numbers& a) {
  if (m < n) {
    Numbers turned((size_t)m * n);
    for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) turned[j + (size_t)i * n] = a[i + (size_t)j * m];
    auto found = singular_of(n, m, turned);
    return {found.v, found.s, found.u};
  }
  Numbers w = a, v((size_t)n * n);
  for (int j = 0; j < n; j++) v[j + (size_t)j * n] = 1;
  bool moved = true;
  for (int sweep = 0; moved && sweep < 60; sweep++) {
    moved = false;
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++) {
        double *x = &w[(size_t)p * m], *y = &w[(size_t)q * m], xx = dot(m, x, x), yy = dot(m, y, y), xy = dot(m, x, y);
        if (!(std::fabs(xy) > 1e-15 * std::sqrt(xx * yy))) continue;
        double z = (yy - xx) / (2 * xy), t = (z < 0 ? -1 : 1) / (std::fabs(z) + std::sqrt(1 + z * z));
        double c = 1 / std::sqrt(1 + t * t);
        rotate(m, x, y, c, c * t);
        rotate(n, &v[(size_t)p * n], &v[(size_t)q * n], c, c * t);
        moved = true;
      }
  }
  Numbers lengths(n);
  std::vector<int> order(n);
  for (int j = 0; j < n; j++) lengths[j] = std::sqrt(dot(m, &w[(size_t)j * m], &w[(size_t)j * m])), order[j] = j;
  std::sort(order.begin(), order.end(), [&](int i, int j) { return lengths[i] > lengths[j]; });
  Singular found{Numbers((size_t)m * m), Numbers(n), Numbers((size_t)n * n)};
  for (int k = 0; k < m; k++) {
    double length = k < n ? found.s[k] = lengths[order[k]] : 0;
    bool given = k < n && length > 1e-14 * found.s[0];
    if (k < n) std::copy_n(&v[(size_t)order[k] * n], n, &found.v[(size_t)k * n]);
    if (given) for (int i = 0; i < m; i++) found.u[i + (size_t)k * m] = w[i + (size_t)order[k] * m] / length;
    complete(m, found.u.data(), k, given);
  }
  return found;
}
template <class T> static Singular singular_of(int m, int n, const T* a, int lead) {
  Numbers all((size_t)m * n);
  for (int j = 0; j < n; j++) for (int i = 0; i < m; i++) all[i + (size_t)j * m] = a[i + (size_t)j * lead];
  return singular_of(m, n, all);
}
// A job is A (all vectors), S (as many as there are values), O (those, over the matrix itself) or N (none).
template <class T>
static void singular(char job_u, char job_v, int m, int n, T* a, int lead, T* s, T* u, int lead_u, T* vt, int lead_v) {
  auto found = singular_of(m, n, a, lead);
  int k = std::min(m, n);
  std::copy_n(found.s.begin(), k, s);
  if (job_u != 'N') {
    T* to = job_u == 'O' ? a : u;
    int step = job_u == 'O' ? lead : lead_u;
    for (int j = 0; j < (job_u == 'A' ? m : k); j++)
      for (int i = 0; i < m; i++) to[i + (size_t)j * step] = found.u[i + (size_t)j * m];
  }
  if (job_v != 'N') {
    T* to = job_v == 'O' ? a : vt;
    int step = job_v == 'O' ? lead : lead_v;
    for (int i = 0; i < (job_v == 'A' ? n : k); i++)
      for (int j = 0; j < n; j++) to[i + (size_t)j * step] = found.v[j + (size_t)i * n];
  }
}
template <class T>
static void singular_each(bool vectors, int m, int n, T* a, int lead, T* s, T* u, int lead_u, T* v, int lead_v, int count) {
  for (int each = 0; each < count; each++) {
    auto found = singular_of(m, n, a + (size_t)each * lead * n, lead);
    std::copy_n(found.s.begin(), std::min(m, n), s + (size_t)each * std::min(m, n));
    for (int j = 0; vectors && j < m; j++)
      for (int i = 0; i < m; i++) u[((size_t)each * m + j) * lead_u + i] = found.u[i + (size_t)j * m];
    for (int j = 0; vectors && j < n; j++)
      for (int i = 0; i < n; i++) v[((size_t)each * n + j) * lead_v + i] = found.v[i + (size_t)j * n];
  }
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
  } \
  EXPORT Status cusolverDn##X##gesvd_bufferSize(void*, int, int, int* size) { *size = 1; return 0; } \
  EXPORT Status cusolverDn##X##gesvd(void*, char job_u, char job_v, int m, int n, T* a, int lead, T* s, T* u, int lead_u, \
                                     T* vt, int lead_v, T*, int, T*, int* info) { \
    singular(job_u, job_v, m, n, a, lead, s, u, lead_u, vt, lead_v); \
    *info = 0; \
    return 0; \
  } \
  EXPORT Status cusolverDn##X##gesvdjBatched_bufferSize(void*, int, int, int, const T*, int, const T*, const T*, int, \
                                                        const T*, int, int* size, void*, int) { \
    *size = 1; \
    return 0; \
  } \
  EXPORT Status cusolverDn##X##gesvdjBatched(void*, int vectors, int m, int n, T* a, int lead, T* s, T* u, int lead_u, \
                                             T* v, int lead_v, T*, int, int* info, void*, int count) { \
    singular_each(vectors, m, n, a, lead, s, u, lead_u, v, lead_v, count); \
    std::fill_n(info, count, 0); \
    return 0; \
  }
CALLS_OF(float, S)
CALLS_OF(double, D)
EXPORT Status cusolverDnCreateGesvdjInfo(void** info) { *info = (void*)0x31; return 0; }
EXPORT Status cusolverDnDestroyGesvdjInfo(void*) { return 0; }
EXPORT Status cusolverDnCreate(void** h) { *h = (void*)0x30; return 0; }
EXPORT Status cusolverDnDestroy(void*) { return 0; }
EXPORT Status cusolverDnSetStream(void*, void*) { return 0; }
EXPORT Status cusolverDnGetStream(void*, void** s) { *s = nullptr; return 0; }
EXPORT Status cusolverGetProperty(int what, int* v) { *v = what == 0 ? 11 : what == 1 ? 7 : 0; return 0; }
