/* Integration while compliant contacts are closed: see phase.h. */
#include "engine/phase.h"

#include "base/alloc.h"
#include "base/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A stiff step whose length times the fastest rate is below this could as well be explicit. */
static const double NOT_STIFF = 3;
enum { STIFF_STEPS = 2, QUIET_STEPS = 12, NOT_STIFF_STEPS = 6 };

/* If a step could be so many times as long as its limit, its error is far below the tolerance. */
static const double EASY = 2;

/* The first contact begins with a step of so many response times, times a root of the tolerance that is the order of
 * the method (DOP853, collocation): about the step of a linear spring or damper that just meets the tolerance. Later
 * contacts begin with the step that the first would have gone on with. */
static const struct {
    double times, root;
} first_steps[PC_FIRST_STEPS] = {[PC_FIRST_STEP_EXPLICIT] = {5.5, 8}, [PC_FIRST_STEP_COLLOCATION] = {12, 11}};

/* If a stiff step would change a contact at its start, shrink it by SHORTER until the damped mode is resolved, which is
 * where its stiffness number falls below FINE. */
static const double SHORTER = 0.1, FINE = 0.3;

/* A contact rests if it moves by less than so many tolerances. */
static const double STILL = 10;

/* An end of contact nearer to the start of a step than this share of it counts as at the start. */
static const double NEAR = 1e-3;

/* In roundings of the forces: errors allowed where a contact alone decides, and those below which no step falls,
 * whatever the user asks for. A step that is kept short by rounding does not reduce it, and only makes more steps. */
static const double ALLOWED = 4, LEAST = 1.0 / 256;

/* Tolerances: the tightest of a contact, and those of other coordinates where the user's method has none. */
static const double TIGHTEST = 1e-14, RTOL = 1e-9, ATOL = 1e-12;

/* Share taken of the step that would just meet the tolerance, which is steady while a contact with smooth forces lasts;
 * at most, towards its end. The last step ends beyond that by more than is known of it: by twice what a guard may fall
 * by the error of the integration (tolerances, in periods), and a share of what was left. */
static const double BOLD = 0.9, BOLDEST = 0.97, FALLEN = 20, BEYOND = 1.002;
enum { MOST_AIMED = 4 };

/* What ends nearer than this share of a step is not worth one of its own: there its polynomial is exact as well. */
static const double NEAREST = 0.1;

/* ---- methods ---- */

static double longest_step(const pc_contact_phase *s)
{
    return s->method->ode->stiff ? INFINITY : PC_PHASE_NEAR * s->period;
}

/* Forces of contacts with a history are smooth but for small kinks, on steps that are short by themselves. */
static bool has_history(const pc_contact_phase *s)
{
    const pc_compliant *c = s->compliant;
    for (int i = 0; i < c->n; i++)
        if (pc_contact_has_rings(&c->contact[i].base)) return true;
    return false;
}

static const pc_phase_method explicit_kinked = {.ode = &pc_ode_dopri5, .serves = has_history, .longest = longest_step};
static const pc_phase_method explicit_smooth = {.ode = &pc_ode_dop853, .longest = longest_step};
static const pc_phase_method implicit = {.ode = &pc_ode_rodas5p, .longest = longest_step};

static const pc_phase_method *const methods[] = {&explicit_kinked, &pc_phase_collocation, &explicit_smooth, &implicit};

/* The first method that serves the closed contacts, of those that are stiff or of those that are not; the user's serves
 * all. */
static const pc_phase_method *method_for(const pc_contact_phase *s, bool is_stiff)
{
    if (s->own.ode) return &s->own;
    const pc_phase_method *const *m = methods;
    while ((*m)->ode->stiff != is_stiff || ((*m)->serves && !(*m)->serves(s))) m++;
    return *m;
}

/* ---- room ---- */

