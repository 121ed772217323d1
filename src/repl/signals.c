/* What the program does on Ctrl-C: see signals.h. */
#include "repl/signals.h"

#include "bind/core/interrupt.h"

#include <signal.h>

static volatile sig_atomic_t n_interrupts;

/* The default action takes over as soon as the handler returns and the signal is no longer blocked, so the third
 * Ctrl-C ends the program as if it had no handler. */
static void on_interrupt(int number)
{
    if (++n_interrupts >= 3) {
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    pc_interrupt_request();
}

static void do_nothing(int number)
{
    (void)number;
}

void pc_signals_open(void)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    /* A file that grows beyond `ulimit -f` fails as on a full disk. Handled, not ignored: programs that are started
     * from here have their own way. */
    action.sa_handler = do_nothing;
    action.sa_flags = SA_RESTART;
    sigaction(SIGXFSZ, &action, NULL);
}

void pc_signals_reset(void)
{
    n_interrupts = 0;
}
