// A recurrent cell's step, and its gradient. A thread takes one unit of one sample.

__device__ inline float sigmoid(float z) { return 0.5f * tanhf(0.5f * z) + 0.5f; }

#define TILE 32    // units of a block, and columns that it stages at a time
#define SAMPLES 8  // of a block

// z[k] += x[sample] . w[k * width + unit], for the unit and sample of each thread of a block of TILE * SAMPLES.
// Tiles of x and w wait in shared memory as floats; the sum runs along the rows in their order.
template <int GATES, typename T>
__device__ inline void add_products(const T* x, long long gap, const T* w, int samples, int width, int length, float* z) {
  __shared__ float rows[SAMPLES][TILE], columns[GATES][TILE][TILE + 1];
  int unit = threadIdx.x % TILE, mine = threadIdx.x / TILE;
  int first_unit = blockIdx.y * TILE, sample = blockIdx.x * SAMPLES + mine;
  for (int begin = 0; begin < length; begin += TILE) {
    __syncthreads();  // the tiles before may still be read
    rows[mine][unit] = sample < samples && begin + unit < length ? float(x[sample * gap + begin + unit]) : 0.f;
    for (int at = threadIdx.x; at < GATES * TILE * TILE; at += TILE * SAMPLES) {
      int k = at / (TILE * TILE), row = at / TILE % TILE, j = at % TILE;
      bool there = first_unit + row < width && begin + j < length;
      columns[k][row][j] = there ? float(w[(long long)(k * width + first_unit + row) * length + begin + j]) : 0.f;
    }
    __syncthreads();
    for (int j = 0; j < TILE; j++)
      for (int k = 0; k < GATES; k++) z[k] += rows[mine][j] * columns[k][unit][j];
  }
}

// Where a thread of such a block works: false where it has no unit or no sample.
__device__ inline bool place_of(int samples, int width, int* sample, int* unit) {
  *unit = blockIdx.y * TILE + threadIdx.x % TILE;
  *sample = blockIdx.x * SAMPLES + threadIdx.x / TILE;
  return *unit < width && *sample < samples;
}

// One unit of an LSTM. saved holds, a row a sample, the open gates i, f, g, o and tanh(c').
template <typename T>
__device__ inline void lstm_unit(const float* z, const T* c, const T* b_ih, const T* b_hh, int biases, int sample,
                                 int unit, int width, float* saved, T* new_h, T* new_c) {
  long long at = (long long)sample * width + unit;
  float* row = saved + (long long)sample * 5 * width + unit;
  float gates[4];
  for (int k = 0; k < 4; k++) {
    float open = z[k];
    if (biases) open += float(b_ih[k * width + unit]) + float(b_hh[k * width + unit]);
    gates[k] = row[k * width] = k == 2 ? tanhf(open) : sigmoid(open);
  }
  float cell = gates[1] * float(c[at]) + gates[0] * gates[2], bent = tanhf(cell);
  row[4 * width] = bent;
  new_c[at] = T(cell);
  new_h[at] = T(gates[3] * bent);
}

// The whole step of an LSTM. A row of x begins `gap` numbers after the one before.
template <typename T>
__global__ void lstm_whole_step(const T* x, long long gap, const T* h, const T* c, const T* w_ih, const T* w_hh,
                                const T* b_ih, const T* b_hh, int biases, int samples, int width, int length,
                                float* saved, T* new_h, T* new_c) {
  float z[4] = {0, 0, 0, 0};
  add_products<4>(x, gap, w_ih, samples, width, length, z);
  add_products<4>(h, width, w_hh, samples, width, width, z);
  int sample, unit;
  if (place_of(samples, width, &sample, &unit))
    lstm_unit(z, c, b_ih, b_hh, biases, sample, unit, width, saved, new_h, new_c);
}

// The same after products: saved holds those of the gates, which are opened in place.
template <typename T>
__global__ void lstm_step(const T* c, const T* b_ih, const T* b_hh, int biases, int samples, int width, float* saved,
                          T* new_h, T* new_c) {
  int sample, unit;
  if (!place_of(samples, width, &sample, &unit)) return;
  float z[4];
  for (int k = 0; k < 4; k++) z[k] = saved[((long long)sample * 5 + k) * width + unit];
  lstm_unit(z, c, b_ih, b_hh, biases, sample, unit, width, saved, new_h, new_c);
}

// One unit of a GRU, from the products with x and with h. saved holds r, u, n and the state's part of n.
template <typename T>
__device__ inline void gru_unit(const float* by_input, const float* by_state, const T* h, const T* b_ih, const T* b_hh,
                                int biases, int sample, int unit, int width, float* saved, T* new_h) {
  long long at = (long long)sample * width + unit;
  float* row = saved + (long long)sample * 4 * width + unit;
  float z[3], j[3];
  for (int k = 0; k < 3; k++) {
    z[k] = by_input[k] + (biases ? float(b_ih[k * width + unit]) : 0.f);
    j[k] = by_state[k] + (biases ? float(b_hh[k * width + unit]) : 0.f);
  }
  float r = sigmoid(z[0] + j[0]), u = sigmoid(z[1] + j[1]), n = tanhf(z[2] + r * j[2]);
  row[0] = r, row[width] = u, row[2 * width] = n, row[3 * width] = j[2];
  new_h[at] = T(n + u * (float(h[at]) - n));
}

