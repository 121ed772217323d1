/* The history of the prompt, kept in $XDG_STATE_HOME/percuss/history (XDG Base Directory Specification 0.8; by default
 * ~/.local/state/percuss/history). Where the file cannot be written the history lasts as long as the program. */
#ifndef PC_REPL_HISTORY_H
#define PC_REPL_HISTORY_H

/* Read the file. */
void pc_history_open(void);

/* Add a statement and append it to the file at once: nothing is lost when the program is killed, and programs running
 * side by side do not overwrite each other's. Blank statements and repetitions are left out. */
void pc_history_add(const char *statement);

#endif
