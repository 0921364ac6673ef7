// Recurrent networks over all steps of a sequence. T is the type of what comes in and goes out, A that of sums, gates
// and states: float, or double. A thread takes one unit of one sample. A Cell says what one step does to it: GATES is
// how many rows of the weights a unit has; CELL, whether there is a second state; SAVES, whether the open gates are
// kept; SPLIT, whether the gates' gradients by the input and by the state differ.

__device__ inline float tanh_of(float x) { return tanhf(x); }
__device__ inline double tanh_of(double x) { return tanh(x); }

template <typename A>
__device__ inline A sigmoid(A x) {
  return tanh_of(A(0.5) * x) * A(0.5) + A(0.5);
}

// The second state of an LSTM, and the state's part of a GRU's n, are called `other`.
struct Lstm {
  static const int GATES = 4;
  static const bool CELL = true, SAVES = true, SPLIT = false;

  // The new state from the gates' parts by the input, z, and by the state, j.
  template <typename A>
  static __device__ A step(const A* z, const A* j, A h, A* other, A* open) {
    for (int k = 0; k < 4; k++) open[k] = k == 2 ? tanh_of(z[k] + j[k]) : sigmoid(z[k] + j[k]);
    *other = open[1] * *other + open[0] * open[2];
    return open[3] * tanh_of(*other);
  }

  // From d, the gradient of the new state, those by the gates' parts: z, and j where they differ. What goes past the
  // gates to the old state is returned; `after`, the gradient of the second state, becomes that of the old one.
  template <typename A>
  static __device__ A back(A d, A* after, const A* open, A other, A before, A, A, A* z, A*) {
    A i = open[0], f = open[1], g = open[2], o = open[3], bent = tanh_of(other);
    A through = *after + d * o * (1 - bent * bent);
    z[0] = (i - i * i) * g * through;
    z[1] = (f - f * f) * before * through;
    z[2] = (1 - g * g) * i * through;
    z[3] = (o - o * o) * bent * d;
    *after = through * f;
    return 0;
  }
};

struct Gru {
  static const int GATES = 3;
  static const bool CELL = false, SAVES = true, SPLIT = true;

  template <typename A>
  static __device__ A step(const A* z, const A* j, A h, A* other, A* open) {
    open[0] = sigmoid(z[0] + j[0]);
    open[1] = sigmoid(z[1] + j[1]);
    open[2] = tanh_of(z[2] + open[0] * j[2]);
    *other = j[2];
    return open[2] + open[1] * (h - open[2]);
  }

  template <typename A>
  static __device__ A back(A d, A*, const A* open, A other, A, A past, A, A* z, A* j) {
    A r = open[0], u = open[1], n = open[2];
    j[1] = z[1] = (past - n) * (u - u * u) * d;
    z[2] = (1 - u) * (1 - n * n) * d;
    j[0] = z[0] = z[2] * other * (r - r * r);
    j[2] = z[2] * r;
    return d * u;
  }
};

struct Tanh {
  static const int GATES = 1;
  static const bool CELL = false, SAVES = false, SPLIT = false;

  template <typename A>
  static __device__ A step(const A* z, const A* j, A, A*, A*) {
    return tanh_of(z[0] + j[0]);
  }

  template <typename A>
  static __device__ A back(A d, A*, const A*, A, A, A, A y, A* z, A*) {
    z[0] = (1 - y * y) * d;
    return 0;
  }
};

struct Relu {
  static const int GATES = 1;
  static const bool CELL = false, SAVES = false, SPLIT = false;

  template <typename A>
  static __device__ A step(const A* z, const A* j, A, A*, A*) {
    A sum = z[0] + j[0];
    return sum > 0 || sum != sum ? sum : A(0);
  }

  template <typename A>
  static __device__ A back(A d, A*, const A*, A, A, A, A y, A* z, A*) {
    z[0] = y > 0 ? d : A(0);
    return 0;
  }
};

// Where the numbers of one unit of one sample lie in arrays (T, N, H) and (T, N, GATES * H).
struct Place {
  int sample, unit, width;
  long long units;  // samples * width, the numbers of a step
  __device__ long long of_state() const { return (long long)sample * width + unit; }
  __device__ long long of(int t) const { return t * units + of_state(); }
  __device__ long long of_gate(int t, int gates, int k) const {
    return (t * units + (long long)sample * width) * gates + (long long)k * width + unit;
  }
};