// The whole step of a GRU.
template <typename T>
__global__ void gru_whole_step(const T* x, long long gap, const T* h, const T* w_ih, const T* w_hh, const T* b_ih,
                               const T* b_hh, int biases, int samples, int width, int length, float* saved, T* new_h) {
  float by_input[3] = {0, 0, 0}, by_state[3] = {0, 0, 0};
  add_products<3>(x, gap, w_ih, samples, width, length, by_input);
  add_products<3>(h, width, w_hh, samples, width, width, by_state);
  int sample, unit;
  if (place_of(samples, width, &sample, &unit))
    gru_unit(by_input, by_state, h, b_ih, b_hh, biases, sample, unit, width, saved, new_h);
}

// The same after products: (samples, 3 * width) with x and with h.
template <typename T>
__global__ void gru_step(const float* with_x, const float* with_h, const T* h, const T* b_ih, const T* b_hh, int biases,
                         int samples, int width, float* saved, T* new_h) {
  int sample, unit;
  if (!place_of(samples, width, &sample, &unit)) return;
  float by_input[3], by_state[3];
  for (int k = 0; k < 3; k++) {
    long long at = ((long long)sample * 3 + k) * width + unit;
    by_input[k] = with_x[at], by_state[k] = with_h[at];
  }
  gru_unit(by_input, by_state, h, b_ih, b_hh, biases, sample, unit, width, saved, new_h);
}

// The gradients of a GRU's products with x and with h, a row a sample, and that of h by its direct path.
template <typename T>
__global__ void gru_slopes(const T* dh, const T* h, const float* saved, long long size, int width, T* by_input,
                           T* by_state, T* direct) {
  long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= size) return;
  const float* row = saved + at / width * 4 * width + at % width;
  long long out = at / width * 3 * width + at % width;
  float r = row[0], u = row[width], n = row[2 * width], hidden = row[3 * width], d = float(dh[at]);
  float to_u = (u - u * u) * (float(h[at]) - n) * d, past = d * u, to_n = (1 - n * n) * (d - past);
  float to_r = (r - r * r) * to_n * hidden;
  by_input[out] = by_state[out] = T(to_r);
  by_input[out + width] = by_state[out + width] = T(to_u);
  by_input[out + 2 * width] = T(to_n);
  by_state[out + 2 * width] = T(to_n * r);
  direct[at] = T(past);
}

// dz: the gradients of the four gates' products, a row a sample; dc: that of the cell before the step.
template <typename T>
__global__ void lstm_slopes(const T* dh, const T* dcell, const T* c, const float* saved, long long size, int width,
                            T* dz, T* dc) {
  long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= size) return;
  const float* row = saved + at / width * 5 * width + at % width;
  T* out = dz + at / width * 4 * width + at % width;
  float i = row[0], f = row[width], g = row[2 * width], o = row[3 * width], bent = row[4 * width], d = float(dh[at]);
  float through = (1 - bent * bent) * o * d + float(dcell[at]);  // the whole gradient of c'
  out[0] = T((i - i * i) * g * through);
  out[width] = T((f - f * f) * float(c[at]) * through);
  out[2 * width] = T((1 - g * g) * i * through);
  out[3 * width] = T((o - o * o) * bent * d);
  dc[at] = T(through * f);
}

// One unit of a plain cell, from its products. saved holds the new state before it is rounded.
template <typename T, bool RELU>
__device__ inline void plain_unit(float z, const T* b_ih, const T* b_hh, int biases, int sample, int unit, int width,
                                  float* saved, T* new_h) {
  long long at = (long long)sample * width + unit;
  if (biases) z += float(b_ih[unit]) + float(b_hh[unit]);
  float h = !RELU ? tanhf(z) : z > 0 || z != z ? z : 0.f;
  saved[at] = h;
  new_h[at] = T(h);
}

// The whole step of a plain cell.
template <typename T, bool RELU>
__global__ void plain_whole_step(const T* x, long long gap, const T* h, const T* w_ih, const T* w_hh, const T* b_ih,
                                 const T* b_hh, int biases, int samples, int width, int length, float* saved,
                                 T* new_h) {
  float z = 0;
  add_products<1>(x, gap, w_ih, samples, width, length, &z);
  add_products<1>(h, width, w_hh, samples, width, width, &z);
  int sample, unit;
  if (place_of(samples, width, &sample, &unit))
    plain_unit<T, RELU>(z, b_ih, b_hh, biases, sample, unit, width, saved, new_h);
}

// The same after products, which saved holds.
template <typename T, bool RELU>
__global__ void plain_step(const T* b_ih, const T* b_hh, int biases, int samples, int width, float* saved, T* new_h) {
  int sample, unit;
  if (place_of(samples, width, &sample, &unit))
    plain_unit<T, RELU>(saved[(long long)sample * width + unit], b_ih, b_hh, biases, sample, unit, width, saved, new_h);
}

// dz: the gradient of the products of a plain cell.
template <typename T, bool RELU>
__global__ void plain_slopes(const T* dh, const float* saved, long long size, T* dz) {
  long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= size) return;
  float h = saved[at], d = float(dh[at]);
  dz[at] = T(!RELU ? (1 - h * h) * d : h > 0 ? d : 0.f);
}
