/* Forked workers that share out the points of a sweep: see team.h. */
#include "sweep/team.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Without processes there is no team, so nobody has one for the rest. */
#ifdef PC_HAVE_PROCESSES
enum { HAS_PROCESSES = 1 };
#else
enum { HAS_PROCESSES = 0 };
#endif

double pc_team_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- the queue of one worker ---- */

static void copy_in(pc_ring *ring, uint64_t at, const void *from, size_t bytes)
{
    size_t start = (size_t)(at % PC_RING_BYTES);
    size_t first = bytes < PC_RING_BYTES - start ? bytes : PC_RING_BYTES - start;
    memcpy(ring->data + start, from, first);
    memcpy(ring->data, (const unsigned char *)from + first, bytes - first);
}

bool pc_ring_put(pc_ring *ring, const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
    if (PC_RING_BYTES - (head - tail) < a_bytes + b_bytes) return false;
    copy_in(ring, head, a, a_bytes);
    if (b_bytes > 0) copy_in(ring, head + a_bytes, b, b_bytes);
    atomic_store_explicit(&ring->head, head + a_bytes + b_bytes, memory_order_release);
    return true;
}

bool pc_ring_peek(const pc_ring *ring, size_t offset, void *out, size_t bytes)
{
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
    if (head - tail < offset + bytes) return false;
    size_t start = (size_t)((tail + offset) % PC_RING_BYTES);
    size_t first = bytes < PC_RING_BYTES - start ? bytes : PC_RING_BYTES - start;
    memcpy(out, ring->data + start, first);
    memcpy((unsigned char *)out + first, ring->data, bytes - first);
    return true;
}

void pc_ring_drop(pc_ring *ring, size_t bytes)
{
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    atomic_store_explicit(&ring->tail, tail + bytes, memory_order_release);
}

/* A run of points lasts about this long: short against a person's patience and against the end of a sweep, long
 * against the cost of taking a run. */
#define RUN_SECONDS 2e-3
enum { RUN_MOST = 4096 };

/* Slower points than this wake the parent; quick ones it finds when it looks. */
#define WAKE_SECONDS 1e-3

/* What the parent and one worker share. Points next .. end - 1 are this worker's; `current` is the one it computes;
 * `finished` says that it was told that there are no more: a process that ends without it was ended by its function. */
typedef struct slot {
    _Atomic uint64_t next, end, current;
    _Atomic bool finished;
    double began; /* of the present point; the worker's alone */
    double mean;  /* time of a point so far, a running mean; the worker's alone */
    pc_ring ring;
} slot;

typedef struct shared {
    _Atomic uint64_t given; /* points below this have been given out */
    _Atomic bool stop;
    slot slots[];
} shared;

enum { NO_POINT = -1 };

typedef struct member {
    pid_t pid; /* 0: does not run */
    int life;  /* end of a pipe between worker and parent: bytes say "look", its end says that the worker ended */
    bool fallen;
    uint64_t lost; /* the last point at which a worker of this number was killed */
} member;

struct pc_team {
    pid_t parent;
    int workers;
    uint64_t points;
    unsigned char *done;
    shared *shared;
    size_t shared_bytes;
    bool stopped;
    int turn; /* whose ring is looked at next */
    member members[PC_TEAM_WORKERS_MAX];
};

static void sleep_milliseconds(long n)
{
    struct timespec pause = {n / 1000, n % 1000 * 1000000};
    nanosleep(&pause, NULL);
}

/* ---- life and death ---- */

pc_status pc_team_new(pc_team **out, int workers, uint64_t points, unsigned char *done, pc_error *err)
{
    *out = NULL;
    if (!HAS_PROCESSES) return pc_fail_missing(err, "processes", "sweeps");
    if (workers < 1 || workers > PC_TEAM_WORKERS_MAX)
        return pc_fail(err, PC_E_ARGUMENT, "jobs = %d is not allowed: from 1 to %d", workers, PC_TEAM_WORKERS_MAX);
    pc_team *team = pc_calloc(1, sizeof *team);
    if (!team) return pc_fail(err, PC_E_MEMORY, "no memory for workers");
    *team = (pc_team){.parent = getpid(), .workers = workers, .points = points, .done = done};
    team->shared_bytes = sizeof(shared) + (size_t)workers * sizeof(slot);
    void *block = mmap(NULL, team->shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) {
        pc_free(team);
        return pc_fail(err, PC_E_MEMORY, "no memory to share with %d workers: %s", workers, strerror(errno));
    }
    team->shared = block;
    for (int i = 0; i < workers; i++) {
        team->shared->slots[i].current = (uint64_t)NO_POINT;
        team->members[i].life = -1;
        team->members[i].lost = (uint64_t)NO_POINT;
    }
    *out = team;
    return PC_OK;
}