/* Room for all contacts for which the state has it. Sizes that were measured stay; workspace is lost. */
static pc_status reserve(pc_contact_phase *s, pc_error *err)
{
    size_t closed = s->compliant->room, n = (size_t)s->mechanics->n, rows = (size_t)pc_compliant_rows(s->compliant);
    size_t measured = 2 * n + rows * s->room, room = 2 * n + rows * closed, tables = 2 * n * closed;
    if (s->scale && closed <= s->room) return PC_OK;
    double *scale = pc_calloc(5 * room + 2 * tables, sizeof *scale);
    pc_column columns[PC_GUARD_PLACES + 3] = {PC_COLUMN(s->given)};
    for (int j = 0; j < PC_GUARD_PLACES; j++) columns[1 + j] = (pc_column)PC_COLUMN(s->node[j]);
    columns[PC_GUARD_PLACES + 1] = (pc_column)PC_COLUMN(s->mobility);
    columns[PC_GUARD_PLACES + 2] = (pc_column)PC_COLUMN(s->pairing);
    if (!scale || !pc_columns_reserve(columns, PC_GUARD_PLACES + 3, &s->room, closed)) {
        pc_free(scale);
        return pc_fail(err, PC_E_MEMORY, "not enough memory for the contacts of a motion");
    }
    if (s->scale) memcpy(scale, s->scale, measured * sizeof *scale);
    pc_free(s->scale);
    s->problem.ode.scale = s->scale = scale;
    s->base = s->scale + room;
    s->a = s->base + room;
    s->spare = s->a + room;
    s->rates = s->spare + room;
    s->unit = s->rates + room;
    s->slope = s->unit + tables;
    return PC_OK;
}

pc_status pc_contact_phase_open(pc_contact_phase *s, pc_contacts *contacts, pc_compliant *compliant,
                                const pc_mechanics *mechanics, pc_block *block, const pc_contact_phase_options *options,
                                pc_error *err)
{
    *s = (pc_contact_phase){.mechanics = mechanics,
                            .contacts = contacts,
                            .compliant = compliant,
                            .block = block,
                            .options = *options,
                            .own = {.ode = options->method, .longest = longest_step}};
    pc_ode_settings *settings = &s->options.settings;
    if (!(settings->rtol > 0)) settings->rtol = RTOL; /* a method of fixed steps for what is free */
    if (!(settings->atol > 0)) settings->atol = ATOL;
    if (!(options->time_scale > 0)) s->options.time_scale = INFINITY;
    s->tolerance = fmax(settings->rtol, TIGHTEST);
    s->problem = (pc_spring_problem){.ode = {.rhs = pc_contact_phase_rhs,
                                             .jacobian = pc_contact_phase_jacobian,
                                             .context = s,
                                             .n_positions = mechanics->n,
                                             .autonomous = !mechanics->driven},
                                     .springs = pc_contact_phase_springs,
                                     .others = pc_contact_phase_others};
    return reserve(s, err);
}

static void collect_statistics(pc_contact_phase *s)
{
    pc_ode_statistics_add(&s->statistics, &s->stepper.statistics);
    s->stepper.statistics = (pc_ode_statistics){0};
}

void pc_contact_phase_close(pc_contact_phase *s)
{
    pc_stepper_close(&s->stepper);
    pc_free(s->scale);
    pc_free(s->given); /* the first of its lists */
    s->scale = NULL;
    s->given = NULL;
    s->room = 0;
}

/* ---- sizes ---- */

static double weight(const pc_contact_phase *s, double y)
{
    return (s->options.settings.atol + s->options.settings.rtol * fabs(y)) / s->tolerance;
}

void pc_contact_phase_respond(pc_contact_phase *s, int which, double *share)
{
    const pc_compliant *c = s->compliant;
    const pc_contact_set one = {1, &c->contact[which].pair, &c->touch[which]};
    const int n = s->mechanics->n;
    s->mobility[which] = 0;
    memset(share, 0, (size_t)n * sizeof *share);
    for (int axis = 0; axis < 2; axis++) {
        pc_mechanics_jump(s->mechanics, &one, (double[2]){axis == PC_T, axis == PC_N}, s->a);
        for (int j = 0; j < n; j++) share[j] += fabs(s->a[j]);
        for (int i = 0; i < c->n; i++) {
            double v[2];
            pc_mechanics_change(s->mechanics, c->contact[i].pair, &c->touch[i], s->a, v);
            s->mobility[which] += (axis == PC_N ? 1 : s->pairing[which].friction) * fabs(v[PC_N]);
        }
    }
}

/* What is locked moves by rounding alone, of which no step can ask more than of what it is locked to: its share of a
 * contact's motion is at least that of the greatest, by their sizes. */
static void share_locked(const pc_contact_phase *s, const double *size, double *share)
{
    double most = 0;
    for (int j = 0; j < s->mechanics->n; j++)
        if (size[j] > 0) most = fmax(most, share[j] / size[j]);
    for (int j = 0; j < s->mechanics->n; j++)
        if (share[j] > 0) share[j] = fmax(share[j], most * size[j]);
}

