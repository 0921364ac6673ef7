// NCCL for a world of one process: what comes out is what went in. Device memory is host memory here, and work outside
// of a capture is done at once; that is all that minispore asks of it.
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {
enum { SUCCESS = 0, INVALID_ARGUMENT = 4, INVALID_USAGE = 5 };
const size_t SIZES[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};  // int8 uint8 int32 uint32 int64 uint64 float16 32 64 bfloat16
const int TYPES = sizeof SIZES / sizeof *SIZES;
struct Communicator { int aborted; };

int moved(const void* from, void* to, size_t count, int type, Communicator* c, int root = 0) {
    if (c == nullptr || c->aborted) return INVALID_USAGE;
    if (type < 0 || type >= TYPES || root != 0) return INVALID_ARGUMENT;
    if (from != to) memcpy(to, from, count * SIZES[type]);
    return SUCCESS;
}
}  // namespace

extern "C" {
struct ncclUniqueId { char internal[128]; };

int ncclGetVersion(int* version) { *version = 22304; return SUCCESS; }
int ncclGetUniqueId(ncclUniqueId* id) { memset(id, 7, sizeof *id); return SUCCESS; }
const char* ncclGetErrorString(int status) { return status ? "refused by the CPU's NCCL" : "no error"; }

int ncclCommInitRankConfig(Communicator** c, int count, ncclUniqueId id, int rank, void*) {
    for (char byte : id.internal) if (byte != 7) return INVALID_ARGUMENT;
    if (count != 1 || rank != 0) return INVALID_ARGUMENT;
    *c = new Communicator{0};
    return SUCCESS;
}
int ncclCommDestroy(Communicator* c) { delete c; return SUCCESS; }
int ncclCommAbort(Communicator* c) { c->aborted = 1; return SUCCESS; }
int ncclCommCount(Communicator*, int* count) { *count = 1; return SUCCESS; }
int ncclCommUserRank(Communicator*, int* rank) { *rank = 0; return SUCCESS; }
int ncclCommCuDevice(Communicator*, int* device) { *device = 0; return SUCCESS; }
int ncclCommGetAsyncError(Communicator*, int* status) { *status = SUCCESS; return SUCCESS; }
int ncclAllReduce(const void* x, void* y, size_t n, int type, int op, Communicator* c, void*) {
    return op < 0 || op > 4 ? INVALID_ARGUMENT : moved(x, y, n, type, c);
}
int ncclReduceScatter(const void* x, void* y, size_t n, int type, int op, Communicator* c, void*) {
    return op < 0 || op > 4 ? INVALID_ARGUMENT : moved(x, y, n, type, c);
}
int ncclAllGather(const void* x, void* y, size_t n, int type, Communicator* c, void*) { return moved(x, y, n, type, c); }
int ncclBroadcast(const void* x, void* y, size_t n, int type, int root, Communicator* c, void*) {
    return moved(x, y, n, type, c, root);
}
int ncclBcast(void* x, size_t n, int type, int root, Communicator* c, void*) { return moved(x, x, n, type, c, root); }

#define NOT_HERE(name) int name() { fprintf(stderr, "CPU CUDA: " #name " is not here\n"); return INVALID_USAGE; }
NOT_HERE(ncclCommInitAll)
NOT_HERE(ncclCommSplit)
NOT_HERE(ncclGroupStart)
NOT_HERE(ncclGroupEnd)
NOT_HERE(ncclRecv)
NOT_HERE(ncclReduce)
NOT_HERE(ncclSend)
}
