// cuBLAS: the products that CuPy's matmul asks for, in column-major order, float16 and bfloat16 summed in float32.
#include <algorithm>

#include "driver.h"

typedef int Status;
const Status OK = 0, INVALID_VALUE = 7, NOT_SUPPORTED = 15;
enum Type { F32 = 0, F64 = 1, F16 = 2, BF16 = 14 };  // cudaDataType_t
static const size_t WIDTH[] = {4, 8, 2, 0, 8, 16, 0, 0, 0, 0, 0, 0, 0, 0, 2};

// ---------------------------------------------------------------- handles: each has a stream
struct Handle {
  cudaStream_t stream = nullptr;
  int pointer_mode = 0, math_mode = 0;
  bool has_workspace = false;  // of the caller's own
};
EXPORT Status cublasCreate_v2(Handle** h) { *h = new Handle; return OK; }
EXPORT Status cublasDestroy_v2(Handle* h) { delete h; return OK; }
EXPORT Status cublasGetVersion_v2(Handle*, int* v) { *v = 120900; return OK; }
// Every new stream takes the caller's workspace from the handle.
EXPORT Status cublasSetStream_v2(Handle* h, cudaStream_t s) {
  h->stream = s;
  h->has_workspace = false;
  return OK;
}
EXPORT Status cublasGetStream_v2(Handle* h, cudaStream_t* s) { *s = h->stream; return OK; }
EXPORT Status cublasSetPointerMode_v2(Handle* h, int m) { h->pointer_mode = m; return OK; }
EXPORT Status cublasGetPointerMode_v2(Handle* h, int* m) { *m = h->pointer_mode; return OK; }
EXPORT Status cublasSetMathMode(Handle* h, int m) { h->math_mode = m; return OK; }
EXPORT Status cublasGetMathMode(Handle* h, int* m) { *m = h->math_mode; return OK; }
EXPORT Status cublasSetWorkspace_v2(Handle* h, void* place, size_t bytes) {
  if ((uintptr_t)place % 256) return INVALID_VALUE;
  h->has_workspace = place && bytes;
  return OK;
}

// ---------------------------------------------------------------- one product
static double read(const void* p, int type, size_t i) {
  switch (type) {
    case F32: return ((const float*)p)[i];
    case F64: return ((const double*)p)[i];
    case F16: { _Float16 h; memcpy(&h, (const uint16_t*)p + i, 2); return (double)h; }
    case BF16: { uint32_t b = (uint32_t)((const uint16_t*)p)[i] << 16; float v; memcpy(&v, &b, 4); return v; }
  }
  abort();
}
static void write(void* p, int type, size_t i, double v) {
  switch (type) {
    case F32: ((float*)p)[i] = (float)v; return;
    case F64: ((double*)p)[i] = v; return;
    case F16: { _Float16 h = (_Float16)(float)v; memcpy((uint16_t*)p + i, &h, 2); return; }
    case BF16: {
      float rounded = (float)v;
      uint32_t bits;
      memcpy(&bits, &rounded, 4);
      if (rounded == rounded) bits += 0x7fff + (bits >> 16 & 1);
      ((uint16_t*)p)[i] = bits >> 16;
      return;
    }
  }
  abort();
}
struct Matrix { void* at; int type; long lead; };
struct Product {  // c = alpha op(a) op(b) + beta c, of m x k and k x n
  int flip_a, flip_b;
  long m, n, k;
  double alpha, beta;
};
// op(matrix) of rows x columns, in S: element (i, j) is at i + j * rows.
template <class S> static std::vector<S> dense(Matrix from, bool flip, long rows, long columns) {
  std::vector<S> to((size_t)rows * columns);
  for (long j = 0; j < columns; j++)
    for (long i = 0; i < rows; i++)
      to[i + j * rows] = (S)read(from.at, from.type, flip ? j + i * from.lead : i + j * from.lead);
  return to;
}
template <class S> static void multiply(const Product& p, Matrix a, Matrix b, Matrix c) {
  auto left = dense<S>(a, p.flip_a, p.m, p.k), right = dense<S>(b, p.flip_b, p.k, p.n);
  std::vector<S> column(p.m);
  for (long j = 0; j < p.n; j++) {
    std::fill(column.begin(), column.end(), S(0));
    for (long l = 0; l < p.k; l++) {
      S v = right[l + j * p.k];
      const S* row = &left[l * p.m];
      for (long i = 0; i < p.m; i++) column[i] += row[i] * v;
    }
    for (long i = 0; i < p.m; i++) {
      size_t at = i + j * c.lead;
      write(c.at, c.type, at, (S)p.alpha * column[i] + (p.beta ? (S)p.beta * (S)read(c.at, c.type, at) : S(0)));
    }
  }
}
static bool is_supported(int a, int b, int c) {
  return a == b && (c == a || (c == F32 && (a == F16 || a == BF16))) && (a <= F16 || a == BF16);
}
// cublasComputeType_t: 68 and 69 are float32, 70 and 71 float64, 74 to 78 float32 of fewer bits, done here with all.
static bool is_computed(int type, int compute) {
  return type == F64 ? compute == 70 || compute == 71 : compute == 68 || compute == 69 || (compute >= 74 && compute <= 78);
}
static int scalar_type(int compute) { return compute == 70 || compute == 71 ? F64 : F32; }
static bool fits(bool flip, long rows, long columns, long lead) { return lead >= std::max(1L, flip ? columns : rows); }
static void run(const Product& p, Matrix a, Matrix b, Matrix c) {
  if (dry) return;
  if (c.type == F64) multiply<double>(p, a, b, c);
  else multiply<float>(p, a, b, c);
}

