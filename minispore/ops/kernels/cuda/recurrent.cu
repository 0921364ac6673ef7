// The pointwise part of a recurrent cell's step, and of its gradient. A thread takes one unit of one sample.

__device__ inline float sigmoid(float z) { return 0.5f * tanhf(0.5f * z) + 0.5f; }

// saved holds, a row a sample, the products of the gates i, f, g, o, which are opened in place, and room for tanh(c').
template <typename T>
__global__ void lstm_step(const T* c, const T* b_ih, const T* b_hh, int biases, long long size, int width, float* saved,
                          T* new_h, T* new_c) {
  long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= size) return;
  int unit = at % width;
  float* row = saved + at / width * 5 * width + unit;
  float gates[4];
  for (int k = 0; k < 4; k++) {
    float z = row[k * width];
    if (biases) z += float(b_ih[k * width + unit]) + float(b_hh[k * width + unit]);
    gates[k] = row[k * width] = k == 2 ? tanhf(z) : sigmoid(z);
  }
  float cell = gates[1] * float(c[at]) + gates[0] * gates[2], bent = tanhf(cell);
  row[4 * width] = bent;
  new_c[at] = T(cell);
  new_h[at] = T(gates[3] * bent);
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
