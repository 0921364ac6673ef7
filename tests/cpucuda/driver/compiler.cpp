// NVRTC by g++: a kernel's source becomes a shared library with a launcher for each kernel, kept in CPUCUDA_CACHE.
// build.py defines KERNEL_FLAGS, with which it also precompiles the headers.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <regex>
#include <sstream>

#include "driver.h"

struct Program {
  std::string source, log, image;
  std::vector<std::string> names;              // expressions for instances of templates, as the caller spells them
  std::map<std::string, std::string> lowered;  // and how the library calls them
};
static std::string variable(const char* name, const char* otherwise) {
  const char* value = getenv(name);
  return value ? value : otherwise;
}
std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}
static uint64_t hash_of(const std::string& text, uint64_t hash = 1469598103934665603ull) {
  for (unsigned char c : text) hash = (hash ^ c) * 1099511628211ull;
  return hash;
}
static bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// ---------------------------------------------------------------- from CUDA to C++
// Dynamic shared memory is a pointer to the scheduler's.
static std::string with_dynamic_memory(const std::string& source) {
  static const std::regex array("extern\\s+__shared__\\s+([^;\\[]+?)\\s*(\\w+)\\s*\\[\\s*\\]\\s*;");
  return std::regex_replace(source, array, "$1* $2 = ($1*)__cpu::dynamic();");
}
// An instruction of PTX, `asm volatile("name.of.it {%0, %1}, {%2};" : "+f"(d) ... : "r"(a) ...);`, is a call of the function
// `name_of_it`, with the operands in the order in which the instruction names them: prelude.h has those that are known.
static std::string call_of(const std::string& text, const std::string& operands) {
  static const std::regex expression("\"[^\"]*\"\\s*\\(([^()]*)\\)"), number("%(\\d+)");
  std::vector<std::string> given;
  for (std::sregex_iterator it(operands.begin(), operands.end(), expression), end; it != end; ++it) given.push_back((*it)[1]);
  std::string name = text.substr(0, text.find(' ')), arguments;
  std::replace(name.begin(), name.end(), '.', '_');
  for (std::sregex_iterator it(text.begin(), text.end(), number), end; it != end; ++it)
    arguments += (arguments.empty() ? "" : ", ") + given.at(std::stoul((*it)[1]));
  return "__cpu::" + name + "(" + arguments + ");";
}
static std::string with_instructions(const std::string& source) {
  static const std::regex statement("asm\\s+volatile\\s*\\(((?:\\s*\"[^\"]*\")+)\\s*:([^;]*)\\)\\s*;"), quotes("\"\\s*\"|^\\s*\"|\"$");
  std::string result;
  size_t from = 0;
  for (std::sregex_iterator it(source.begin(), source.end(), statement), end; it != end; ++it) {
    result += source.substr(from, it->position() - from) + call_of(std::regex_replace(it->str(1), quotes, ""), (*it)[2]);
    from = it->position() + it->length();
  }
  return result + source.substr(from);
}
// The kernels that are called by their own names: those of C linkage.
static std::set<std::string> plain_kernels(const std::string& source) {
  static const std::regex kernel("__global__\\s+void\\s+(?:__launch_bounds__\\s*\\([^)]*\\)\\s*)?(\\w+)\\s*\\(");
  const size_t NEAR = 120;
  std::set<std::string> found;
  for (std::sregex_iterator it(source.begin(), source.end(), kernel), end; it != end; ++it) {
    size_t at = it->position(), from = at > NEAR ? at - NEAR : 0;
    if (contains(source.substr(from, at - from), "extern \"C\"")) found.insert((*it)[1]);
  }
  return found;
}
static std::string launcher(const std::string& symbol, const std::string& kernel) {
  return "extern \"C\" void __launch_" + symbol + "(void** a) { __cpu::call(&" + kernel + ", a); }\n"
         "extern \"C\" const size_t* __sizes_" + symbol + "() { return __cpu::sizes(&" + kernel + "); }\n";
}
static std::string launchers(Program& program) {
  std::string text = "\n";
  for (auto& name : plain_kernels(program.source)) text += launcher(name, name);
  for (size_t i = 0; i < program.names.size(); i++) {
    std::string symbol = "__expression_" + std::to_string(i);
    program.lowered[program.names[i]] = symbol;
    text += launcher(symbol, program.names[i]);
  }
  return text;
}
// How the threads run. A grid-stride loop may run in one thread, unless its body ends the thread.
static int how(const std::string& source, const std::set<std::string>& options) {
  bool wait = contains(source, "__sync") || contains(source, "__shfl") || contains(source, "__shared__")
      || contains(source, "__ballot") || contains(source, "__any") || contains(source, "__all");
  bool strided = contains(source, "CUPY_FOR") && !contains(source, "return;");
  bool flushes = options.count("-ftz=true") && !contains(source, "double");  // -ftz concerns float32 alone
  return (wait ? AS_FIBERS : strided ? GRID_STRIDE : ONE_BY_ONE) + (flushes ? FLUSHES : 0);
}
static std::string flags_of(const std::set<std::string>& options) {
  std::string flags;
  for (auto& o : options)
    if (o.rfind("-D", 0) == 0 || (o.rfind("-I", 0) == 0 && !contains(o, "_cccl"))) flags += " '" + o + "'";
  return flags;
}