// One unit's step t: from its old states, which it replaces, and j, the products of the state with its gates' weights.
template <typename Cell, typename T, typename A>
__device__ inline void advance(Place at, int t, bool alive, const T* z, const T* bias, A* j, A* h, A* c, A* gates,
                               A* others, T* y) {
  A parts[Cell::GATES], open[4], other = *c;
  for (int k = 0; k < Cell::GATES; k++) {
    parts[k] = A(z[at.of_gate(t, Cell::GATES, k)]);
    if (bias) j[k] += A(bias[k * at.width + at.unit]);
  }
  A next = Cell::step(parts, j, *h, &other, open);
  if (alive) {
    *h = next;
    if (Cell::CELL) *c = other;
  }
  y[at.of(t)] = alive ? T(next) : T(A(0));
  if (!Cell::SAVES) return;
  for (int k = 0; k < Cell::GATES; k++) gates[at.of_gate(t, Cell::GATES, k)] = open[k];
  others[at.of(t)] = Cell::CELL ? *c : other;
}

// All steps of samples that fit a block of THREADS threads, one for each unit: `turned` is the weights' transpose.
#define THREADS 256

template <typename Cell, typename T, typename A, typename L>
__global__ void whole_sequence(const T* z, const T* first_h, const T* first_c, const T* turned, const T* bias,
                               const L* lengths, int steps, int samples, int width, int reverse, A* gates, A* others,
                               T* y, T* last_h, T* last_c) {
  __shared__ A states[2][THREADS];
  int each = THREADS / width, mine = threadIdx.x / width;
  Place at = {(int)blockIdx.x * each + mine, (int)threadIdx.x % width, width, (long long)samples * width};
  bool works = mine < each && at.sample < samples;
  A h = works ? A(first_h[at.of_state()]) : A(0), c = works && Cell::CELL ? A(first_c[at.of_state()]) : A(0);
  long long length = works && lengths ? lengths[at.sample] : steps;
  for (int s = 0; s < steps; s++) {
    int t = reverse ? steps - 1 - s : s;
    A* state = states[s % 2];  // the other one may still be read
    state[threadIdx.x] = h;
    __syncthreads();
    if (!works) continue;
    A j[Cell::GATES];
    for (int k = 0; k < Cell::GATES; k++) j[k] = 0;
    const T* column = turned + at.unit;
    for (int i = 0; i < width; i++)
      for (int k = 0; k < Cell::GATES; k++, column += width) j[k] += state[mine * width + i] * A(*column);
    advance<Cell>(at, t, t < length, z, bias, j, &h, &c, gates, others, y);
  }
  if (!works) return;
  last_h[at.of_state()] = T(h);
  if (Cell::CELL) last_c[at.of_state()] = T(c);
}

// One step after a product: `products` (N, GATES * H) are those of the state; h and c are replaced.
template <typename Cell, typename T, typename A, typename L>
__global__ void sequence_step(const T* z, const A* products, const T* bias, const L* lengths, int t, int samples,
                              int width, A* h, A* c, A* gates, A* others, T* y) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x, units = (long long)samples * width;
  if (i >= units) return;
  Place at = {(int)(i / width), (int)(i % width), width, units};
  A j[Cell::GATES], none = 0;
  for (int k = 0; k < Cell::GATES; k++) j[k] = products[at.of_gate(0, Cell::GATES, k)];
  bool alive = !lengths || t < lengths[at.sample];
  advance<Cell>(at, t, alive, z, bias, j, h + i, Cell::CELL ? c + i : &none, gates, others, y);
}