/* The size of each component is that of the contact which moves it least; coordinates far from any keep the user's
 * tolerances, and none is asked for more than its rounding, nor for more than that of the forces on it. */
static int measure(pc_contact_phase *s, double t, const double *y)
{
    const pc_compliant *c = s->compliant;
    int n = s->mechanics->n;
    double *size_q = s->scale, *size_u = size_q + n, *rows = size_u + n, *share = s->base, *least = s->spare;
    int got = pc_mechanics_place(s->mechanics, t, y);
    if (got != 0) return got;
    for (int j = 0; j < 2 * n; j++) {
        s->scale[j] = weight(s, y[j]);
        least[j] = 8 * DBL_EPSILON * fabs(y[j]) / s->tolerance;
    }
    if (s->mechanics->provider->sizes)
        s->mechanics->provider->sizes(s->mechanics->self, s->mechanics->at, s->rates);
    else
        memset(s->rates, 0, 2 * (size_t)n * sizeof *s->rates);
    pc_compliant_evaluate(s->compliant, s->mechanics);
    for (int i = 0; i < c->n; i++) s->pairing[i] = *pc_mechanics_pairing(s->mechanics, c->contact[i].pair);
    double fastest = 0;
    for (int i = 0; i < c->n; i++) fastest = fmax(fastest, c->contact[i].speed);
    s->period = INFINITY;
    for (int i = 0; i < c->n; i++, rows += pc_compliant_rows(c)) {
        const pc_compliant_contact *contact = &c->contact[i];
        /* a gap rounds like the lengths in it, and the force with it: one that has no bound the more the nearer it is
         * to its end, where it grows like the inverse root */
        double length = s->pairing[i].length, parting = contact->base.parting;
        double rounding = DBL_EPSILON * length / (s->tolerance * contact->length),
               allowed = fmax(1, ALLOWED * rounding);
        double floor = LEAST * rounding * (parting > 0 ? sqrt(contact->length / parting) : 1);
        double mass = contact->mass, speed = contact->speed, own = contact->length, slow = sqrt(s->tolerance) * fastest;
        if (speed < slow) { /* beside what goes on elsewhere it is nothing */
            speed = slow;
            own = fmax(own, s->pairing[i].law->element->length(s->pairing[i].params, mass, slow));
        }
        double v = speed * allowed, l = own * allowed, force = mass * v * v / l;
        pc_contact_phase_respond(s, i, share);
        share_locked(s, s->rates, share);
        for (int j = 0; j < n; j++) {
            if (share[j] == 0) continue;
            size_q[j] = fmin(size_q[j], l * mass * share[j]);
            size_u[j] = fmin(size_u[j], v * mass * share[j]);
            least[j] = fmax(least[j], floor * contact->length * mass * share[j]);
            least[n + j] = fmax(least[n + j], floor * contact->speed * mass * share[j]);
        }
        rows[PC_ROW_Q] = contact->base.p.tangential.kind == PC_TANGENTIAL_MINDLIN ? force : l;
        rows[PC_ROW_PT] = rows[PC_ROW_PN] = mass * v;
        rows[PC_ROW_WN] = rows[PC_ROW_WT] = rows[PC_ROW_WF] = mass * v * v;
        for (int j = 0; j < c->memory; j++) rows[PC_ROWS + j] = allowed;
        /* the power of rings jumps where one of them sticks or slips; the works are put right after the step */
        if (pc_contact_has_rings(&contact->base)) rows[PC_ROW_WT] = rows[PC_ROW_WF] = INFINITY;
        s->period = fmin(s->period, l / v);
    }
    s->response_time = fmin(s->period, 1 / pc_contact_phase_fastest(s));
    for (int j = 0; j < 2 * n; j++) s->scale[j] = fmax(s->scale[j], least[j]);
    return 0;
}

/* ---- steps ---- */

static double first_step_of(const pc_contact_phase *s, const pc_phase_method *method)
{
    pc_phase_first_step k = method->first_step;
    if (s->first_step[k] > 0) return s->first_step[k];
    return first_steps[k].times * method->ode->safety * pow(s->tolerance, 1 / first_steps[k].root);
}

