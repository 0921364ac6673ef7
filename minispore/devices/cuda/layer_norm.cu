// Layer normalization and its gradient, of type T with weights of type W, and output of type Y. A block takes a row; the weights' gradients are
// sums over the rows, a warp's width of columns a block. The mean is taken first, then the squares about it, so that a
// large mean costs no digits.

template <typename T, typename W, typename Y>
__global__ void layer_norm(const T* x, const W* gamma, const W* beta, float eps, int size, Y* y, float* mean, float* var) {
  const T* row = x + (long long)blockIdx.x * size;
  Y* out = y + (long long)blockIdx.x * size;
  float sum = 0, rest = 0, squares = 0;
  for (int i = threadIdx.x; i < size; i += blockDim.x) sum += float(row[i]);
  float centre = block_sum(sum) / size;
  for (int i = threadIdx.x; i < size; i += blockDim.x) {
    float d = float(row[i]) - centre;
    rest += d;
    squares += d * d;
  }
  rest = block_sum(rest) / size;
  float v = block_sum(squares) / size - rest * rest, rstd = 1 / sqrtf(v + eps);
  for (int i = threadIdx.x; i < size; i += blockDim.x)
    out[i] = Y((float(row[i]) - centre - rest) * rstd * float(gamma[i]) + float(beta[i]));
  if (threadIdx.x == 0) {
    mean[blockIdx.x] = centre + rest;
    var[blockIdx.x] = v;
  }
}

template <typename T, typename W>
__global__ void layer_norm_grad(const T* dy, const T* x, const W* gamma, const float* mean, const float* var, float eps,
                                int size, T* dx) {
  long long base = (long long)blockIdx.x * size;
  float m = mean[blockIdx.x], rstd = 1 / sqrtf(var[blockIdx.x] + eps), sum = 0, products = 0;
  for (int i = threadIdx.x; i < size; i += blockDim.x) {
    float g = float(dy[base + i]) * float(gamma[i]);
    sum += g;
    products += g * (float(x[base + i]) - m) * rstd;
  }
  sum = block_sum(sum) / size;
  products = block_sum(products) / size;
  for (int i = threadIdx.x; i < size; i += blockDim.x) {
    float n = (float(x[base + i]) - m) * rstd;
    dx[base + i] = T((float(dy[base + i]) * float(gamma[i]) - sum - n * products) * rstd);
  }
}

// dgamma = sum over the rows of dy * n, dbeta = sum of dy. Blocks: columns / 32 times slices of the rows; threads: 32 x 8.
template <typename T, typename W>
__global__ void layer_norm_grad_weights(const T* dy, const T* x, const float* mean, const float* var, float eps, int rows,
                                        int size, float* partial, unsigned* counters, W* dgamma, W* dbeta) {
  __shared__ float products[8][WARP], sums[8][WARP];
  int lane = threadIdx.x % WARP, group = threadIdx.x / WARP, column = blockIdx.x * WARP + lane, slices = gridDim.y;
  float product = 0, sum = 0;
  if (column < size)
    for (int r = blockIdx.y * 8 + group; r < rows; r += slices * 8) {
      float g = float(dy[(long long)r * size + column]);
      sum += g;
      product += g * (float(x[(long long)r * size + column]) - mean[r]) / sqrtf(var[r] + eps);
    }
  products[group][lane] = product;
  sums[group][lane] = sum;
  __syncthreads();
  if (group == 0 && column < size) {
    product = sum = 0;
    for (int g = 0; g < 8; g++) {
      product += products[g][lane];
      sum += sums[g][lane];
    }
    partial[(2 * blockIdx.y) * size + column] = product;
    partial[(2 * blockIdx.y + 1) * size + column] = sum;
  }
  if (!is_last(counters + blockIdx.x, slices)) return;
  if (group == 0 && column < size) {
    product = sum = 0;
    for (int s = 0; s < slices; s++) {
      product += ((volatile float*)partial)[(2 * s) * size + column];
      sum += ((volatile float*)partial)[(2 * s + 1) * size + column];
    }
    dgamma[column] = W(product);
    dbeta[column] = W(sum);
  }
}