// One unit's step t backwards. d and after, the gradients of the new states, become those of the old ones, but for what
// comes by the product of the weights with j, the gradients by the gates' parts.
template <typename Cell, typename T, typename A>
__device__ inline void retreat(Place at, int t, bool begins, bool alive, bool alive_before, int before, const T* dy,
                               const T* first_h, const T* first_c, const T* y, const A* gates, const A* others, A* d,
                               A* after, A* j, T* dz, T* dj, T* past) {
  long long state = at.of_state(), now = at.of(t);
  T old_h = begins || !alive_before ? first_h[state] : y[at.of(before)];
  past[now] = old_h;
  A open[4], z[Cell::GATES], other = 0, old_c = 0;
  for (int k = 0; k < Cell::GATES; k++) z[k] = j[k] = 0;
  if (alive) {
    if (Cell::SAVES) {
      for (int k = 0; k < Cell::GATES; k++) open[k] = gates[at.of_gate(t, Cell::GATES, k)];
      other = others[now];
    }
    if (Cell::CELL) old_c = begins ? A(first_c[state]) : others[at.of(before)];
    *d = Cell::back(*d + A(dy[now]), after, open, other, old_c, A(old_h), A(y[now]), z, j);
  }
  for (int k = 0; k < Cell::GATES; k++) {
    if (!Cell::SPLIT) j[k] = z[k];
    dz[at.of_gate(t, Cell::GATES, k)] = T(z[k]);
    if (Cell::SPLIT) dj[at.of_gate(t, Cell::GATES, k)] = T(j[k]);  // else the same array
  }
}

// The gradients of all steps, of the samples of a block, from those of y and of the last states.
template <typename Cell, typename T, typename A, typename L>
__global__ void whole_sequence_back(const T* dy, const T* dh, const T* dc, const T* first_h, const T* first_c,
                                    const T* weights, const L* lengths, const T* y, const A* gates, const A* others,
                                    int steps, int samples, int width, int reverse, T* dz, T* dj, T* past, T* first_dh,
                                    T* first_dc) {
  __shared__ A rows[2][Cell::GATES][THREADS];
  int each = THREADS / width, mine = threadIdx.x / width;
  Place at = {(int)blockIdx.x * each + mine, (int)threadIdx.x % width, width, (long long)samples * width};
  bool works = mine < each && at.sample < samples;
  A d = works ? A(dh[at.of_state()]) : A(0), after = works && Cell::CELL ? A(dc[at.of_state()]) : A(0);
  long long length = works && lengths ? lengths[at.sample] : steps;
  for (int s = steps - 1; s >= 0; s--) {
    int t = reverse ? steps - 1 - s : s, before = reverse ? t + 1 : t - 1;
    A j[Cell::GATES];
    if (works)
      retreat<Cell>(at, t, s == 0, t < length, before < length, before, dy, first_h, first_c, y, gates, others, &d,
                    &after, j, dz, dj, past);
    for (int k = 0; k < Cell::GATES; k++) rows[s % 2][k][threadIdx.x] = works ? j[k] : A(0);
    __syncthreads();
    if (!works) continue;
    const T* row = weights + at.unit;
    for (int k = 0; k < Cell::GATES; k++)
      for (int i = 0; i < width; i++, row += width) d += rows[s % 2][k][mine * width + i] * A(*row);
  }
  if (!works) return;
  first_dh[at.of_state()] = T(d);
  if (Cell::CELL) first_dc[at.of_state()] = T(after);
}

// One step backwards before a product: the gradient of h gets what comes past the gates, to which the product of
// `by_state` (N, GATES * H) adds.
template <typename Cell, typename T, typename A, typename L>
__global__ void sequence_step_back(const T* dy, const T* first_h, const T* first_c, const L* lengths, const T* y,
                                   const A* gates, const A* others, int t, int before, int begins, int samples,
                                   int width, A* dh, A* dc, A* by_state, T* dz, T* dj, T* past) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x, units = (long long)samples * width;
  if (i >= units) return;
  Place at = {(int)(i / width), (int)(i % width), width, units};
  A j[Cell::GATES], none = 0;
  bool alive = !lengths || t < lengths[at.sample], alive_before = !lengths || before < lengths[at.sample];
  retreat<Cell>(at, t, begins, alive, alive_before, before, dy, first_h, first_c, y, gates, others, dh + i,
                Cell::CELL ? dc + i : &none, j, dz, dj, past);
  for (int k = 0; k < Cell::GATES; k++) by_state[at.of_gate(0, Cell::GATES, k)] = j[k];
}
