/* The wire to notebooks: see prompt.h. */
#include "repl/prompt.h"

#ifdef PC_HAVE_ZMQ

#include "base/alloc.h"
#include "base/digest.h"
#include "chart/figure/figure.h"

#include <lauxlib.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

/* libzmq is looked for when a kernel starts: linked, it would bring a dozen libraries into every start. */
#define CALLS(X)                                                                                                       \
    X(bind)                                                                                                            \
    X(close)                                                                                                           \
    X(connect)                                                                                                         \
    X(ctx_new)                                                                                                         \
    X(ctx_term)                                                                                                        \
    X(msg_close)                                                                                                       \
    X(msg_data)                                                                                                        \
    X(msg_init)                                                                                                        \
    X(msg_more)                                                                                                        \
    X(msg_recv)                                                                                                        \
    X(msg_size)                                                                                                        \
    X(poll)                                                                                                            \
    X(recv)                                                                                                            \
    X(send)                                                                                                            \
    X(setsockopt)                                                                                                      \
    X(socket)                                                                                                          \
    X(strerror)                                                                                                        \
    X(threadclose)                                                                                                     \
    X(threadstart)                                                                                                     \
    X(version)

#define MEMBER(name) __typeof__(zmq_##name) *name;
static struct {
    CALLS(MEMBER)
} zmq;
#undef MEMBER