/* One contact follows another: a stepper of the same method and size serves again. */
static pc_status begin(pc_contact_phase *s, double h, pc_error *err)
{
    int n = 2 * s->mechanics->n + pc_compliant_rows(s->compliant) * s->compliant->n;
    pc_ode_settings settings = {.rtol = 0,
                                .atol = s->tolerance,
                                .max_step = fmin(s->method->longest(s), s->options.time_scale),
                                .max_steps = s->options.settings.max_steps};
    collect_statistics(s);
    bool fresh = !s->stepper.memory || s->stepper.method != s->method->ode || s->problem.ode.n != n;
    if (fresh || s->method->ode->step) { /* what chooses its own steps may keep settings of its own */
        pc_stepper_close(&s->stepper);
        s->problem.ode.n = n;
        s->problem.ode.scale = s->scale;
        pc_status status = pc_stepper_open(&s->stepper, s->method->ode, &s->problem.ode, &settings, err);
        if (status != PC_OK) return status;
    }
    s->stepper.settings = settings;
    s->point = -1;
    s->open = true;
    s->stepper.h_next = h;
    s->at_limit = 0;
    return PC_OK;
}

/* True if there is a quicker way for the closed contacts, of which it has to ask for no force. */
static bool is_direct(const pc_contact_phase *s)
{
    const pc_compliant *c = s->compliant;
    if (s->contacts->n > 0 || !s->options.shortcut.serves) return false;
    for (int i = 0; i < c->n; i++)
        if (pc_contact_is_constrained(&c->contact[i].base) || c->contact[i].base.rolling > 0) return false;
    return s->options.shortcut.serves(s->options.shortcut.self, c);
}

/* How much of its answer to a normal force a contact keeps where those that last and stick hold it, each by itself. The
 * accelerations were found last. */
static double share_free(const pc_contact_phase *s, int which)
{
    const pc_compliant_contact *c = &s->compliant->contact[which];
    const pc_touch *touch = &s->compliant->touch[which];
    const pc_contacts *held = s->contacts;
    const int side = 2 * s->block->n;
    double v[2], own, least = 1;
    if (held->n == 0) return 1;
    pc_mechanics_jump(s->mechanics, &(pc_contact_set){1, &c->pair, touch}, (double[2]){[PC_N] = 1}, s->a);
    pc_mechanics_change(s->mechanics, c->pair, touch, s->a, v);
    own = v[PC_N];
    for (int k = 0; k < held->n; k++) {
        const double W = s->block->W[(2 * k + PC_T) * (side + 1)] * own;
        if (held->mode[k] != 0 || !(W > 0)) continue;
        pc_mechanics_change(s->mechanics, held->pair[k], &held->touch[k], s->a, v);
        least = fmin(least, 1 - v[PC_T] * v[PC_T] / W);
    }
    return least > PC_CLEARLY ? least : 0;
}

pc_status pc_contact_phase_start(pc_contact_phase *s, double t, const double *y, pc_error *err)
{
    const pc_compliant *c = s->compliant;
    pc_status status = reserve(s, err);
    if (status != PC_OK) return status;
    const pc_phase_method *method = method_for(s, false);
    if (!s->open || s->version != c->version || (s->method != method && !s->method->ode->stiff)) {
        double h = s->open ? s->stepper.h_next : INFINITY;
        if (measure(s, t, y) != 0) return pc_mechanics_stopped(t, err);
        s->first = c->n > s->n;
        if (s->first) h = fmin(h, first_step_of(s, method) * s->response_time);
        s->n = c->n;
        s->version = c->version;
        s->method = method;
        status = begin(s, h, err);
    }
    s->direct = is_direct(s);
    s->evaluated = false;
    s->point = -1;
    if (status == PC_OK) status = pc_stepper_start(&s->stepper, t, y, err);
    if (status != PC_OK) return status;
    s->stiffness_number = NAN;
    if (!s->evaluated && pc_contact_phase_evaluate(s, t, y, true) != 0) return pc_mechanics_stopped(t, err);
    memcpy(s->node[PC_GUARD_PLACES - 1], c->now, (size_t)c->n * sizeof *c->now);
    s->free = 0;
    for (int i = 0; i < c->n; i++) s->free = fmax(s->free, share_free(s, i));
    return PC_OK;
}

void pc_contact_phase_adopt_rows(pc_contact_phase *s, const double *y)
{
    size_t n = 2 * (size_t)s->mechanics->n, rows = (size_t)(s->compliant->n * pc_compliant_rows(s->compliant));
    memcpy(s->stepper.y + n, y + n, rows * sizeof *y);
}

void pc_contact_phase_leave(pc_contact_phase *s)
{
    collect_statistics(s);
    s->open = false;
    s->n = 0;
}

/* True if no contact swings at the end of a step, as far as tolerance and rounding of gaps tell: what is pressed rests,
 * slides or rolls, or just turns, which it does not do at the ends of so many steps. */
