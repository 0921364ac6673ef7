// Streams, events, and the capture of streams into graphs.
// A stream does its work at once, so events have nothing to say but in a capture, where they fork and join streams.
#include <algorithm>

#include "driver.h"

struct Capture;
struct Stream {
  bool blocking = true;        // whether the legacy stream waits for it
  Capture* capture = nullptr;  // what its work is recorded into
  long recorded = 0;           // how much of it
  bool joined = true;          // whether the origin's later work comes after all of this
};
struct Capture {
  cudaStream_t origin;
  cudaStreamCaptureMode mode;
  bool spoilt = false;
  std::vector<Work> nodes;
};
struct Event {
  cudaStream_t stream = nullptr;
  Capture* capture = nullptr;
  long recorded = 0;
};

static std::recursive_mutex lock;
static std::map<cudaStream_t, Stream> streams;
static std::set<Capture*> captures;
typedef std::lock_guard<std::recursive_mutex> Guard;

static bool is_legacy(cudaStream_t s) { return s == nullptr || s == cudaStreamLegacy; }
static Stream* find(cudaStream_t s) {
  auto found = streams.find(s);
  return found == streams.end() ? nullptr : &found->second;
}
static Capture* capture_of(cudaStream_t s) { return find(s) ? find(s)->capture : nullptr; }
static cudaError_t spoil(Capture* capture, cudaError_t error) {
  capture->spoilt = true;
  return error;
}

// ---------------------------------------------------------------- what may be done during a capture
bool is_capturing(cudaStream_t stream) {
  Guard guard(lock);
  return capture_of(stream);
}
cudaError_t refuse(cudaStream_t stream, cudaError_t error) {
  Guard guard(lock);
  return spoil(capture_of(stream), error);
}
cudaError_t wait_for(cudaStream_t stream) {
  Guard guard(lock);
  if (auto capture = capture_of(stream)) return spoil(capture, cudaErrorStreamCaptureUnsupported);
  return is_legacy(stream) ? use_of_legacy_stream() : cudaSuccess;
}
cudaError_t wait_for_all() {
  Guard guard(lock);
  for (auto capture : captures) spoil(capture, cudaErrorStreamCaptureUnsupported);
  return captures.empty() ? cudaSuccess : cudaErrorStreamCaptureUnsupported;
}
cudaError_t unsafe_call() {
  Guard guard(lock);
  for (auto capture : captures)
    if (capture->mode != cudaStreamCaptureModeRelaxed) return spoil(capture, cudaErrorStreamCaptureUnsupported);
  return cudaSuccess;
}
cudaError_t use_of_legacy_stream() {
  Guard guard(lock);
  for (auto& [handle, stream] : streams)
    if (stream.capture && stream.blocking) return spoil(stream.capture, cudaErrorStreamCaptureImplicit);
  return cudaSuccess;
}
cudaError_t submit(cudaStream_t handle, Work work) {
  {
    Guard guard(lock);
    if (auto capture = capture_of(handle)) {
      if (capture->spoilt) return cudaErrorStreamCaptureInvalidated;
      capture->nodes.push_back(std::move(work));
      find(handle)->recorded++;
      find(handle)->joined = handle == capture->origin;
      return cudaSuccess;
    }
    if (is_legacy(handle))
      if (auto error = use_of_legacy_stream()) return error;
  }
  static const char* const KINDS[] = {"launch", "malloc", "copy", "copy", "copy", "memset",
                                      "sync", "gemm", "compile", "graph"};
  counters[work.counter]++;
  note(KINDS[work.counter], work.name.c_str(), work.size);
  work.run();
  return cudaSuccess;
}

// ---------------------------------------------------------------- streams
static cudaError_t new_stream(cudaStream_t* s, bool blocking) {
  static uintptr_t handles = 0x1000;
  Guard guard(lock);
  *s = (cudaStream_t)(handles += 16);
  streams[*s].blocking = blocking;
  return cudaSuccess;
}
EXPORT cudaError_t cudaStreamCreate(cudaStream_t* s) { return new_stream(s, true); }
EXPORT cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned flags) {
  return new_stream(s, !(flags & cudaStreamNonBlocking));
}
EXPORT cudaError_t cudaStreamCreateWithPriority(cudaStream_t* s, unsigned flags, int) {
  return cudaStreamCreateWithFlags(s, flags);
}
EXPORT cudaError_t cudaStreamDestroy(cudaStream_t s) {
  Guard guard(lock);
  streams.erase(s);
  return cudaSuccess;
}
EXPORT cudaError_t cudaStreamGetFlags(cudaStream_t s, unsigned* f) {
  *f = find(s) && !find(s)->blocking ? cudaStreamNonBlocking : cudaStreamDefault;
  return cudaSuccess;
}
EXPORT cudaError_t cudaStreamGetPriority(cudaStream_t, int* p) { *p = 0; return cudaSuccess; }
static cudaError_t waited() {
  counters[SYNC]++;
  note("sync", "-", 0);
  return cudaSuccess;
}
EXPORT cudaError_t cudaStreamSynchronize(cudaStream_t s) {
  if (auto error = wait_for(s)) return error;
  return waited();
}
EXPORT cudaError_t cudaStreamQuery(cudaStream_t s) { return wait_for(s); }
EXPORT cudaError_t cudaDeviceSynchronize() {
  if (auto error = wait_for_all()) return error;
  return waited();
}
EXPORT cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t function, void* data) {
  return submit(s, {LAUNCH, "host", 1, [=] { function(data); }});
}