static pc_status load(pc_error *err)
{
    static void *library;
    /* 5 is the ABI of libzmq 4; POSIX has functions as the pointers to objects that dlsym returns */
    if (!library) library = dlopen("libzmq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!library) return pc_fail(err, PC_E_UNSUPPORTED, "kernel: libzmq is not installed (%s)", dlerror());
#define FIND(name)                                                                                                     \
    *(void **)&zmq.name = dlsym(library, "zmq_" #name);                                                                \
    if (!zmq.name) return pc_fail(err, PC_E_UNSUPPORTED, "kernel: this libzmq has no zmq_%s", #name);
    CALLS(FIND)
#undef FIND
    return PC_OK;
}

/* Frames of a message: at most so many are looked at, and so large. */
enum { WAIT_MS = 1000, FRAMES = 64, FRAME_BYTES = 64 << 20, CHUNK = 65536, PARTS = 4, HEX = 2 * PC_SHA256 };

static const char delimiter[] = "<IDS|MSG>";
static const char link_name[] = "inproc://percuss", done_name[] = "inproc://percuss-done";

typedef struct frames {
    zmq_msg_t frame[FRAMES];
    int n;
    bool whole; /* none had to be left out */
} frames;

/* Standard output or error: the reading end of its pipe, where it went before, and the rest of a character that has not
 * come whole. */
typedef struct stream {
    const char *name;
    int descriptor, pipe, before;
    char rest[4];
    size_t n_rest;
} stream;

/* `shell`, `near` and `awaited` belong to the thread of Lua, `parent` and what follows to the other one. By `awaited`
 * it tells that a command is done: what Lua writes next must not be taken for what it wrote before. */
static struct {
    void *context, *shell, *input, *near, *awaited, *thread;
    char *key;
    char session[64];
    atomic_bool is_ending;
    int owner; /* process: workers that were forked must not signal themselves */

    pc_buffer parent, text;
    void *publish, *control, *heartbeat, *far, *done;
    stream streams[2];
    unsigned long long n_sent;
} wire;

/* --- frames --- */

static void clear_frames(frames *f)
{
    for (int i = 0; i < f->n; i++) zmq.msg_close(&f->frame[i]);
    f->n = 0;
}

/* Receive a whole message; false if there is none. */
static bool receive(void *socket, frames *f, int flags)
{
    f->n = 0;
    f->whole = true;
    for (int more = 1; more;) {
        zmq_msg_t frame;
        zmq.msg_init(&frame);
        if (zmq.msg_recv(&frame, socket, flags) < 0) {
            zmq.msg_close(&frame);
            clear_frames(f);
            return false;
        }
        more = zmq.msg_more(&frame);
        if (f->n < FRAMES) {
            f->frame[f->n++] = frame;
        } else {
            zmq.msg_close(&frame);
            f->whole = false;
        }
    }
    return true;
}

static pc_bytes bytes_of(zmq_msg_t *frame)
{
    return (pc_bytes){zmq.msg_data(frame), zmq.msg_size(frame)};
}

static bool is_text(pc_bytes bytes, const char *text)
{
    return bytes.size == strlen(text) && memcmp(bytes.data, text, bytes.size) == 0;
}

/* The signature of four parts as hexadecimal digits; empty without a key. */
static void sign(const pc_bytes parts[PARTS], char hex[HEX + 1])
{
    unsigned char code[PC_SHA256];
    hex[0] = '\0';
    if (!wire.key[0]) return;
    pc_hmac(wire.key, strlen(wire.key), parts, PARTS, code);
    for (int i = 0; i < PC_SHA256; i++) snprintf(hex + 2 * i, 3, "%02x", code[i]);
}

/* Where the four parts begin in a message that is whole and signed by the key; 0 for all others. Frames: who sent it,
 * the delimiter, the signature, the parts, and buffers, which no message to us has. */
static int find_parts(frames *f)
{
    int at = 0;
    while (at < f->n && !is_text(bytes_of(&f->frame[at]), delimiter)) at++;
    if (!f->whole || at == 0 || at + 2 + PARTS > f->n) return 0;
    pc_bytes parts[PARTS];
    for (int i = 0; i < PARTS; i++) parts[i] = bytes_of(&f->frame[at + 2 + i]);
    char hex[HEX + 1];
    sign(parts, hex);
    const pc_bytes given = bytes_of(&f->frame[at + 1]);
    if (!wire.key[0]) return at + 2;
    if (given.size != HEX) return 0;
    /* in the same time wherever the first difference is */
    unsigned differ = 0;
    for (int i = 0; i < HEX; i++) differ |= (unsigned)(((const unsigned char *)given.data)[i] ^ (unsigned char)hex[i]);
    return differ == 0 ? at + 2 : 0;
}

static void send_bytes(void *socket, const void *data, size_t size, bool more)
{
    while (zmq.send(socket, data, size, more ? ZMQ_SNDMORE : 0) < 0 && errno == EINTR) continue;
}

static void send_parts(void *socket, const pc_bytes parts[PARTS])
{
    char hex[HEX + 1];
    sign(parts, hex);
    send_bytes(socket, delimiter, sizeof delimiter - 1, true);
    send_bytes(socket, hex, strlen(hex), true);
    for (int i = 0; i < PARTS; i++) send_bytes(socket, parts[i].data, parts[i].size, i + 1 < PARTS);
}

/* --- messages that the thread makes --- */

/* A header of this kernel. Messages of a session are told apart by their number. */
static int write_header(char *text, size_t size, const char *type)
{
    char date[32];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return snprintf(text, size,
                    "{\"msg_id\":\"%s_t%llu\",\"session\":\"%s\",\"username\":\"percuss\",\"date\":\"%s\","
                    "\"msg_type\":\"%s\",\"version\":\"5.3\"}",
                    wire.session, wire.n_sent++, wire.session, date, type);
}

/* Length of the character of UTF-8 that begins here: 0 where none does, more than `size` where it is cut off. */
static size_t character_length(const unsigned char *p, size_t size)
{
    size_t n = p[0] < 0x80                   ? 1
               : p[0] >= 0xC2 && p[0] < 0xE0 ? 2
               : (p[0] & 0xF0) == 0xE0       ? 3
               : p[0] >= 0xF0 && p[0] < 0xF5 ? 4
                                             : 0;
    for (size_t i = 1; i < n && i < size; i++) {
        if ((p[i] & 0xC0) != 0x80) return 0;
    }
    /* overlong, surrogates, beyond the last one */
    if (n >= 3 && size > 1 &&
        ((p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F) || (p[0] == 0xF0 && p[1] < 0x90) ||
         (p[0] == 0xF4 && p[1] > 0x8F)))
        return 0;
    return n;
}

/* Append text as the inside of a JSON string; what is no UTF-8 is replaced. Returns how many bytes at the end are the
 * beginning of a character. */
static size_t append_json(pc_buffer *out, const unsigned char *p, size_t size)
{
    for (size_t i = 0; i < size;) {
        const size_t n = character_length(p + i, size - i);
        if (n > size - i) return size - i;
        if (n == 0)
            pc_buffer_print(out, "\\ufffd");
        else if (p[i] == '"' || p[i] == '\\')
            pc_buffer_print(out, "\\%c", p[i]);
        else if (p[i] < 0x20 || p[i] == 0x7f)
            pc_buffer_print(out, "\\u%04x", p[i]);
        else
            pc_buffer_append(out, (const char *)p + i, n);
        i += n ? n : 1;
    }
    return 0;
}

/* Publish what one read of a pipe finds; false if it is empty. */
static bool forward(stream *s)
{
    char bytes[CHUNK + sizeof s->rest];
    memcpy(bytes, s->rest, s->n_rest);
    ssize_t n = read(s->pipe, bytes + s->n_rest, CHUNK);
    if (n <= 0) return false;
    const size_t size = s->n_rest + (size_t)n;
    pc_buffer_clear(&wire.text);
    pc_buffer_print(&wire.text, "{\"name\":\"%s\",\"text\":\"", s->name);
    s->n_rest = append_json(&wire.text, (const unsigned char *)bytes, size);
    memcpy(s->rest, bytes + size - s->n_rest, s->n_rest);
    pc_buffer_print(&wire.text, "\"}");
    pc_error err;
    if (s->n_rest == size || pc_buffer_status(&wire.text, &err)) return true;
    char header[512];
    const int length = write_header(header, sizeof header, "stream");
    const pc_bytes parts[PARTS] = {{header, (size_t)length},
                                   {pc_buffer_text(&wire.parent), wire.parent.size},
                                   {"{}", 2},
                                   {wire.text.data, wire.text.size}};
    send_bytes(wire.publish, "stream", 6, true);
    send_parts(wire.publish, parts);
    return true;
}

/* All that has been written so far; what goes on writing must not keep us for ever. */
static void drain(void)
{
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 4096 && forward(&wire.streams[i]); k++) continue;
    }
}

/* --- the thread --- */

/* True if the header has this msg_type. Spaces are allowed where JSON has them; a type is a word without escapes. */
static bool has_type(pc_bytes header, const char *type)
{
    static const char key[] = "\"msg_type\"";
    const char *p = header.data, *end = p + header.size;
    for (; (size_t)(end - p) >= sizeof key; p++) {
        if (memcmp(p, key, sizeof key - 1) != 0) continue;
        const char *q = p + sizeof key - 1;
        while (q < end && (*q == ' ' || *q == ':')) q++;
        const size_t n = strlen(type);
        if ((size_t)(end - q) >= n + 2 && *q == '"' && memcmp(q + 1, type, n) == 0 && q[n + 1] == '"') return true;
    }
    return false;
}

/* A request on the channel of control: interrupts are answered here, all else is for Lua. */
static void take_control(void)
{
    frames f;
    if (!receive(wire.control, &f, ZMQ_DONTWAIT)) return;
    const int at = find_parts(&f);
    if (at && has_type(bytes_of(&f.frame[at]), "interrupt_request")) {
        kill(wire.owner, SIGINT);
        char header[512];
        const int length = write_header(header, sizeof header, "interrupt_reply");
        const pc_bytes parts[PARTS] = {
            {header, (size_t)length}, bytes_of(&f.frame[at]), {"{}", 2}, {"{\"status\":\"ok\"}", 15}};
        for (int i = 0; i < at - 2; i++)
            send_bytes(wire.control, zmq.msg_data(&f.frame[i]), zmq.msg_size(&f.frame[i]), true);
        send_parts(wire.control, parts);
    } else if (at) {
        if (has_type(bytes_of(&f.frame[at]), "shutdown_request")) {
            atomic_store(&wire.is_ending, true);
            kill(wire.owner, SIGINT);
        }
        for (int i = 0; i < f.n; i++) {
            if (zmq.send(wire.far, zmq.msg_data(&f.frame[i]), zmq.msg_size(&f.frame[i]),
                         ZMQ_DONTWAIT | (i + 1 < f.n ? ZMQ_SNDMORE : 0)) < 0)
                break;
        }
    }
    clear_frames(&f);
}

/* A command of the other thread: "publish" and "control" with frames to send, "parent" with a header, or "end". */
static bool take_command(void)
{
    frames f;
    if (!receive(wire.far, &f, ZMQ_DONTWAIT)) return true;
    const pc_bytes command = bytes_of(&f.frame[0]);
    const bool publish = is_text(command, "publish"), goes_on = !is_text(command, "end");
    if (!is_text(command, "control")) drain();
    if (is_text(command, "parent") && f.n == 2) {
        pc_buffer_clear(&wire.parent);
        pc_buffer_append(&wire.parent, zmq.msg_data(&f.frame[1]), zmq.msg_size(&f.frame[1]));
    } else if (goes_on) {
        for (int i = 1; i < f.n; i++)
            send_bytes(publish ? wire.publish : wire.control, zmq.msg_data(&f.frame[i]), zmq.msg_size(&f.frame[i]),
                       i + 1 < f.n);
    }
    if (goes_on && !is_text(command, "control")) send_bytes(wire.done, "", 0, false);
    clear_frames(&f);
    return goes_on;
}

static void beat(void)
{
    frames f;
    if (!receive(wire.heartbeat, &f, ZMQ_DONTWAIT)) return;
    for (int i = 0; i < f.n; i++)
        send_bytes(wire.heartbeat, zmq.msg_data(&f.frame[i]), zmq.msg_size(&f.frame[i]), i + 1 < f.n);
    clear_frames(&f);
}

/* libzmq blocks signals in its threads. */
static void serve(void *nothing)
{
    (void)nothing;
    zmq_pollitem_t items[] = {{wire.heartbeat, 0, ZMQ_POLLIN, 0},
                              {wire.control, 0, ZMQ_POLLIN, 0},
                              {wire.far, 0, ZMQ_POLLIN, 0},
                              {NULL, wire.streams[0].pipe, ZMQ_POLLIN, 0},
                              {NULL, wire.streams[1].pipe, ZMQ_POLLIN, 0}};
    for (bool goes_on = true; goes_on;) {
        if (zmq.poll(items, 5, -1) < 0 && errno != EINTR) break;
        if (items[0].revents) beat();
        if (items[1].revents) take_control();
        for (int i = 0; i < 2; i++)
            if (items[3 + i].revents) forward(&wire.streams[i]);
        if (items[2].revents) goes_on = take_command();
    }
}

/* --- the side of Lua --- */

static pc_status bind_socket(void **socket, int type, const pc_wire_settings *set, int port, pc_error *err)
{
    const int zero = 0;
    const int64_t most = FRAME_BYTES;
    char address[512];
    *socket = zmq.socket(wire.context, type);
    if (!*socket) return pc_fail(err, PC_E_SYSTEM, "kernel: no socket: %s", zmq.strerror(errno));
    zmq.setsockopt(*socket, ZMQ_MAXMSGSIZE, &most, sizeof most);
    /* output may be far ahead of who reads it */
    zmq.setsockopt(*socket, ZMQ_SNDHWM, &zero, sizeof zero);
    const bool is_ipc = strcmp(set->transport, "ipc") == 0;
    const int n =
        snprintf(address, sizeof address, is_ipc ? "%s://%s-%d" : "%s://%s:%d", set->transport, set->ip, port);
    if (n < 0 || (size_t)n >= sizeof address) return pc_fail(err, PC_E_ARGUMENT, "kernel: the address is too long");
    if (zmq.bind(*socket, address) != 0)
        return pc_fail(err, PC_E_SYSTEM, "kernel: cannot listen at %s: %s", address, zmq.strerror(errno));
    return PC_OK;
}

/* Let a descriptor end in a pipe that the thread reads. */
static pc_status divert(stream *s, const char *name, int descriptor, pc_error *err)
{
    int ends[2];
    *s = (stream){.name = name, .descriptor = descriptor, .pipe = -1, .before = -1};
    if (pipe(ends) != 0) return pc_fail(err, PC_E_SYSTEM, "kernel: no pipe: %s", strerror(errno));
    s->pipe = ends[0];
    s->before = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    const bool moved = dup2(ends[1], descriptor) >= 0;
    close(ends[1]);
    return moved ? PC_OK : pc_fail(err, PC_E_SYSTEM, "kernel: cannot divert the output: %s", strerror(errno));
}

static void close_socket(void **socket)
{
    const int linger = 1000;
    if (!*socket) return;
    zmq.setsockopt(*socket, ZMQ_LINGER, &linger, sizeof linger);
    zmq.close(*socket);
    *socket = NULL;
}

static pc_status open_sockets(const pc_wire_settings *set, pc_error *err)
{
    pc_status status = bind_socket(&wire.shell, ZMQ_ROUTER, set, set->shell, err);
    if (!status) status = bind_socket(&wire.input, ZMQ_ROUTER, set, set->input, err);
    if (!status) status = bind_socket(&wire.control, ZMQ_ROUTER, set, set->control, err);
    if (!status) status = bind_socket(&wire.heartbeat, ZMQ_REP, set, set->heartbeat, err);
    if (!status) status = bind_socket(&wire.publish, ZMQ_PUB, set, set->publish, err);
    if (status) return status;
    wire.near = zmq.socket(wire.context, ZMQ_PAIR);
    wire.far = zmq.socket(wire.context, ZMQ_PAIR);
    wire.awaited = zmq.socket(wire.context, ZMQ_PAIR);
    wire.done = zmq.socket(wire.context, ZMQ_PAIR);
    if (!wire.near || !wire.far || !wire.awaited || !wire.done || zmq.bind(wire.near, link_name) != 0 ||
        zmq.connect(wire.far, link_name) != 0 || zmq.bind(wire.awaited, done_name) != 0 ||
        zmq.connect(wire.done, done_name) != 0)
        return pc_fail(err, PC_E_SYSTEM, "kernel: no socket: %s", zmq.strerror(errno));
    return PC_OK;
}

pc_status pc_wire_open(const pc_wire_settings *settings, const char *session, pc_error *err)
{
    wire.owner = getpid();
    wire.streams[0].pipe = wire.streams[1].pipe = wire.streams[0].before = wire.streams[1].before = -1;
    snprintf(wire.session, sizeof wire.session, "%s", session);
    pc_status status = load(err);
    if (status) return status;
    wire.key = pc_strdup(settings->key);
    wire.context = zmq.ctx_new();
    status = wire.key && wire.context ? PC_OK : pc_fail(err, PC_E_MEMORY, "kernel: not enough memory");
    pc_buffer_print(&wire.parent, "{}");
    if (!status) status = open_sockets(settings, err);
    if (!status) fflush(stdout);
    if (!status) status = divert(&wire.streams[0], "stdout", STDOUT_FILENO, err);
    if (!status) status = divert(&wire.streams[1], "stderr", STDERR_FILENO, err);
    if (!status) {
        wire.thread = zmq.threadstart(serve, NULL);
        if (!wire.thread) status = pc_fail(err, PC_E_SYSTEM, "kernel: no thread");
    }
    if (status) pc_wire_close();
    return status;
}

/* Give a descriptor back to where it ended before. */
static void restore(stream *s)
{
    if (s->before >= 0) {
        dup2(s->before, s->descriptor);
        close(s->before);
    }
    if (s->pipe >= 0) close(s->pipe);
    s->before = s->pipe = -1;
}

void pc_wire_close(void)
{
    fflush(stdout);
    fflush(stderr);
    if (wire.thread) {
        send_bytes(wire.near, "end", 3, false);
        zmq.threadclose(wire.thread);
        wire.thread = NULL;
    }
    for (int i = 0; i < 2; i++) restore(&wire.streams[i]);
    void **const sockets[] = {&wire.shell, &wire.input, &wire.control, &wire.heartbeat, &wire.publish,
                              &wire.near,  &wire.far,   &wire.awaited, &wire.done};
    for (size_t i = 0; i < sizeof sockets / sizeof *sockets; i++) close_socket(sockets[i]);
    if (wire.context) zmq.ctx_term(wire.context);
    wire.context = NULL;
    pc_buffer_free(&wire.parent);
    pc_buffer_free(&wire.text);
    pc_free(wire.key);
    wire.key = NULL;
}

/* Push a message whose parts begin at frame `at`. */
static void push_message(lua_State *L, frames *f, int at, const char *channel)
{
    static const char *const names[PARTS] = {"header", "parent", "metadata", "content"};
    lua_createtable(L, 0, 6);
    lua_pushstring(L, channel);
    lua_setfield(L, -2, "channel");
    lua_createtable(L, at - 2, 0);
    for (int i = 0; i < at - 2; i++) {
        lua_pushlstring(L, zmq.msg_data(&f->frame[i]), zmq.msg_size(&f->frame[i]));
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "ids");
    for (int i = 0; i < PARTS; i++) {
        lua_pushlstring(L, zmq.msg_data(&f->frame[at + i]), zmq.msg_size(&f->frame[at + i]));
        lua_setfield(L, -2, names[i]);
    }
}

bool pc_wire_receive(lua_State *L)
{
    zmq_pollitem_t items[] = {
        {wire.near, 0, ZMQ_POLLIN, 0}, {wire.shell, 0, ZMQ_POLLIN, 0}, {wire.input, 0, ZMQ_POLLIN, 0}};
    static const char *const channels[] = {"control", "shell"};
    for (;;) {
        if (zmq.poll(items, 3, WAIT_MS) <= 0) return false;
        frames f;
        /* nobody is asked for input, so nothing that comes there is awaited */
        if (items[2].revents && receive(wire.input, &f, ZMQ_DONTWAIT)) clear_frames(&f);
        for (int i = 0; i < 2; i++) {
            if (!items[i].revents || !receive(items[i].socket, &f, ZMQ_DONTWAIT)) continue;
            const int at = find_parts(&f);
            if (at) push_message(L, &f, at, channels[i]);
            clear_frames(&f);
            if (at) return true;
        }
    }
}

/* Until the command that was sent is done. */
static void await(void)
{
    char nothing[1];
    while (zmq.recv(wire.awaited, nothing, sizeof nothing, 0) < 0 && errno == EINTR) continue;
}

/* A text argument as bytes. */
static pc_bytes text_at(lua_State *L, int index)
{
    pc_bytes bytes;
    bytes.data = luaL_checklstring(L, index, &bytes.size);
    return bytes;
}

void pc_wire_send(lua_State *L)
{
    const char *channel = luaL_checkstring(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    if (getpid() != wire.owner) return; /* a worker of a sweep */
    const bool direct = strcmp(channel, "shell") == 0;
    void *const socket = direct ? wire.shell : wire.near;
    pc_bytes parts[PARTS];
    for (int i = 0; i < PARTS; i++) parts[i] = text_at(L, 3 + i);
    const int n = (int)luaL_len(L, 2);
    for (int i = 1; i <= n; i++) {
        if (lua_rawgeti(L, 2, i) != LUA_TSTRING) luaL_error(L, "an id is a string");
        lua_pop(L, 1);
    }
    fflush(stdout);
    fflush(stderr);
    if (!direct) send_bytes(socket, channel, strlen(channel), true);
    for (int i = 1; i <= n; i++) {
        lua_rawgeti(L, 2, i);
        const pc_bytes id = text_at(L, -1);
        send_bytes(socket, id.data, id.size, true);
        lua_pop(L, 1);
    }
    send_parts(socket, parts);
    if (strcmp(channel, "publish") == 0) await();
}

void pc_wire_set_parent(const char *header, size_t size)
{
    fflush(stdout);
    fflush(stderr);
    send_bytes(wire.near, "parent", 6, true);
    send_bytes(wire.near, header, size, false);
    await();
}

bool pc_wire_is_ending(void)
{
    return atomic_load(&wire.is_ending);
}

const char *pc_wire_version(void)
{
    static char text[32];
    int major, minor, patch;
    pc_error err = {0};
    if (load(&err) != PC_OK) return NULL;
    zmq.version(&major, &minor, &patch);
    snprintf(text, sizeof text, "%d.%d.%d", major, minor, patch);
    return text;
}

/* Without libzmq nothing is open, and the first function says so. */
#else

pc_status pc_wire_open(const pc_wire_settings *settings, const char *session, pc_error *err)
{
    (void)settings, (void)session;
    return pc_fail_missing(err, "libzmq", "notebooks");
}

bool pc_wire_receive(lua_State *L)
{
    (void)L;
    return false;
}

void pc_wire_send(lua_State *L)
{
    (void)L;
}

void pc_wire_set_parent(const char *header, size_t size)
{
    (void)header, (void)size;
}

bool pc_wire_is_ending(void)
{
    return true;
}

void pc_wire_close(void)
{
}

const char *pc_wire_version(void)
{
    return NULL;
}

#endif