static bool is_quiet(const pc_contact_phase *s)
{
    const pc_compliant *c = s->compliant;
    for (int i = 0; i < c->n; i++) {
        const pc_contact *contact = &c->contact[i].base;
        const pc_contact_values *m = &s->node[PC_GUARD_PLACES - 1][i];
        double length = s->pairing[i].length;
        double small = fmax(STILL * s->tolerance * c->contact[i].speed, STILL * DBL_EPSILON * length / s->period);
        if (pc_contact_has_rings(contact) || fabs(m->dw) * s->period > small) return false;
        if (contact->stuck && fabs(m->dv_t) * s->period > small) return false;
    }
    return true;
}

/* Where all is quiet the rounding of places makes forces, and in the time of a swing velocities, that would keep steps
 * as short as that: these are not asked for more. */
static void allow_rounding(pc_contact_phase *s)
{
    int n = s->mechanics->n;
    for (int j = 0; j < n; j++)
        s->scale[n + j] = fmax(s->scale[n + j], 8 * DBL_EPSILON * fabs(s->stepper.y[j]) / (s->period * s->tolerance));
}

/* Count the steps whose length speaks for the other method; change to it when there have been enough. Collocation knows
 * what is stiff, and goes on until that changes so much in a step that its passes do not converge. Where all is quiet
 * an explicit step could be longer but for what no longer moves, and one of collocation but for guards in between, or
 * for what it lets ring. */
static pc_status choose(pc_contact_phase *s, pc_error *err)
{
    if (s->own.ode || isnan(s->stiffness_number)) return PC_OK;
    bool stiff = s->method->ode->stiff,
         other = stiff ? s->stiffness_number < NOT_STIFF : s->stiffness_number > PC_PHASE_EDGE;
    if (s->method->follows_any_rate) other = other && s->rejected;
    double h_next = s->stepper.h_next;
    bool rings = s->stiffness_number > PC_PHASE_EDGE && h_next < EASY * s->stepper.h;
    bool held_up = s->rejected || s->rejected_before || rings || h_next > EASY * s->stepper.settings.max_step;
    bool quiet = !stiff && held_up && is_quiet(s);
    other = other || quiet;
    s->at_limit = other ? s->at_limit + 1 : 0;
    if (s->at_limit < (stiff ? NOT_STIFF_STEPS : quiet ? QUIET_STEPS : STIFF_STEPS)) return PC_OK;
    if (quiet) allow_rounding(s);
    double h = s->stepper.h_next, t = s->stepper.t;
    memcpy(s->base, s->stepper.y, (size_t)s->problem.ode.n * sizeof *s->base);
    s->method = method_for(s, !stiff);
    pc_status status = begin(s, h, err);
    return status == PC_OK ? pc_stepper_start(&s->stepper, t, s->base, err) : status;
}

/* Histories are carried on at the end of steps, which they keep short. */
static void limit_step(pc_contact_phase *s)
{
    const pc_compliant *c = s->compliant;
    for (int i = 0; i < c->n; i++)
        if (pc_contact_has_rings(&c->contact[i].base))
            s->stepper.h_next = fmin(s->stepper.h_next, c->contact[i].base.rings->step);
}

/* Time from the end of the last step until the normal force of a contact is zero, if it goes on as that of a linear
 * spring and damper under the load that is on it: about that load it swings by R cos(rate t - phase). */
static double time_left(const pc_contact_phase *s, int which)
{
    const pc_compliant_contact *c = &s->compliant->contact[which];
    const pc_contact_values *m = &s->node[PC_GUARD_PLACES - 1][which];
    double damping = m->n.dFdw / c->mass / 2, square = m->n.dFdu / c->mass - damping * damping;
    if (!(square > 0) || c->base.p.root != 1) return INFINITY;
    double rate = sqrt(square), load = m->Fn + c->mass * m->dw;
    double swing[2] = {m->Fn - load, (m->dFn + damping * (m->Fn - load)) / rate}, most = hypot(swing[0], swing[1]);
    return fabs(load) < most ? (atan2(swing[1], swing[0]) + acos(-load / most)) / rate : INFINITY;
}

/* The longest explicit step that is as exact inside as at its end, where nothing takes over at the edge of stability:
 * from the user's method, and from any that corrections begin afresh at every step. */
static double stable_step(const pc_contact_phase *s)
{
    bool stays = s->own.ode || isnan(s->stiffness_number);
    if (!stays || s->method->follows_any_rate) return INFINITY;
    return PC_PHASE_EDGE / (pc_contact_phase_fastest(s) * sqrt(s->free));
}

