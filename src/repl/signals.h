/* What the program does on Ctrl-C: the first two interrupt what runs, the third kills. */
#ifndef PC_REPL_SIGNALS_H
#define PC_REPL_SIGNALS_H

/* Exit code of a script stopped by Ctrl-C, as shells report it: 128 + SIGINT. */
enum { PC_EXIT_INTERRUPTED = 130 };

/* Install the handler of SIGINT. Without SA_RESTART: a read that waits returns. */
void pc_signals_open(void);

/* Count from one again: the prompt is back. */
void pc_signals_reset(void);

#endif
