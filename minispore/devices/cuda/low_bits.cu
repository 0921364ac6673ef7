// An operand of a low-bit product in one launch: a block a tile. It finds the tile's largest magnitude and its scale,
// encodes each number by a table of codes, and writes the value of the code times the scale.
//
// The compiler's -ftz=true makes subnormal float32 numbers zeros. So a float32 is read and written as its bits, and is
// held as a double: `rounded` brings a result back to the nearest float32, a subnormal one too.

#define RULE_CURRENT 4
#define RULE_TWO_LEVELS 5

__device__ inline double wide(unsigned bits) {
  if (bits >> 23 & 255) return double(__uint_as_float(bits));
  double size = double(bits & 0x7fffff) * 0x1p-149;
  return bits >> 31 ? -size : size;
}

__device__ inline unsigned bits_of(double v) {
  if (!(fabs(v) < 0x1p-126)) return __float_as_uint(float(v));
  unsigned sign = unsigned(__double_as_longlong(v) >> 63) << 31;
  return sign | unsigned(rint(fabs(v) * 0x1p149));
}

__device__ inline double rounded(double v) { return wide(bits_of(v)); }

__device__ inline double power_of_two(int exponent) { return __longlong_as_double((long long)(exponent + 1023) << 52); }

// The place of a number in a table of codes: the upper half of its bits, rounded to odd.
__device__ inline unsigned place(double v) {
  unsigned bits = bits_of(v);
  return ((bits & 0xffff) + 0xffff | bits) >> 16;
}

struct Rule {
  int kind;  // 0 floor, 1 ceil, 2 even, 3 rceil; then those above
  int power_of_2;
  int mantissa, emax;
  double top, least, largest;
};

// The code of a shared exponent, from the bits of the largest magnitude.
__device__ inline int shared_code(Rule rule, unsigned bits) {
  if (rule.kind == 3) {
    bits = bits_of(wide(bits) * rounded(1.0 / rule.top));
    unsigned field = bits >> 23, mantissa = bits & 0x7fffff;
    return field < 255 ? field + (mantissa > (field ? 0u : 0x400000u)) : 255;
  }
  if (rule.kind == 2 && bits <= 0x7f800000u) bits = (bits + (1u << (22 - rule.mantissa))) & 0xff800000u;
  if (bits >= 0x7f800000u) return 255;
  int exponent = int(bits >> 23) - rule.emax + (rule.kind == 1 && bits & 0x7fffff);
  return exponent < 0 ? 0 : exponent;
}

// The factors of a tile: numbers are multiplied by `up`, values by `down`.
__device__ inline void factors(Rule rule, unsigned amax, unsigned seen, const unsigned char* codes, const unsigned* values,
                               double* up, double* down) {
  if (rule.kind < 4) {
    int code = shared_code(rule, amax);
    *up = code == 255 ? wide(0x7fc00000) : power_of_two(127 - code);
    *down = code == 255 ? wide(0x7fc00000) : power_of_two(code - 127);
    return;
  }
  if (rule.kind == RULE_CURRENT) {
    double made = rounded(rule.top / wide(amax));
    if (isinf(made)) made = rule.largest;
    if (rule.power_of_2) made = wide(bits_of(made) & 0x7f800000u);
    *up = amax > 0 && amax < 0x7f800000u ? made : 1;
    *down = rounded(1 / *up);
    return;
  }
  double most = wide(0x7f7fffff), spread = rounded(rule.top * 448 / wide(seen));
  if (spread > most) spread = most;
  if (spread == 0) spread = 1;
  double scaled = rounded(wide(amax) * rounded(spread * rounded(1 / rule.top)));
  if (scaled < rule.least) scaled = rule.least;
  if (scaled > 448) scaled = 448;
  *down = wide(values[codes[place(scaled)]]);
  *up = rounded(1 / rounded(*down * rounded(1 / spread)));
  if (*up > most) *up = most;
}

// The largest magnitude of all numbers, as bits: nan comes last. `most` is zero before.
template <typename T>
__global__ void low_bit_largest(const T* x, long long size, unsigned* most) {
  unsigned mine = 0;
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < size; i += gridDim.x * (long long)blockDim.x)
    mine = max(mine, unsigned(x[i]) & 0x7fffffffu);
  for (int s = WARP / 2; s; s >>= 1) mine = max(mine, __shfl_xor_sync(ALL, mine, s, WARP));
  if (threadIdx.x % WARP == 0) atomicMax(most, mine);
}

// Each tile of an (m, k) matrix; T is the type of its bits, unsigned.
template <typename T>
__global__ void low_bit_cast(const T* x, int m, int k, int rows, int columns, int kind, int power_of_2, int mantissa,
                             int emax, double top, double least, double largest, const unsigned* seen,
                             const unsigned char* codes, const unsigned* values, const unsigned char* scale_codes,
                             const unsigned* scale_values, T* out) {
  __shared__ unsigned part[WARP];
  int across = (k + columns - 1) / columns;
  int row = blockIdx.x / across * rows, column = blockIdx.x % across * columns;
  int high = min(rows, m - row), broad = min(columns, k - column);
  unsigned amax = 0;
  for (int i = threadIdx.x; i < high * broad; i += blockDim.x)
    amax = max(amax, unsigned(x[(long long)(row + i / broad) * k + column + i % broad]) & 0x7fffffffu);
  for (int s = WARP / 2; s; s >>= 1) amax = max(amax, __shfl_xor_sync(ALL, amax, s, WARP));
  if (threadIdx.x % WARP == 0) part[threadIdx.x / WARP] = amax;
  __syncthreads();
  for (int w = 0; w < blockDim.x / WARP; w++) amax = max(amax, part[w]);
  Rule rule = {kind, power_of_2, mantissa, emax, top, least, largest};
  double up, down;
  factors(rule, amax, seen ? *seen : 0, scale_codes, scale_values, &up, &down);
  for (int i = threadIdx.x; i < high * broad; i += blockDim.x) {
    long long at = (long long)(row + i / broad) * k + column + i % broad;
    out[at] = bits_of(wide(values[codes[place(rounded(wide(x[at]) * up))]]) * down);
  }
}

// A whole tensor with one scale: by the largest magnitude, or by a factor that is given. The values are not multiplied.
template <typename T>
__global__ void low_bit_cast_whole(const T* x, long long size, int power_of_2, double top, double largest,
                                   const unsigned* seen, const unsigned* given, const unsigned char* codes,
                                   const unsigned* values, T* out, T* number) {
  Rule rule = {RULE_CURRENT, power_of_2, 0, 0, top, 0, largest};
  double up = given ? wide(*given) : 1, down = rounded(1 / up);
  if (seen) factors(rule, *seen, 0, nullptr, nullptr, &up, &down);
  long long first = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  for (long long i = first; i < size; i += gridDim.x * (long long)blockDim.x)
    out[i] = values[codes[place(rounded(wide(x[i]) * up))]];
  if (!first) *number = bits_of(down);
}

// The code of each number; and the value of each code.
template <typename T>
__global__ void low_bit_encode(const T* x, long long size, const unsigned char* codes, unsigned char* out) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < size; i += gridDim.x * (long long)blockDim.x)
    out[i] = codes[((x[i] & 0xffff) + 0xffff | x[i]) >> 16];
}

template <typename T>
__global__ void low_bit_decode(const unsigned char* x, long long size, const T* values, T* out) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < size; i += gridDim.x * (long long)blockDim.x)
    out[i] = values[x[i]];
}