/* Length of the next step, so that the end of a contact falls near one of its own. */
static void choose_step(pc_contact_phase *s)
{
    const pc_compliant *c = s->compliant;
    double left = INFINITY, longest = s->stepper.h_next / s->method->ode->safety;
    double stable = stable_step(s), most = fmin(fmin(BOLDEST * longest, s->stepper.settings.max_step), stable);
    bool smooth = true;
    for (int i = 0; i < c->n; i++) {
        left = fmin(left, time_left(s, i));
        smooth &= c->contact[i].base.p.root == 1;
    }
    double steps = ceil(left / most);
    if (smooth) s->stepper.h_next = BOLD * longest;
    if (left > NEAREST * most && steps <= MOST_AIMED)
        s->stepper.h_next = steps == 1 ? left * BEYOND + FALLEN * s->tolerance * s->period : left / steps;
    s->stepper.h_next = fmin(s->stepper.h_next, stable);
}

static pc_status make_step(pc_contact_phase *s, double t_end, pc_guard_fall *change, pc_error *err)
{
    limit_step(s);
    long rejected = s->stepper.statistics.rejected;
    pc_status status = pc_stepper_step(&s->stepper, t_end, err);
    s->rejected_before = s->rejected;
    s->rejected = s->stepper.statistics.rejected > rejected;
    return status == PC_OK ? pc_contact_phase_find_change(s, change, err) : status;
}

/* A force that is no smooth function of u is singular at the end of the contact, and the polynomial of a step across it
 * is less exact than the step: make the step again up to there, unless it begins there. */
static bool is_singular(const pc_contact_phase *s, const pc_guard_fall *change)
{
    const pc_stepper *step = &s->stepper;
    if (change->guard != PC_GUARD_RELEASE || !(change->x < 1 && change->x > NEAR)) return false;
    if (change->x * fabs(step->h) <= pc_one_instant(step->t_old, step->h)) return false;
    return s->compliant->contact[change->contact].base.p.root > 1;
}

/* Make the last step again, up to its fraction x. */
static pc_status repeat_step(pc_contact_phase *s, double x, pc_guard_fall *change, pc_error *err)
{
    double t = s->stepper.t_old + x * s->stepper.h;
    pc_status status = pc_stepper_start(&s->stepper, s->stepper.t_old, s->stepper.y_old, err);
    memcpy(s->node[PC_GUARD_PLACES - 1], s->node[0], (size_t)s->compliant->n * sizeof *s->node[0]);
    return status == PC_OK ? make_step(s, t, change, err) : status;
}

/* True if a mode that has just begun would end at once, in a step that does not resolve it. */
static bool changes_at_start(const pc_contact_phase *s, const pc_guard_fall *change)
{
    return s->unresolved && change->x == 0 && change->guard != PC_GUARD_RELEASE;
}

pc_status pc_contact_phase_step(pc_contact_phase *s, double t_end, pc_guard_fall *change, pc_error *err)
{
    pc_status status = choose(s, err);
    if (status == PC_OK && !s->method->ode->stiff) choose_step(s);
    if (status == PC_OK) status = make_step(s, t_end, change, err);
    while (status == PC_OK && changes_at_start(s, change) && s->stiffness_number > FINE)
        status = repeat_step(s, SHORTER, change, err);
    if (status == PC_OK && is_singular(s, change)) {
        double h = s->stepper.h_next;
        status = repeat_step(s, change->x, change, err);
        s->stepper.h_next = h;
    }
    if (status != PC_OK) return status;
    if (s->first) s->first_step[s->method->first_step] = s->stepper.h_next / s->response_time;
    s->first = false;
    return pc_contact_phase_record_peaks(s, fmin(change->x, 1), err);
}

bool pc_contact_phase_rests(pc_contact_phase *s, double t, const double *y)
{
    int n = s->mechanics->n;
    const double *u = y + n, *size = s->scale + n;
    for (int j = 0; j < n; j++)
        if (fabs(u[j]) > STILL * s->tolerance * size[j]) return false;
    if (pc_mechanics_place(s->mechanics, t, y) != 0) return false;
    if (pc_contacts_accelerate(s->contacts, s->compliant, s->mechanics, s->block, s->a) != 0) return false;
    for (int j = 0; j < n; j++)
        if (fabs(s->a[j]) * s->period > STILL * s->tolerance * size[j]) return false;
    return true;
}
