// An operand of a low-bit product in one launch: a block a tile. It finds the tile's largest magnitude and its scale,
// encodes each number by a table of codes, and writes the value of the code times the scale. Before that it transforms
// the numbers, and rounds them by chance, where the recipe says so.
//
// The compiler's -ftz=true makes subnormal float32 numbers zeros. So a float32 is read and written as its bits, and is
// held as a double: `rounded` brings a result back to the nearest float32, a subnormal one too.

#include "philox.cu"

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

__device__ inline double read(const unsigned* x, long long i) { return wide(x[i]); }  // a float32 as its bits
__device__ inline double read(const float16* x, long long i) { return float(x[i]); }
__device__ inline double read(const bfloat16* x, long long i) { return wide(((const unsigned short*)x)[i] << 16); }

// A matrix whose columns a product sums over. In memory it is (outer, groups, columns, after) with `after` and
// `groups` in the rows: after, outer and groups are 1 for a matrix that is laid out row by row.
struct Matrix {
  int rows, columns;       // with the rows of zeros that fill up the last 16 numbers of a transform
  int held, after, groups; // `held` of the columns are in memory
  int by_rows;             // random bits are counted row by row, not as memory is
  int high, broad;         // rows and columns of a tile
  __device__ long long at(int r, int c) const {
    long long outer = r / (after * groups), group = r % groups;
    return ((outer * groups + group) * columns + c) * after + r / groups % after;
  }
  __device__ long long random(int r, int c) const { return by_rows ? (long long)r * columns + c : at(r, c); }
};

struct Rule {
  int kind;  // 0 floor, 1 ceil, 2 even, 3 rceil; then those above
  int power_of_2;
  int mantissa, emax, lowest;
  int by_chance;
  double top, least, largest;
};

// The type that transformed numbers are rounded to.
struct Narrow {
  int mantissa, lowest;
  double top;
};

// The stream of random bits, 32 for each number. `before` of them are those of other processes.
struct Draws {
  Word first_key, second_key, number, domain, before;
};

__device__ inline double narrowed(double v, Narrow to) {
  if (v == 0 || !(fabs(v) <= 0x1p1000)) return v;
  int step = max(ilogb(v), to.lowest) - to.mantissa;
  double near = rint(v * power_of_two(-step)) * power_of_two(step);
  return fabs(near) > to.top ? copysign(wide(0x7f800000u), v) : near;
}

// A number of the matrix; with a table `turn` of 16 by 16, the sum of 16 numbers that takes its place.
template <typename T>
__device__ double number(const T* x, const Matrix& m, const double* turn, Narrow to, int r, int c) {
  if (!turn) return read(x, m.at(r, c));
  double sum = 0;
  int begin = c - c % 16;
  for (int j = 0; j < 16 && begin + j < m.held; j++) sum += turn[16 * j + c % 16] * read(x, m.at(r, begin + j));
  return narrowed(rounded(sum), to);
}

__device__ inline unsigned magnitude(double v) { return bits_of(v) & 0x7fffffffu; }

// Rounded up or down to the format's grid by the random bits of the place `i`.
__device__ inline double by_chance(double v, const Rule& rule, Draws draws, const Word* drawn, long long i) {
  unsigned bits = bits_of(v), field = bits >> 23 & 255;
  if (field == 255) return v;
  Word words[4], at = draws.before + i, whole = bits & 0x7fffff | (field ? 1u << 23 : 0);
  stream_of(draws.first_key, draws.second_key, draws.number, draws.domain, drawn).block(at / 8, words);
  Word drawn_bits = words[at % 8 / 2] >> 32 * (at % 2) & 0xffffffffu;
  int exponent = max(int(field), 1) - 127, step = max(exponent, rule.lowest) - rule.mantissa;
  Word number = ((whole << 32 >> min(step - exponent + 23, 63)) + drawn_bits) >> 32;
  return copysign(double(number) * power_of_two(step), v);
}

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
__global__ void low_bit_largest(const T* x, Matrix m, const double* turn, Narrow to, unsigned* most) {
  unsigned mine = 0;
  long long size = (long long)m.rows * m.columns, step = gridDim.x * (long long)blockDim.x;
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < size; i += step)
    mine = max(mine, magnitude(turn ? number(x, m, turn, to, i % m.after, i / m.after) : read(x, i)));
  for (int s = WARP / 2; s; s >>= 1) mine = max(mine, __shfl_xor_sync(ALL, mine, s, WARP));
  if (threadIdx.x % WARP == 0) atomicMax(most, mine);
}

