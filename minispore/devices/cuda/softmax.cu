// Softmax along the last axis and its gradient: a block a row. Sums and powers are float32's.

template <typename T>
__global__ void softmax(const T* x, long long size, T* y) {
  const T* row = x + blockIdx.x * size;
  T* out = y + blockIdx.x * size;
  float most = float(row[0]), sum = 0;
  for (long long i = threadIdx.x; i < size; i += blockDim.x) most = larger(float(row[i]), most);
  most = block_max(most);
  for (long long i = threadIdx.x; i < size; i += blockDim.x) sum += expf(float(row[i]) - most);
  sum = block_sum(sum);
  for (long long i = threadIdx.x; i < size; i += blockDim.x) out[i] = T(expf(float(row[i]) - most) / sum);
}

// dx = y * (dy - sum(dy * y) / sum(y))
template <typename T>
__global__ void softmax_grad(const T* dy, const T* y, long long size, T* dx) {
  const T *drow = dy + blockIdx.x * size, *row = y + blockIdx.x * size;
  T* out = dx + blockIdx.x * size;
  float products = 0, sum = 0;
  for (long long i = threadIdx.x; i < size; i += blockDim.x) {
    products += float(drow[i]) * float(row[i]);
    sum += float(row[i]);
  }
  products = block_sum(products);
  float mean = products / block_sum(sum);
  for (long long i = threadIdx.x; i < size; i += blockDim.x) out[i] = T((float(drow[i]) - mean) * float(row[i]));
}
