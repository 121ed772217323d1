/* The wire to notebooks: signed messages of Jupyter's protocol (version 5.3) over ZeroMQ, and the standard output and
 * error of this process as messages of their own. One a process.
 *
 * A thread of its own answers heartbeats, takes what comes on the channel of control while Lua runs, sends what is
 * published, and reads the two pipes in which standard output and error then end. It interrupts by SIGINT, which it
 * blocks itself; a message that it cannot verify by the key is dropped. What is published after output was written
 * follows it on the wire.
 */
#ifndef PC_REPL_WIRE_H
#define PC_REPL_WIRE_H

#include "base/status.h"

#include <lua.h>
#include <stdbool.h>

/* As a connection file has them. A port of 0 is chosen by the system. An empty key: nothing is signed. */
typedef struct pc_wire_settings {
    const char *transport, *ip, *key;
    int shell, publish, control, input, heartbeat;
} pc_wire_settings;

/* PC_E_UNSUPPORTED without libzmq. `session` is a text without quotes by which headers name this kernel. */
pc_status pc_wire_open(const pc_wire_settings *settings, const char *session, pc_error *err);

/* Wait for a message and push it as a table: channel ("shell" or "control"), ids (a list), header, parent, metadata and
 * content as they came. False, and nothing is pushed: a signal came, or nothing for a second. */
bool pc_wire_receive(lua_State *L);

/* Send on the channel ("shell", "control" or "publish") the texts header, parent, metadata, content to whom `ids`, a
 * list, tells; for "publish" it holds the topic. The arguments stand at index 1 and follow each other. */
void pc_wire_send(lua_State *L);

/* What is written to standard output and error from now on belongs to the message of this header. */
void pc_wire_set_parent(const char *header, size_t size);

/* True if the channel of control has asked for the end while something ran. */
bool pc_wire_is_ending(void);

/* Send what waits, and give standard output and error back. */
void pc_wire_close(void);

/* "4.3.4"; NULL without libzmq. */
const char *pc_wire_version(void);

#endif
