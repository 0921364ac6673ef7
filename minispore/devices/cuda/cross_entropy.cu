// Cross entropy of softmax(z) against class numbers, its mean over the rows, and the mean's derivative by z.
// A warp takes a row. A label outside of the classes is no class: its row has no loss, and no gradient. The derivative
// is multiplied by dout, the gradient of the mean, where that is given.

template <typename T, typename L, typename O>
__global__ void mean_loss(const T* z, const L* labels, int rows, int size, float* partial, unsigned* counter, O* out) {
  int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP, warps = blockDim.x / WARP;
  float total = 0;
  for (int r = blockIdx.x * warps + warp; r < rows; r += gridDim.x * warps) {
    const T* row = z + (long long)r * size;
    float most = float(row[0]), sum = 0;
    for (int i = lane; i < size; i += WARP) most = larger(float(row[i]), most);
    most = warp_max(most);
    for (int i = lane; i < size; i += WARP) sum += expf(float(row[i]) - most);
    sum = warp_sum(sum);
    long long chosen = labels[r];
    if (lane == 0 && chosen >= 0 && chosen < size) total += logf(sum) - (float(row[chosen]) - most);
  }
  total = block_sum(total);
  if (threadIdx.x == 0) partial[blockIdx.x] = total;
  if (!is_last(counter, gridDim.x)) return;
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int b = 0; b < gridDim.x; b++) sum += ((volatile float*)partial)[b];
    out[0] = O(sum / rows);
  }
}

template <typename T, typename L, typename O>
__global__ void mean_loss_grad(const T* z, const L* labels, int rows, int size, const O* dout, T* dz) {
  int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP, warps = blockDim.x / WARP;
  float factor = dout ? float(*dout) : 1.0f;
  for (int r = blockIdx.x * warps + warp; r < rows; r += gridDim.x * warps) {
    const T* row = z + (long long)r * size;
    T* out = dz + (long long)r * size;
    float most = float(row[0]), sum = 0;
    for (int i = lane; i < size; i += WARP) most = larger(float(row[i]), most);
    most = warp_max(most);
    for (int i = lane; i < size; i += WARP) sum += expf(float(row[i]) - most);
    sum = warp_sum(sum);
    long long chosen = labels[r];
    float share = chosen >= 0 && chosen < size ? 1.0f / rows : 0.0f;
    for (int i = lane; i < size; i += WARP)
      out[i] = T((expf(float(row[i]) - most) / sum - (i == chosen)) * share * factor);
  }
}
