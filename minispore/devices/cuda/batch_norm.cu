// Batch normalization of x (N, C, pixels) in training, its application, and its gradient.
// The sums of a channel are shared by gridDim.x blocks, a slice of its numbers each; the block that ends last adds the
// slices in their order. Statistics of slices are merged as Chan, Golub and LeVeque (1983) do, so that a mean far larger
// than the deviation costs no digits.

// The place in x of the q-th number of channel c.
__device__ inline long long place(long long q, int c, int channels, int pixels) {
  return (q / pixels * channels + c) * pixels + q % pixels;
}

template <typename T>
__global__ void statistics(const T* x, const float* moving_mean, const float* moving_var, float momentum, int channels,
                           int pixels, long long count, double* partial, unsigned* counters, float* mean, float* var,
                           float* mean_again, float* var_again, float* new_mean, float* new_var) {
  int c = blockIdx.y, slices = gridDim.x;
  long long step = (count + slices - 1) / slices, begin = blockIdx.x * step, end = min(begin + step, count);
  float sum = 0, rest = 0, squares = 0, size = end - begin;
  for (long long q = begin + threadIdx.x; q < end; q += blockDim.x) sum += float(x[place(q, c, channels, pixels)]);
  float centre = block_sum(sum) / size;
  for (long long q = begin + threadIdx.x; q < end; q += blockDim.x) {
    float d = float(x[place(q, c, channels, pixels)]) - centre;
    rest += d;
    squares += d * d;
  }
  rest = block_sum(rest);
  squares = block_sum(squares);
  if (threadIdx.x == 0) {
    partial[2 * (c * slices + blockIdx.x)] = (double)centre + rest / size;
    partial[2 * (c * slices + blockIdx.x) + 1] = squares - (double)rest * rest / size;
  }
  if (!is_last(counters + c, slices)) return;
  if (threadIdx.x == 0) {
    volatile double* part = partial + 2 * (long long)c * slices;
    double m = part[0], v = part[1], seen = min(step, count);
    for (int s = 1; s < slices; s++) {
      double more = min((s + 1) * step, count) - s * step, d = part[2 * s] - m;
      m += d * more / (seen + more);
      v += part[2 * s + 1] + d * d * seen * more / (seen + more);
      seen += more;
    }
    float biased = v / count, unbiased = v / (count > 1 ? count - 1 : 1);
    mean[c] = mean_again[c] = m;
    var[c] = var_again[c] = biased;
    new_mean[c] = moving_mean[c] * (1 - momentum) + (float)m * momentum;
    new_var[c] = moving_var[c] * (1 - momentum) + unbiased * momentum;
  }
}

template <typename T>
__global__ void normalize(const T* x, const float* scale, const float* bias, const float* mean, const float* var, float eps,
                          int channels, int pixels, long long total, T* y) {
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < total; i += (long long)gridDim.x * blockDim.x) {
    int c = i / pixels % channels;
    y[i] = T((float(x[i]) - mean[c]) * (scale[c] / sqrtf(var[c] + eps)) + bias[c]);
  }
}

template <typename T>
__global__ void grad_sums(const T* dy, const T* x, const float* mean, const float* var, float eps, int channels, int pixels,
                          long long count, float* partial, unsigned* counters, float* dscale, float* dbias) {
  int c = blockIdx.y, slices = gridDim.x;
  long long step = (count + slices - 1) / slices, begin = blockIdx.x * step, end = min(begin + step, count);
  float m = mean[c], sum = 0, products = 0;
  for (long long q = begin + threadIdx.x; q < end; q += blockDim.x) {
    long long i = place(q, c, channels, pixels);
    float g = float(dy[i]);
    sum += g;
    products += g * (float(x[i]) - m);
  }
  sum = block_sum(sum);
  products = block_sum(products);
  if (threadIdx.x == 0) {
    partial[2 * (c * slices + blockIdx.x)] = sum;
    partial[2 * (c * slices + blockIdx.x) + 1] = products;
  }
  if (!is_last(counters + c, slices)) return;
  if (threadIdx.x == 0) {
    volatile float* part = partial + 2 * (long long)c * slices;
    sum = products = 0;
    for (int s = 0; s < slices; s++) {
      sum += part[2 * s];
      products += part[2 * s + 1];
    }
    dbias[c] = sum;
    dscale[c] = products / sqrtf(var[c] + eps);
  }
}

// dx = scale * rstd * (dy - dbias / count - (x - mean) * rstd * dscale / count)
template <typename T>
__global__ void normalize_grad(const T* dy, const T* x, const float* scale, const float* mean, const float* var, float eps,
                               const float* dscale, const float* dbias, int channels, int pixels, long long count,
                               long long total, T* dx) {
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < total; i += (long long)gridDim.x * blockDim.x) {
    int c = i / pixels % channels;
    float rstd = 1 / sqrtf(var[c] + eps), a = scale[c] * rstd, b = -a * rstd * dscale[c] / count, k = a * dbias[c] / count;
    dx[i] = T(float(dy[i]) * a + (float(x[i]) - mean[c]) * b - k);
  }
}
