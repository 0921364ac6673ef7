// The gradient of the weight of a convolution of groups. A block computes one number,
//   dw[o, c, v, u] = sum over images and pixels of slopes[image, o, pixel] * x[image, c of o's group, place of the tap].

template <typename T>
__global__ void conv2d_groups_weight_grad(const T* slopes, const T* x, int images, int taken, int made, int h, int w, int oh,
                                          int ow, int kh, int kw, int sy, int sx, int dy, int dx, int top, int left,
                                          int group, T* dw) {
  const int u = blockIdx.x % kw, v = blockIdx.x / kw % kh;
  const int c = blockIdx.x / kw / kh % taken, o = blockIdx.x / kw / kh / taken;
  const int pixels = oh * ow, channel = o / made * taken + c;
  float sum = 0;
  for (int i = threadIdx.x; i < images * pixels; i += blockDim.x) {
    int image = i / pixels, pixel = i % pixels;
    int row = pixel / ow * sy + v * dy - top, column = pixel % ow * sx + u * dx - left;
    if (row < 0 || row >= h || column < 0 || column >= w) continue;
    sum += float(slopes[(image * made * group + o) * pixels + pixel])
        * float(x[((image * taken * group + channel) * h + row) * w + column]);
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) dw[blockIdx.x] = T(sum);
}