// Each tile of a matrix. T is the type of its numbers, unsigned for float32.
template <typename T>
__global__ void low_bit_cast(const T* x, Matrix m, Rule rule, const unsigned* seen, const unsigned char* codes,
                             const unsigned* values, const unsigned char* scale_codes, const unsigned* scale_values,
                             const double* turn, Narrow to, Draws draws, const Word* drawn, unsigned* out,
                             double* whole) {
  __shared__ unsigned part[WARP];
  int across = (m.columns + m.broad - 1) / m.broad;
  int row = blockIdx.x / across * m.high, column = blockIdx.x % across * m.broad;
  int high = min(m.high, m.rows - row), broad = min(m.broad, m.columns - column);
  bool down_columns = m.after > 1;  // threads beside each other take numbers beside each other in memory
  unsigned amax = 0;
  for (int i = threadIdx.x; i < high * broad; i += blockDim.x) {
    int r = row + (down_columns ? i % high : i / broad), c = column + (down_columns ? i / high : i % broad);
    amax = max(amax, magnitude(number(x, m, turn, to, r, c)));
  }
  for (int s = WARP / 2; s; s >>= 1) amax = max(amax, __shfl_xor_sync(ALL, amax, s, WARP));
  if (threadIdx.x % WARP == 0) part[threadIdx.x / WARP] = amax;
  __syncthreads();
  for (int w = 0; w < blockDim.x / WARP; w++) amax = max(amax, part[w]);
  double up, down;
  factors(rule, amax, seen ? *seen : 0, scale_codes, scale_values, &up, &down);
  for (int i = threadIdx.x; i < high * broad; i += blockDim.x) {
    int r = row + (down_columns ? i % high : i / broad), c = column + (down_columns ? i / high : i % broad);
    double v = rounded(number(x, m, turn, to, r, c) * up);
    if (rule.by_chance) v = by_chance(v, rule, draws, drawn, m.random(r, c));
    out[m.at(r, c)] = bits_of(wide(values[codes[place(v)]]) * down);
  }
  if (whole && blockIdx.x == 0 && threadIdx.x == 0) *whole = wide(*seen) / (rule.top * 448);
}

// The factor of a whole tensor: by its largest magnitude, or one that is given.
__device__ inline double factor(Rule rule, const unsigned* seen, const unsigned* given, double* down) {
  double up = given ? wide(*given) : 1;
  *down = rounded(1 / up);
  if (seen) factors(rule, *seen, 0, nullptr, nullptr, &up, down);
  return up;
}

// A whole tensor with one scale. The values are not multiplied: `number_out` is the factor of all of them.
template <typename T>
__global__ void low_bit_cast_whole(const T* x, Matrix m, Rule rule, const unsigned* seen, const unsigned* given,
                                   const unsigned char* codes, const unsigned* values, const double* turn, Narrow to,
                                   Draws draws, const Word* drawn, unsigned* out, double* number_out) {
  double down, up = factor(rule, seen, given, &down);
  long long first = blockIdx.x * (long long)blockDim.x + threadIdx.x, size = (long long)m.rows * m.columns;
  for (long long i = first; i < size; i += gridDim.x * (long long)blockDim.x) {
    long long along = i / m.after, c = along % m.columns;
    long long r = (along / m.columns / m.groups * m.after + i % m.after) * m.groups + along / m.columns % m.groups;
    double v = rounded(number(x, m, turn, to, r, c) * up);
    if (rule.by_chance) v = by_chance(v, rule, draws, drawn, m.random(r, c));
    out[i] = values[codes[place(v)]];
  }
  if (!first) *number_out = down;
}

