// cuBLASLt: products of eight-bit floats, by its rules: A is transposed and B is not, and sizes are multiples of 16.
#include <cmath>

#include "driver.h"

typedef int Status;
const Status OK = 0, INVALID_VALUE = 7, NOT_SUPPORTED = 15;
enum Type { F32 = 0, F16 = 2, BF16 = 14, E4M3 = 28, E5M2 = 29 };          // cudaDataType_t
enum Attribute { TRANSA = 3, TRANSB = 4, A_SCALE = 17, B_SCALE = 18 };  // cublasLtMatmulDescAttributes_t
const size_t NEEDED = 1 << 20;                                          // bytes of workspace

struct Handle {};
struct Description {
  int compute, scale_type, turned_a = 0, turned_b = 0;
  const float *scale_a = nullptr, *scale_b = nullptr;  // on the device
};
struct Layout { int type; uint64_t rows, columns; int64_t lead; };
struct Preference { size_t most = 0; };
struct Algorithm { uint64_t data[8]; };
struct Found {
  Algorithm algorithm;
  size_t workspace;
  Status status;
  float waves;
  int reserved[4];
};

EXPORT Status cublasLtCreate(Handle** h) { *h = new Handle; return OK; }
EXPORT Status cublasLtDestroy(Handle* h) { delete h; return OK; }
EXPORT Status cublasLtMatmulDescCreate(Description** d, int compute, int scale_type) {
  *d = new Description{compute, scale_type};
  return OK;
}
EXPORT Status cublasLtMatmulDescDestroy(Description* d) { delete d; return OK; }
EXPORT Status cublasLtMatmulDescSetAttribute(Description* d, int attribute, const void* value, size_t size) {
  struct { int attribute; void* at; size_t size; } known[] = {
      {TRANSA, &d->turned_a, 4}, {TRANSB, &d->turned_b, 4}, {A_SCALE, &d->scale_a, 8}, {B_SCALE, &d->scale_b, 8}};
  for (auto& one : known)
    if (one.attribute == attribute && one.size == size) {
      memcpy(one.at, value, size);
      return OK;
    }
  return INVALID_VALUE;
}
EXPORT Status cublasLtMatrixLayoutCreate(Layout** l, int type, uint64_t rows, uint64_t columns, int64_t lead) {
  *l = new Layout{type, rows, columns, lead};
  return OK;
}
EXPORT Status cublasLtMatrixLayoutDestroy(Layout* l) { delete l; return OK; }
EXPORT Status cublasLtMatmulPreferenceCreate(Preference** p) { *p = new Preference; return OK; }
EXPORT Status cublasLtMatmulPreferenceDestroy(Preference* p) { delete p; return OK; }
EXPORT Status cublasLtMatmulPreferenceSetAttribute(Preference* p, int attribute, const void* value, size_t size) {
  if (attribute != 1 || size != sizeof p->most) return INVALID_VALUE;  // the largest workspace
  memcpy(&p->most, value, size);
  return OK;
}

static bool is_eight_bits(int type) { return type == E4M3 || type == E5M2; }
static bool is_done(const Description& d, const Layout& a, const Layout& b, const Layout& c, const Layout& out) {
  if (d.compute != 68 || d.scale_type != F32 || d.turned_a != 1 || d.turned_b != 0) return false;
  if (!is_eight_bits(a.type) || !is_eight_bits(b.type) || (a.type == E5M2 && b.type == E5M2)) return false;
  if ((out.type != F32 && out.type != F16 && out.type != BF16) || c.type != out.type) return false;
  if (a.rows != b.rows || a.columns != out.rows || b.columns != out.columns) return false;
  if (a.lead < (int64_t)a.rows || b.lead < (int64_t)b.rows || out.lead < (int64_t)out.rows) return false;
  return a.rows % 16 == 0 && a.columns % 16 == 0 && b.columns % 16 == 0 && a.lead % 16 == 0 && b.lead % 16 == 0;
}
EXPORT Status cublasLtMatmulAlgoGetHeuristic(Handle*, Description* d, Layout* a, Layout* b, Layout* c, Layout* out,
                                             Preference* p, int, Found* found, int* count) {
  *count = 0;
  if (!is_done(*d, *a, *b, *c, *out) || p->most < NEEDED) return NOT_SUPPORTED;
  *found = Found{{{42}}, NEEDED, OK, 1.0f};
  *count = 1;
  return OK;
}

static float value(uint8_t code, int type) {
  int mantissa = type == E4M3 ? 3 : 2, bias = type == E4M3 ? 7 : 15;
  int field = (code & 127) >> mantissa, low = code & ((1 << mantissa) - 1);
  float v = field ? ldexpf(low + (1 << mantissa), field - bias - mantissa) : ldexpf(low, 1 - bias - mantissa);
  if (type == E4M3 && (code & 127) == 127) v = NAN;
  if (type == E5M2 && field == 31) v = low ? NAN : HUGE_VALF;
  return code & 128 ? -v : v;
}
static void write(void* p, int type, size_t i, float v) {
  if (type == F32) ((float*)p)[i] = v;
  if (type == F16) {
    _Float16 h = (_Float16)v;
    memcpy((uint16_t*)p + i, &h, 2);
  }
  if (type == BF16) {
    uint32_t bits;
    memcpy(&bits, &v, 4);
    if (v == v) bits += 0x7fff + (bits >> 16 & 1);
    ((uint16_t*)p)[i] = bits >> 16;
  }
}
// Sums of 32 products, which are then added: another order than that of cuBLAS here.
static float dot(const float* a, const float* b, size_t length) {
  float sum = 0;
  for (size_t l = 0; l < length; l += 32) {
    float part = 0;
    for (size_t j = l; j < length && j < l + 32; j++) part += a[j] * b[j];
    sum += part;
  }
  return sum;
}
static std::vector<float> values(const void* codes, const Layout& l) {
  std::vector<float> found(l.rows * l.columns);
  for (size_t j = 0; j < l.columns; j++)
    for (size_t i = 0; i < l.rows; i++) found[i + j * l.rows] = value(((const uint8_t*)codes)[i + j * l.lead], l.type);
  return found;
}
EXPORT Status cublasLtMatmul(Handle*, Description* d, const float* alpha, const void* a, Layout* la, const void* b,
                             Layout* lb, const float* beta, const void* c, Layout* lc, void* out, Layout* lo,
                             const Algorithm* algorithm, void* workspace, size_t bytes, cudaStream_t stream) {
  if (!algorithm || algorithm->data[0] != 42 || !is_done(*d, *la, *lb, *lc, *lo)) return INVALID_VALUE;
  if (!workspace || (uintptr_t)workspace % 256 || bytes < NEEDED || *beta != 0) return INVALID_VALUE;
  if (((uintptr_t)a | (uintptr_t)b | (uintptr_t)out) % 16) return INVALID_VALUE;
  float by = *alpha;
  Description now = *d;  // the description may be another when a graph plays this
  Layout x = *la, y = *lb, z = *lo;
  auto run = [=] {
    if (dry) return;
    auto left = values(a, x), right = values(b, y);
    float factor = by * (now.scale_a ? *now.scale_a : 1) * (now.scale_b ? *now.scale_b : 1);
    for (size_t j = 0; j < z.columns; j++)
      for (size_t i = 0; i < z.rows; i++)
        write(out, z.type, i + j * z.lead, factor * dot(&left[i * x.rows], &right[j * y.rows], x.rows));
  };
  return submit(stream, {GEMM, "ltMatmul", (long)(z.rows * z.columns * x.rows), run}) ? 13 : OK;
}
