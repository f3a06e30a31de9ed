/* Goes before the C library (LD_PRELOAD) and strikes at one operation on the files of one folder: the process is
 * killed, an error is returned, or half of a write is done. What and where stands in a file that both sides have
 * mapped (LTM_SHIM names it); `Control` in shim.py is the other side. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { WRITE, SYNC, RENAME, TRUNCATE, UNLINK, READ, KINDS };
enum what { NOTHING, KILL_BEFORE, KILL_AFTER, KILL_TORN, FAIL, SHORT, FULL };

struct control {
    int64_t armed, what, at, following, error, kinds, exact; /* said by the test */
    int64_t number, struck, struck_kind, counts[KINDS]; /* told to it */
    char prefix[512], where[512];
};

static struct control *control;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("LTM_SHIM");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) control = mapped;
    close(file);
}

static void die(void) {
    for (;;) syscall(SYS_kill, getpid(), SIGKILL);
}

static int armed(void) { return control && __atomic_load_n(&control->armed, __ATOMIC_SEQ_CST); }

static int counts(const char *path) {
    size_t length = strlen(control->prefix);
    return strncmp(path, control->prefix, length) == 0 && !(control->exact && path[length]);
}

/* What befalls this operation; a kill before it does so at once. */
static enum what fate(enum kind kind, const char *path) {
    if (!armed() || !counts(path)) return NOTHING;
    __atomic_add_fetch(&control->counts[kind], 1, __ATOMIC_SEQ_CST);
    if (!(control->kinds >> kind & 1)) return NOTHING;
    int64_t number = __atomic_add_fetch(&control->number, 1, __ATOMIC_SEQ_CST);
    if (!control->at || number < control->at || (number > control->at && !control->following)) return NOTHING;
    if (!__atomic_fetch_add(&control->struck, 1, __ATOMIC_SEQ_CST)) {
        control->struck_kind = kind;
        snprintf(control->where, sizeof control->where, "%s", path);
    }
    enum what what = (enum what)control->what;
    if (what == KILL_BEFORE || (what == KILL_TORN && kind != WRITE)) die();
    if (what == FULL) return number == control->at && kind == WRITE ? SHORT : FAIL;
    return what;
}

static enum what fate_of_file(enum kind kind, int file) {
    char link[64], path[512];
    if (!armed()) return NOTHING;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = 0;
    return fate(kind, path);
}

static size_t much(enum what what, size_t count) {
    return what == KILL_TORN || what == SHORT ? (count + 1) / 2 : count;
}

static long done(enum what what, long result) {
    if (what == KILL_AFTER || what == KILL_TORN) die();
    return result;
}

#define UNLESS_IT_FAILS(what)         \
    if (what == FAIL) {               \
        errno = (int)control->error;  \
        return -1;                    \
    }

#define SIZED(name, number, kind, data, count, place, ...)                        \
    ssize_t name(int file, data bytes, size_t count place) {                      \
        enum what what = fate_of_file(kind, file);                                \
        UNLESS_IT_FAILS(what)                                                     \
        return done(what, syscall(number, file, bytes, much(what, count), ##__VA_ARGS__)); \
    }

#define COMMA_PLACE , off_t offset
SIZED(write, SYS_write, WRITE, const void *, count, )
SIZED(pwrite, SYS_pwrite64, WRITE, const void *, count, COMMA_PLACE, offset)
SIZED(pwrite64, SYS_pwrite64, WRITE, const void *, count, COMMA_PLACE, offset)
SIZED(read, SYS_read, READ, void *, count, )
SIZED(pread, SYS_pread64, READ, void *, count, COMMA_PLACE, offset)
SIZED(pread64, SYS_pread64, READ, void *, count, COMMA_PLACE, offset)

ssize_t writev(int file, const struct iovec *pieces, int count) {
    enum what what = fate_of_file(WRITE, file);
    UNLESS_IT_FAILS(what)
    return done(what, syscall(SYS_writev, file, pieces, much(what, (size_t)count)));
}

#define WHOLE(name, kind, parameters, told, call)  \
    int name parameters {                          \
        enum what what = told;                     \
        UNLESS_IT_FAILS(what)                      \
        return (int)done(what, syscall call);      \
    }

WHOLE(fsync, SYNC, (int file), fate_of_file(SYNC, file), (SYS_fsync, file))
WHOLE(fdatasync, SYNC, (int file), fate_of_file(SYNC, file), (SYS_fdatasync, file))
WHOLE(ftruncate, TRUNCATE, (int file, off_t size), fate_of_file(TRUNCATE, file), (SYS_ftruncate, file, size))
WHOLE(ftruncate64, TRUNCATE, (int file, off_t size), fate_of_file(TRUNCATE, file), (SYS_ftruncate, file, size))
WHOLE(unlink, UNLINK, (const char *path), fate(UNLINK, path), (SYS_unlinkat, AT_FDCWD, path, 0))

/* Inside a folder that is open: its own path stands for the file's. */
WHOLE(unlinkat, UNLINK, (int folder, const char *path, int flags),
      path[0] == '/' ? fate(UNLINK, path) : fate_of_file(UNLINK, folder), (SYS_unlinkat, folder, path, flags))

WHOLE(rename, RENAME, (const char *from, const char *to), fate(RENAME, to),
      (SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0))