// ---------------------------------------------------------------- compilation
// What NVRTC would have been given, for nvrtc_check.py.
static void keep_source(const Program& program, const std::set<std::string>& options) {
  const char* folder = getenv("CPUCUDA_SOURCES");
  if (!folder) return;
  std::string all = program.source;
  for (auto& n : program.names) all += n;
  char name[64];
  snprintf(name, sizeof name, "/%016lx.cu", hash_of(all));
  std::ofstream out(std::string(folder) + name);
  for (auto& n : program.names) out << "//NAME " << n << "\n";
  for (auto& o : options) out << "//OPTION " << o << "\n";
  out << program.source;
}
// A kernel's library is known by all that it was made from.
static std::string library_of(const std::string& text, const std::string& flags, const std::string& home) {
  static const std::string headers = read_file(home + "/prelude.h") + read_file(home + "/headers/cuda_fp16.h")
      + read_file(home + "/headers/cuda_bf16.h") + KERNEL_FLAGS;
  std::string all = text + flags + headers;
  char name[64];
  snprintf(name, sizeof name, "/%016lx%016lx.so", hash_of(all), hash_of(headers + all, 99));
  return variable("CPUCUDA_CACHE", ".") + name;
}
static bool compile(Program& program, const std::string& text, const std::string& flags, const std::string& library) {
  std::string home = variable("CPUCUDA_HOME", "."), build = variable("CPUCUDA_BUILD", ".");
  static std::atomic<int> number{0};  // threads may compile the same kernel at once
  std::string part = library + "." + std::to_string(getpid()) + "." + std::to_string(number++);
  std::ofstream(part + ".cpp") << text;
  const char* header = contains(text, "cupy/complex.cuh") ? "cupy.h" : "plain.h";  // precompiled
  std::string command = "g++ " KERNEL_FLAGS " -shared -include " + build + "/headers/" + header + " -I" + home + " -I" + home
      + "/headers" + flags + " -o " + part + " " + part + ".cpp > " + part + ".log 2>&1";
  int failed = system(command.c_str());
  program.log = read_file(part + ".log");
  unlink((part + ".log").c_str());
  if (failed) {
    note("compile-failed", (part + ".cpp").c_str(), failed);
    return false;
  }
  rename(part.c_str(), library.c_str());
  if (getenv("CPUCUDA_KEEP")) rename((part + ".cpp").c_str(), (library + ".cpp").c_str());
  else unlink((part + ".cpp").c_str());
  return true;
}
EXPORT nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int count, const char* const* given) {
  auto& program = *(Program*)p;
  std::set<std::string> options(given, given + count);
  counters[COMPILE]++;
  keep_source(program, options);
  std::string text = with_instructions(with_dynamic_memory(program.source)) + launchers(program);
  text += "extern \"C\" int __how = " + std::to_string(how(program.source, options)) + ";\n";
  std::string flags = flags_of(options), library = library_of(text, flags, variable("CPUCUDA_HOME", "."));
  struct stat there;
  if (stat(library.c_str(), &there) && !compile(program, text, flags, library)) return NVRTC_ERROR_COMPILATION;
  program.image = IMAGE + library;
  return NVRTC_SUCCESS;
}

// ---------------------------------------------------------------- the rest of NVRTC
EXPORT nvrtcResult nvrtcVersion(int* major, int* minor) { *major = 12; *minor = 9; return NVRTC_SUCCESS; }
EXPORT const char* nvrtcGetErrorString(nvrtcResult r) {
  return r == NVRTC_ERROR_COMPILATION ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR";
}
EXPORT nvrtcResult nvrtcGetNumSupportedArchs(int* n) { *n = 1; return NVRTC_SUCCESS; }
EXPORT nvrtcResult nvrtcGetSupportedArchs(int* a) { *a = 90; return NVRTC_SUCCESS; }
EXPORT nvrtcResult nvrtcCreateProgram(nvrtcProgram* p, const char* source, const char*, int, const char* const*,
                                      const char* const*) {
  auto program = new Program;
  program->source = source;
  *p = (nvrtcProgram)program;
  return NVRTC_SUCCESS;
}
EXPORT nvrtcResult nvrtcDestroyProgram(nvrtcProgram* p) { delete (Program*)*p; *p = nullptr; return NVRTC_SUCCESS; }
EXPORT nvrtcResult nvrtcAddNameExpression(nvrtcProgram p, const char* name) {
  ((Program*)p)->names.push_back(name);
  return NVRTC_SUCCESS;
}
EXPORT nvrtcResult nvrtcGetLoweredName(nvrtcProgram p, const char* name, const char** lowered) {
  auto& names = ((Program*)p)->lowered;
  if (!names.count(name)) return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  *lowered = names[name].c_str();
  return NVRTC_SUCCESS;
}
static nvrtcResult size_of(const std::string& s, size_t* n) { *n = s.size() + 1; return NVRTC_SUCCESS; }
static nvrtcResult give(const std::string& s, char* out) { memcpy(out, s.c_str(), s.size() + 1); return NVRTC_SUCCESS; }
EXPORT nvrtcResult nvrtcGetPTXSize(nvrtcProgram p, size_t* n) { return size_of(((Program*)p)->image, n); }
EXPORT nvrtcResult nvrtcGetPTX(nvrtcProgram p, char* out) { return give(((Program*)p)->image, out); }
EXPORT nvrtcResult nvrtcGetCUBINSize(nvrtcProgram p, size_t* n) { return size_of(((Program*)p)->image, n); }
EXPORT nvrtcResult nvrtcGetCUBIN(nvrtcProgram p, char* out) { return give(((Program*)p)->image, out); }
EXPORT nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram p, size_t* n) { return size_of(((Program*)p)->log, n); }
EXPORT nvrtcResult nvrtcGetProgramLog(nvrtcProgram p, char* out) { return give(((Program*)p)->log, out); }
