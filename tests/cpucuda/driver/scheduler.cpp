// The threads of a kernel: one after another, or, where they wait for one another, as fibers.
// A warp and a block wait apart, as on a GPU; a block runs to its end before the next begins.
#include <immintrin.h>

#include <algorithm>
#include <numeric>

#include "driver.h"

struct Shared {  // with the compiled kernels: prelude.h has the same
  unsigned thread[3], block[3], block_size[3], grid_size[3];
  void (*yield_)(int);           // AT_WARP or AT_BLOCK
  char* dynamic_shared;
  unsigned long long* exchange;  // one slot a thread, for shuffles
};
static char dynamic_shared[256 << 10];
static unsigned long long exchange[1024];
static void yield_(int until);
static Shared shared = {{}, {}, {}, {}, yield_, dynamic_shared, exchange};
Shared* shared_with_kernels() { return &shared; }

enum State { RUNNABLE, AT_WARP, AT_BLOCK, DONE };
struct Fiber { void* stack_pointer; int state; char* stack; };
static std::vector<Fiber> fibers;
static void* scheduler_stack_pointer;
static size_t current;
static const Kernel* running;
static void** arguments;

// Save the registers that a call keeps, and the stack pointer; go on where the other left off.
extern "C" void cpucuda_switch(void** save, void* to);
asm(R"(
.globl cpucuda_switch
.type cpucuda_switch,@function
cpucuda_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
)");
static void leave(int state) {
  fibers[current].state = state;
  cpucuda_switch(&fibers[current].stack_pointer, scheduler_stack_pointer);
}
static void yield_(int until) { leave(until); }
static void enter() {
  running->launch(arguments);
  leave(DONE);
}
static void place(size_t thread) {
  shared.thread[0] = thread % shared.block_size[0];
  shared.thread[1] = thread / shared.block_size[0] % shared.block_size[1];
  shared.thread[2] = thread / shared.block_size[0] / shared.block_size[1];
}

static void prepare(size_t threads) {
  const size_t STACK = 64 << 10;
  while (fibers.size() < threads) fibers.push_back({nullptr, DONE, (char*)aligned_alloc(64, STACK)});
  for (size_t t = 0; t < threads; t++) {
    void** top = (void**)(fibers[t].stack + STACK - 64);
    *--top = nullptr;
    *--top = (void*)enter;
    for (int i = 0; i < 6; i++) *--top = nullptr;  // the registers that cpucuda_switch takes up
    fibers[t].stack_pointer = top;
    fibers[t].state = RUNNABLE;
  }
}
// Run a warp until all of its threads are done or wait for the block; false if all are done.
static bool run_warp(size_t first, size_t end) {
  for (;;) {
    bool ran = false, released = false, left = false;
    for (size_t t = first; t < end; t++) {
      if (fibers[t].state != RUNNABLE) continue;
      current = t;
      place(t);
      cpucuda_switch(&scheduler_stack_pointer, fibers[t].stack_pointer);
      ran = true;
    }
    if (ran) continue;
    for (size_t t = first; t < end; t++) {
      left |= fibers[t].state != DONE;
      if (fibers[t].state == AT_WARP) { fibers[t].state = RUNNABLE; released = true; }
    }
    if (!released) return left;
  }
}
// With CPUCUDA_ORDER every order is drawn; 0 where none is.
static unsigned long long drawn() {
  static const char* given = getenv("CPUCUDA_ORDER");
  static unsigned long long seed = given ? strtoull(given, nullptr, 10) * 2 + 1 : 0;
  if (given) seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  return seed;
}
// The order of a block's warps: 0, 1, 2, ... or from a drawn one on, up or down.
static std::vector<size_t> order_of(size_t warps) {
  unsigned long long draw = drawn();
  size_t start = (draw >> 33) % warps;
  bool down = draw >> 32 & 1;
  std::vector<size_t> order(warps);
  for (size_t i = 0; i < warps; i++) order[i] = (down ? start + warps - i : start + i) % warps;
  return order;
}
// The order of a grid's blocks: 0, 1, 2, ... or from a drawn one on, by steps that come to each of them once.
struct Blocks {
  size_t count, start, step = 1;
  explicit Blocks(size_t count) : count(count) {
    unsigned long long draw = drawn();
    start = (draw >> 33) % count;
    if (draw) step = (draw >> 12) % count + 1;
    while (std::gcd(step, count) != 1) step++;
  }
  size_t operator[](size_t k) const { return (start + k * step) % count; }
};
static void run_block(size_t threads) {
  prepare(threads);
  for (bool left = true; left;) {
    left = false;
    for (size_t warp : order_of((threads + 31) / 32)) left |= run_warp(warp * 32, std::min(threads, warp * 32 + 32));
    for (size_t t = 0; t < threads; t++)
      if (fibers[t].state == AT_BLOCK) fibers[t].state = RUNNABLE;
  }
}

struct Flushing {  // float32 subnormals are zeros, as with -ftz=true
  unsigned before = _mm_getcsr();
  Flushing(bool on) { if (on) _mm_setcsr(before | 0x8040); }
  ~Flushing() { _mm_setcsr(before); }
};
static void set(unsigned* to, Shape s) { to[0] = s.x; to[1] = s.y; to[2] = s.z; }
static void run_grid(const Kernel& kernel, Shape grid, size_t threads) {
  Blocks blocks(grid.size());
  for (size_t k = 0; k < blocks.count; k++) {
    size_t block = blocks[k];
    set(shared.block, {unsigned(block % grid.x), unsigned(block / grid.x % grid.y), unsigned(block / grid.x / grid.y)});
    if ((kernel.how & 3) == AS_FIBERS) { run_block(threads); continue; }
    for (size_t t = 0; t < threads; t++) { place(t); kernel.launch(arguments); }
  }
}
void run_kernel(const Kernel& kernel, Shape grid, Shape block, void** with) {
  static std::recursive_mutex one_kernel;
  std::lock_guard<std::recursive_mutex> guard(one_kernel);
  static const bool keep = getenv("CPUCUDA_NO_FTZ");
  Flushing flushing((kernel.how & FLUSHES) && !keep);
  running = &kernel;
  arguments = with;
  // In a grid-stride loop one thread does the work of all.
  bool alone = (kernel.how & 3) == GRID_STRIDE && grid.y == 1 && grid.z == 1 && block.y == 1 && block.z == 1;
  if (alone) grid = block = {1, 1, 1};
  set(shared.grid_size, grid);
  set(shared.block_size, block);
  run_grid(kernel, grid, block.size());
}