__device__ inline void write(unsigned* out, long long i, double v) { out[i] = bits_of(v); }
__device__ inline void write(float16* out, long long i, double v) { out[i] = float16(float(v)); }
__device__ inline void write(bfloat16* out, long long i, double v) {
  unsigned bits = bits_of(v);
  ((unsigned short*)out)[i] = v == v ? bits + 0x7fff + (bits >> 16 & 1) >> 16 : 0x7fc0;
}

// Float32 sums times the operands' numbers, by the product's mantissa and its power of two in two halves; T is rounded
// to once. A null number is 1.
template <typename T>
__global__ void low_bit_scaled(const unsigned* sums, long long size, const double* a, const double* b, T* out) {
  double factor = (a ? *a : 1) * (b ? *b : 1), mantissa = factor;
  int exponent = 0;
  if (fabs(factor) <= 0x1p1000) mantissa = frexp(factor, &exponent);
  int half = exponent >> 1;  // rounded down
  double first = rounded(power_of_two(half)), second = rounded(power_of_two(exponent - half));
  mantissa = rounded(mantissa);
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < size; i += gridDim.x * (long long)blockDim.x)
    write(out, i, rounded(rounded(rounded(wide(sums[i]) * mantissa) * first) * second));
}

// A delayed scale's step: the new scale and history of `length` from the old ones and the largest magnitude, by a block.
template <typename T>
__global__ void low_bit_advance(const T* scale, const T* history, const T* amax, int length, int most_recent, double top,
                                double room, T* new_scale, T* new_history) {
  __shared__ unsigned part[WARP];
  unsigned mine = *amax & 0x7fffffffu;
  for (int i = threadIdx.x; i < length; i += blockDim.x) {
    if (i && !most_recent) mine = max(mine, history[i] & 0x7fffffffu);
    new_history[i] = i == 0 ? 0 : i < length - 1 ? history[i + 1] : *amax;
  }
  for (int s = WARP / 2; s; s >>= 1) mine = max(mine, __shfl_xor_sync(ALL, mine, s, WARP));
  if (threadIdx.x % WARP == 0) part[threadIdx.x / WARP] = mine;
  __syncthreads();
  for (int w = 0; w < blockDim.x / WARP; w++) mine = max(mine, part[w]);
  if (threadIdx.x) return;
  double made = rounded(rounded(top / wide(mine)) / room);
  if (isinf(made)) made = wide(0x7f7fffffu);
  *new_scale = mine > 0 && mine < 0x7f800000u ? bits_of(made) : *scale;
}

// The codes of a matrix of (rows, columns) with one scale, as they stand or turned, by squares of 32 by 32 codes.
template <typename T>
__global__ void low_bit_codes(const T* x, int rows, int columns, int turned, Rule rule, const unsigned* seen,
                              const unsigned* given, const unsigned char* codes, unsigned char* out,
                              unsigned* number_out) {
  __shared__ unsigned char square[WARP][WARP + 4];
  int across = (columns + WARP - 1) / WARP, lane = threadIdx.x % WARP, first = threadIdx.x / WARP;
  int row = blockIdx.x / across * WARP, column = blockIdx.x % across * WARP;
  double down, up = factor(rule, seen, given, &down);
  for (int j = first; j < WARP; j += blockDim.x / WARP) {
    if (row + j >= rows || column + lane >= columns) continue;
    long long at = (long long)(row + j) * columns + column + lane;
    unsigned char code = codes[place(rounded(read(x, at) * up))];
    if (turned) square[lane][j] = code;
    else out[at] = code;
  }
  if (!blockIdx.x && !threadIdx.x) *number_out = bits_of(down);
  if (!turned) return;
  __syncthreads();
  for (int j = first; j < WARP; j += blockDim.x / WARP)
    if (column + j < columns && row + lane < rows)
      out[(long long)(column + j) * rows + row + lane] = square[j][lane];
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
