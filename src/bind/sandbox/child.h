/* The program inside a sandbox: percuss started again by sandbox.c with the option below, confined before any
 * foreign text reaches it. */
#ifndef PC_BIND_SANDBOX_CHILD_H
#define PC_BIND_SANDBOX_CHILD_H

#define PC_SANDBOX_OPTION "--sandbox-child"

/* Codes with which it leaves. */
enum { PC_SANDBOX_UNUSABLE = 10, PC_SANDBOX_INSTRUCTIONS = 11 };

/* argv: program, option, memory (bytes), instructions, processor time (s), bytes of a reply, seed. Returns the exit
 * code; the caller leaves by _exit. */
int pc_sandbox_child(int argc, char **argv);

#endif