static void let_go(member *m)
{
    if (m->life >= 0) close(m->life);
    m->life = -1;
    m->pid = 0;
}

static void end(member *m)
{
    kill(m->pid, SIGKILL);
    while (waitpid(m->pid, NULL, 0) < 0 && errno == EINTR) continue;
    let_go(m);
}

void pc_team_free(pc_team *team)
{
    if (!team || getpid() != team->parent) return;
    for (int i = 0; i < team->workers; i++)
        if (team->members[i].pid) end(&team->members[i]);
    munmap(team->shared, team->shared_bytes);
    pc_free(team);
}

/* What a worker must not have from its parent: an interruption, and pipes of other workers. */
static void enter_worker(pc_team *team, int worker, int life)
{
    (void)pc_system_end_with_parent(); /* where it cannot be asked for, `life` tells the parent's end */
    signal(SIGINT, SIG_IGN);
    pc_interrupt_flag = 0;
    for (int i = 0; i < team->workers; i++) let_go(&team->members[i]);
    team->members[worker].life = life; /* open as long as this process lives */
}

pc_status pc_team_start(pc_team *team, int worker, bool *child, pc_error *err)
{
    int ends[2];
    *child = false;
    team->shared->slots[worker].finished = false;
    if (pipe(ends) != 0) return pc_fail(err, PC_E_SYSTEM, "cannot make a pipe for a worker: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    }
    pid_t pid = fork();
    if (pid < 0) {
        close(ends[0]);
        close(ends[1]);
        return pc_fail(err, PC_E_SYSTEM, "cannot start worker %d: %s", worker + 1, strerror(errno));
    }
    if (pid == 0) {
        close(ends[0]);
        enter_worker(team, worker, ends[1]);
        *child = true;
        return PC_OK;
    }
    close(ends[1]);
    team->members[worker].pid = pid;
    team->members[worker].life = ends[0];
    team->members[worker].fallen = false;
    return PC_OK;
}

/* ---- the parent ---- */

bool pc_team_works(pc_team *team)
{
    for (int i = 0; i < team->workers; i++)
        if (team->members[i].pid) return true;
    return false;
}

void pc_team_wait(pc_team *team, int milliseconds)
{
    struct pollfd ends[PC_TEAM_WORKERS_MAX];
    nfds_t n = 0;
    for (int i = 0; i < team->workers; i++)
        if (team->members[i].pid) ends[n++] = (struct pollfd){.fd = team->members[i].life, .events = POLLIN};
    if (poll(ends, n, milliseconds) <= 0) return;
    char bytes[64];
    for (nfds_t i = 0; i < n; i++)
        if (ends[i].revents & POLLIN)
            while (read(ends[i].fd, bytes, sizeof bytes) == sizeof bytes) continue;
}

static bool read_ring(pc_team *team, int worker, pc_record *record)
{
    enum { HEAD = offsetof(pc_record, values) };
    pc_ring *ring = &team->shared->slots[worker].ring;
    if (!pc_ring_peek(ring, 0, record, HEAD)) return false;
    size_t values = record->n_values * sizeof(double);
    pc_ring_peek(ring, HEAD, record->values, values);
    pc_ring_peek(ring, HEAD + values, record->text, record->text_bytes);
    record->text[record->text_bytes] = '\0';
    pc_ring_drop(ring, HEAD + values + record->text_bytes);
    pc_team_set_done(team->done, record->point);
    return true;
}

/* The worker has ended, and its ring is empty. True if it died at a point that is given up. Who kills workers (a lack
 * of memory, say) seldom means the point, hence the next worker of this number begins with it; if it kills that one
 * too, it is a failed point. */
static bool bury(pc_team *team, int worker, int how, pc_record *record)
{
    slot *s = &team->shared->slots[worker];
    member *m = &team->members[worker];
    uint64_t current = s->current;
    let_go(m);
    if (s->finished || team->stopped) return false;
    m->fallen = true;
    s->current = (uint64_t)NO_POINT;
    if (current == (uint64_t)NO_POINT || pc_team_is_done(team->done, current)) return false;
    if (WIFSIGNALED(how) && m->lost != current) {
        m->lost = current;
        s->next = current;
        return false;
    }
    record->point = current;
    record->seconds = 0;
    record->n_values = 0;
    int bytes = WIFSIGNALED(how)
                    ? snprintf(record->text, sizeof record->text,
                               "the worker was killed by signal %d (%s), and so was the one that tried again; "
                               "retry = \"failed\" computes the point once more",
                               WTERMSIG(how), strsignal(WTERMSIG(how)))
                    : snprintf(record->text, sizeof record->text,
                               "the function ended its process with the exit code %d", WEXITSTATUS(how));
    record->text_bytes = (uint32_t)bytes;
    pc_team_set_done(team->done, current);
    return true;
}

/* Whether the worker has ended; it stays to be waited for. */
static bool has_ended(pid_t pid)
{
    siginfo_t ended = {0};
    return waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == pid;
}

bool pc_team_take(pc_team *team, pc_record *record)
{
    for (int tried = 0; tried < team->workers; tried++) {
        int worker = team->turn, how = 0;
        pid_t pid = team->members[worker].pid;
        if (read_ring(team, worker, record)) return true;
        bool ended = pid && has_ended(pid);
        /* it may have written between the look at the ring and its end */
        if (ended && read_ring(team, worker, record)) return true;
        team->turn = (worker + 1) % team->workers;
        if (!ended) continue;
        while (waitpid(pid, &how, 0) < 0 && errno == EINTR) continue;
        if (bury(team, worker, how, record)) return true;
    }
    return false;
}

int pc_team_fallen(pc_team *team)
{
    for (int i = 0; i < team->workers; i++) {
        if (!team->members[i].fallen) continue;
        team->members[i].fallen = false;
        return i;
    }
    return -1;
}

void pc_team_rewind(pc_team *team)
{
    team->shared->given = 0;
}

void pc_team_stop(pc_team *team, int milliseconds)
{
    team->stopped = true;
    team->shared->stop = true;
    double start = pc_team_clock();
    for (int i = 0; i < team->workers; i++) {
        member *m = &team->members[i];
        while (m->pid) {
            if (waitpid(m->pid, NULL, WNOHANG) == m->pid)
                let_go(m);
            else if (pc_team_clock() - start > 1e-3 * milliseconds)
                end(m);
            else
                sleep_milliseconds(1);
        }
    }
}

/* ---- a worker ---- */

/* Take a run from the counter. Towards the end runs get short, so that all workers finish together. */
static bool take_run(pc_team *team, slot *s)
{
    uint64_t given = atomic_load(&team->shared->given);
    if (given >= team->points) return false;
    uint64_t share = (team->points - given) / (4 * (uint64_t)team->workers);
    double wanted = s->mean > 0 ? RUN_SECONDS / s->mean : 1;
    uint64_t n = wanted < RUN_MOST ? (uint64_t)wanted : RUN_MOST;
    if (n > share) n = share;
    if (n < 1) n = 1;
    uint64_t first = atomic_fetch_add(&team->shared->given, n);
    if (first >= team->points) return false;
    /* whoever is killed before these stores loses a run: pc_team_rewind finds it */
    atomic_store(&s->next, first);
    atomic_store(&s->end, first + n < team->points ? first + n : team->points);
    return true;
}

bool pc_team_next(pc_team *team, int worker, uint64_t *point)
{
    slot *s = &team->shared->slots[worker];
    for (;;) {
        uint64_t next = atomic_load_explicit(&s->next, memory_order_relaxed);
        if (next >= atomic_load_explicit(&s->end, memory_order_relaxed)) {
            if (getppid() == team->parent && take_run(team, s)) continue;
            break;
        }
        if (atomic_load_explicit(&team->shared->stop, memory_order_relaxed)) break;
        atomic_store_explicit(&s->current, next, memory_order_relaxed);
        atomic_store_explicit(&s->next, next + 1, memory_order_release);
        if (pc_team_is_done(team->done, next)) continue;
        *point = next;
        s->began = pc_team_clock();
        return true;
    }
    s->finished = true;
    return false;
}

void pc_team_put(pc_team *team, int worker, const double *values, size_t n, const char *text)
{
    slot *s = &team->shared->slots[worker];
    pc_record record;
    record.point = atomic_load_explicit(&s->current, memory_order_relaxed);
    record.seconds = pc_team_clock() - s->began;
    record.n_values = text ? 0 : (uint32_t)n;
    size_t bytes = text ? strlen(text) : 0;
    record.text_bytes = (uint32_t)(bytes < PC_TEAM_TEXT_MAX ? bytes : PC_TEAM_TEXT_MAX);
    /* a mean that forgets slowly: the cost of neighbours changes along a grid */
    s->mean = s->mean > 0 ? 0.9 * s->mean + 0.1 * record.seconds : record.seconds;
    const void *body = text ? (const void *)text : values;
    size_t body_bytes = text ? record.text_bytes : n * sizeof *values;
    while (!pc_ring_put(&s->ring, &record, offsetof(pc_record, values), body, body_bytes)) {
        if (getppid() != team->parent || atomic_load(&team->shared->stop)) return;
        sleep_milliseconds(1);
    }
    /* a pipe that is full has woken the parent already */
    if (record.seconds > WAKE_SECONDS && write(team->members[worker].life, "", 1) < 0) return;
}