// ---------------------------------------------------------------- events
EXPORT cudaError_t cudaEventCreate(cudaEvent_t* e) { *e = (cudaEvent_t) new Event; return cudaSuccess; }
EXPORT cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned) { return cudaEventCreate(e); }
EXPORT cudaError_t cudaEventDestroy(cudaEvent_t e) { delete (Event*)e; return cudaSuccess; }
EXPORT cudaError_t cudaEventElapsedTime(float* t, cudaEvent_t, cudaEvent_t) { *t = 0; return cudaSuccess; }
static Capture* captured(cudaEvent_t e) {
  Guard guard(lock);
  auto capture = ((Event*)e)->capture;
  return captures.count(capture) ? capture : nullptr;
}
EXPORT cudaError_t cudaEventQuery(cudaEvent_t e) {
  auto capture = captured(e);
  return capture ? spoil(capture, cudaErrorCapturedEvent) : unsafe_call();
}
EXPORT cudaError_t cudaEventSynchronize(cudaEvent_t e) {
  if (auto error = cudaEventQuery(e)) return error;
  return waited();
}
EXPORT cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) {
  Guard guard(lock);
  if (is_legacy(s))
    if (auto error = use_of_legacy_stream()) return error;
  *(Event*)e = {s, capture_of(s), find(s) ? find(s)->recorded : 0};
  return cudaSuccess;
}
// In a capture a stream that waits for another is forked from it, or joins it again.
EXPORT cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned) {
  Guard guard(lock);
  auto theirs = captured(e), ours = capture_of(s);
  if (!theirs) return ours && ((Event*)e)->stream ? spoil(ours, cudaErrorStreamCaptureIsolation) : cudaSuccess;
  if (is_legacy(s)) return spoil(theirs, cudaErrorStreamCaptureImplicit);
  if (!ours) {
    auto& stream = streams[s];
    stream.capture = theirs;
    stream.recorded = 0;
    stream.joined = false;
  } else if (auto other = find(((Event*)e)->stream)) {
    other->joined |= other->recorded == ((Event*)e)->recorded;
    find(s)->joined &= s == theirs->origin;
  }
  return cudaSuccess;
}

// ---------------------------------------------------------------- capture
EXPORT cudaError_t cudaStreamBeginCapture(cudaStream_t s, cudaStreamCaptureMode mode) {
  Guard guard(lock);
  auto stream = find(s);
  if (!stream) return cudaErrorStreamCaptureUnsupported;  // the legacy stream
  if (stream->capture) return cudaErrorIllegalState;
  captures.insert(stream->capture = new Capture{s, mode});
  return cudaSuccess;
}
EXPORT cudaError_t cudaStreamIsCapturing(cudaStream_t s, cudaStreamCaptureStatus* status) {
  Guard guard(lock);
  auto capture = capture_of(s);
  *status = !capture ? cudaStreamCaptureStatusNone
            : capture->spoilt ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
  return is_legacy(s) ? use_of_legacy_stream() : cudaSuccess;
}
EXPORT cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t* graph) {
  Guard guard(lock);
  *graph = nullptr;
  auto capture = capture_of(s);
  if (!capture) return cudaErrorIllegalState;
  if (capture->origin != s) return spoil(capture, cudaErrorStreamCaptureUnmatched);
  bool joined = true;
  for (auto& [handle, stream] : streams)
    if (stream.capture == capture) {
      joined &= handle == s || stream.joined;
      stream.capture = nullptr;
    }
  bool spoilt = capture->spoilt;
  if (!spoilt && joined) *graph = (cudaGraph_t) new std::vector<Work>(std::move(capture->nodes));
  captures.erase(capture);
  delete capture;
  return spoilt ? cudaErrorStreamCaptureInvalidated : joined ? cudaSuccess : cudaErrorStreamCaptureUnjoined;
}

// ---------------------------------------------------------------- graphs: the recorded work in the order it came
typedef std::vector<Work> Nodes;
static cudaError_t copied(cudaGraphExec_t* to, cudaGraph_t graph) {
  *to = (cudaGraphExec_t) new Nodes(*(Nodes*)graph);
  return cudaSuccess;
}
#undef cudaGraphInstantiate
#if CUDART_VERSION >= 12000
EXPORT cudaError_t cudaGraphInstantiate(cudaGraphExec_t* to, cudaGraph_t graph, unsigned long long) {
  return copied(to, graph);
}
#endif
EXPORT cudaError_t cudaGraphDestroy(cudaGraph_t graph) { delete (Nodes*)graph; return cudaSuccess; }
EXPORT cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) { delete (Nodes*)graph; return cudaSuccess; }
EXPORT cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t s) { return wait_for(s); }
EXPORT cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t s) {
  auto& nodes = *(Nodes*)graph;
  auto play = [&nodes] {
    counters[NODE] += nodes.size();
    if (!dry) for (auto& node : nodes) node.run();
  };
  return submit(s, {GRAPH, "-", (long)nodes.size(), play});
}
EXPORT cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned) {
  FILE* file = fopen(path, "w");
  if (!file) return cudaErrorInvalidValue;
  auto& nodes = *(Nodes*)graph;
  fprintf(file, "digraph {\n");
  for (size_t i = 0; i < nodes.size(); i++) {
    fprintf(file, "  n%zu [label=\"%s %ld\"];\n", i, nodes[i].name.c_str(), nodes[i].size);
    if (i) fprintf(file, "  n%zu -> n%zu;\n", i - 1, i);
  }
  fprintf(file, "}\n");
  fclose(file);
  return cudaSuccess;
}