// ---------------------------------------------------------------- the calls
// Without a workspace of the caller's a capture would record allocations, and graphs here hold none.
static Status send(Handle* h, const char* name, const Product& p, long count, std::function<void()> run) {
  if (is_capturing(h->stream) && !h->has_workspace) return NOT_SUPPORTED;
  return submit(h->stream, {GEMM, name, p.m * p.n * p.k * count, run}) ? 13 : OK;
}
EXPORT Status cublasGemmStridedBatchedEx(Handle* h, int flip_a, int flip_b, int m, int n, int k, const void* alpha,
                                         const void* a, int type_a, int lead_a, long long step_a, const void* b,
                                         int type_b, int lead_b, long long step_b, const void* beta, void* c, int type_c,
                                         int lead_c, long long step_c, int count, int compute, int) {
  if (!is_supported(type_a, type_b, type_c) || !is_computed(type_a, compute)) return NOT_SUPPORTED;
  if (!fits(flip_a, m, k, lead_a) || !fits(flip_b, k, n, lead_b) || !fits(false, m, n, lead_c)) return INVALID_VALUE;
  int scalar = scalar_type(compute);
  Product p{flip_a, flip_b, m, n, k, read(alpha, scalar, 0), read(beta, scalar, 0)};
  if (is_traced() && !is_capturing(h->stream)) {
    auto bytes = [=](long size, long long step, int type) { return size * (step ? count : 1) * WIDTH[type]; };
    mention({{a, bytes(1l * m * k, step_a, type_a)}, {b, bytes(1l * k * n, step_b, type_b)}, {c, bytes(1l * m * n, step_c, type_c)}});
  }
  auto at = [](const void* base, int type, long long step) { return (char*)base + step * (long long)WIDTH[type]; };
  return send(h, "gemmStridedBatchedEx", p, count, [=] {
    for (int i = 0; i < count; i++)
      run(p, {at(a, type_a, i * step_a), type_a, lead_a}, {at(b, type_b, i * step_b), type_b, lead_b},
          {at(c, type_c, i * step_c), type_c, lead_c});
  });
}
EXPORT Status cublasGemmEx(Handle* h, int flip_a, int flip_b, int m, int n, int k, const void* alpha, const void* a,
                           int type_a, int lead_a, const void* b, int type_b, int lead_b, const void* beta, void* c,
                           int type_c, int lead_c, int compute, int algorithm) {
  return cublasGemmStridedBatchedEx(h, flip_a, flip_b, m, n, k, alpha, a, type_a, lead_a, 0, b, type_b, lead_b, 0, beta,
                                    c, type_c, lead_c, 0, 1, compute, algorithm);
}
// The places of the matrices lie on the device.
template <class T>
static Status batched(Handle* h, const char* name, const Product& p, int type, const T** a, int lead_a, const T** b,
                      int lead_b, T** c, int lead_c, int count) {
  return send(h, name, p, count, [=] {
    for (int i = 0; i < count; i++) run(p, {(void*)a[i], type, lead_a}, {(void*)b[i], type, lead_b}, {c[i], type, lead_c});
  });
}
EXPORT Status cublasSgemmBatched(Handle* h, int fa, int fb, int m, int n, int k, const float* alpha, const float** a,
                                 int lead_a, const float** b, int lead_b, const float* beta, float** c, int lead_c,
                                 int count) {
  Product p{fa, fb, m, n, k, *alpha, *beta};
  return batched(h, "sgemmBatched", p, F32, a, lead_a, b, lead_b, c, lead_c, count);
}
EXPORT Status cublasDgemmBatched(Handle* h, int fa, int fb, int m, int n, int k, const double* alpha, const double** a,
                                 int lead_a, const double** b, int lead_b, const double* beta, double** c, int lead_c,
                                 int count) {
  Product p{fa, fb, m, n, k, *alpha, *beta};
  return batched(h, "dgemmBatched", p, F64, a, lead_a, b, lead_b, c, lead_c, count);
}
template <class T> static Status dot(Handle* h, int n, const T* x, int step_x, const T* y, int step_y, T* result) {
  return send(h, "dot", {0, 0, 1, 1, n}, 1, [=] {
    T sum = 0;
    for (int i = 0; i < n; i++) sum += x[i * step_x] * y[i * step_y];
    if (!dry) *result = sum;
  });
}
EXPORT Status cublasSdot_v2(Handle* h, int n, const float* x, int dx, const float* y, int dy, float* r) {
  return dot(h, n, x, dx, y, dy, r);
}
EXPORT Status cublasDdot_v2(Handle* h, int n, const double* x, int dx, const double* y, int dy, double* r) {
  return dot(h, n, x, dx, y, dy, r);
}
