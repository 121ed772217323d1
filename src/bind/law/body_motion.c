/* Motion tables: from what a script says about a velocity to the velocities of body and contact point. */
#include "bind/core/array.h"
#include "bind/law/body.h"

#include <math.h>
#include <string.h>

/* Keys known to every body. Velocities with names of their own ("rate") come from the body. */
typedef enum key { VT, VN, VT2, SPEED, INCIDENCE, AZIMUTH, V, OMEGA, RATES, N_KEYS } key;

static const char *const words[N_KEYS] = {"vt", "vn", "vt2", "speed", "incidence", "azimuth", "v", "omega", "rates"};

static const pc_row motion_rows[] = {
    {.name = "vt",
     .kind = PC_REAL,
     .unit = PC_UNIT_M_PER_S,
     .initial = PC_ABSENT,
     .doc = "of the contact point, along t"},
    {.name = "vn",
     .kind = PC_REAL,
     .unit = PC_UNIT_M_PER_S,
     .initial = PC_ABSENT,
     .doc = "of the contact point, along n; below 0 it approaches"},
    {.name = "vt2",
     .kind = PC_REAL,
     .unit = PC_UNIT_M_PER_S,
     .initial = PC_ABSENT,
     .doc = "of the contact point, along the second tangent, in space"},
    {.name = "speed", .kind = PC_REAL, .unit = PC_UNIT_M_PER_S, .initial = PC_ABSENT, .doc = "of the contact point"},
    {.name = "incidence",
     .kind = PC_REAL,
     .unit = PC_UNIT_RAD,
     .initial = PC_ABSENT,
     .doc = "of that speed, from the normal"},
    {.name = "azimuth",
     .kind = PC_REAL,
     .unit = PC_UNIT_RAD,
     .initial = PC_ABSENT,
     .doc = "of that speed, from t towards t2, in space"},
    {.name = "v",
     .kind = PC_NUMBERS,
     .unit = PC_UNIT_M_PER_S,
     .initial = PC_ABSENT,
     .doc = "{ t, n[, t2] } of the mass centre of a free body"},
    {.name = "omega",
     .kind = PC_REAL,
     .also = PC_ALSO(PC_NUMBERS),
     .unit = PC_UNIT_RAD_PER_S,
     .initial = PC_ABSENT,
     .doc = "of a free body; in space a list"},
    {.name = "rates",
     .kind = PC_NUMBERS,
     .unit = PC_UNIT_RAD_PER_S,
     .initial = PC_ABSENT,
     .doc = "of all joints of a body on joints; each may be given by its name instead, as in rate ="},
};

const pc_schema pc_motion_schema = {.name = "motion", PC_ROWS(motion_rows)};

#define BIT(key) (1u << (key))
#define CONTACT (BIT(VT) | BIT(VN) | BIT(VT2))
#define POLAR (BIT(SPEED) | BIT(INCIDENCE) | BIT(AZIMUTH))
#define FREE (BIT(V) | BIT(OMEGA))
#define OWN BIT(N_KEYS) /* a named velocity of the body */

typedef struct reading {
    lua_State *L;
    const pc_body *body;
    unsigned seen;
    double number[N_KEYS]; /* of the keys that are numbers */
    double v[3], omega[3]; /* of the list V, and of OMEGA */
    double *u;
    unsigned own; /* bit i: velocity i was given by its name */
} reading;

static int refuse_key(reading *r, const char *name)
{
    const char *known[N_KEYS + PC_BODY_DOF];
    int n = 0;
    for (int i = 0; r->body->form == PC_BODY_JOINTED && i < r->body->dof; i++) known[n++] = r->body->names[i];
    for (int k = 0; k < N_KEYS; k++) known[n++] = words[k];
    const char *near = pc_nearest(name, known, n);
    if (near) return pc_refuse(r->L, "the motion has no parameter '%s'; did you mean '%s'?", name, near);
    return pc_refuse(
        r->L, "the motion has no parameter '%s'; it has vt and vn, speed and incidence, or the body's own velocities",
        name);
}

static double read_number(reading *r, int index, const char *name)
{
    if (lua_type(r->L, index) != LUA_TNUMBER)
        pc_refuse(r->L, "motion: %s must be a number, not a %s", name, luaL_typename(r->L, index));
    double x = lua_tonumber(r->L, index);
    if (!isfinite(x)) pc_refuse(r->L, "motion: %s = %f must be finite", name, x);
    return x;
}

/* Exactly n numbers of the list at `index`. */
static void read_list(reading *r, int index, const char *name, double *out, int n)
{
    if (!pc_array_or_table(r->L, index))
        pc_refuse(r->L, "motion: %s must be a list of %d numbers, not a %s", name, n, luaL_typename(r->L, index));
    lua_Integer length = luaL_len(r->L, index);
    if (length != n) pc_refuse(r->L, "motion: %s must be a list of %d numbers, not %d", name, n, (int)length);
    for (int i = 0; i < n; i++) {
        lua_geti(r->L, index, i + 1);
        out[i] = read_number(r, lua_gettop(r->L), name);
        lua_pop(r->L, 1);
    }
}

static void read_omega(reading *r, int index)
{
    r->omega[0] = r->omega[1] = 0;
    if (r->body->spatial && lua_type(r->L, index) != LUA_TNUMBER)
        read_list(r, index, "omega", r->omega, 3);
    else
        r->omega[2] = read_number(r, index, "omega");
}

/* A velocity of the body by its name; false if it has none of that name. */
static bool read_own(reading *r, int index, const char *name)
{
    const pc_body *body = r->body;
    for (int i = 0; body->form == PC_BODY_JOINTED && i < body->dof; i++) {
        if (strcmp(name, body->names[i]) != 0) continue;
        r->u[i] = read_number(r, index, name);
        r->own |= 1u << i;
        r->seen |= OWN;
        return true;
    }
    return false;
}

/* One pair: the key at -2, the value on top. */
static void read_pair(reading *r)
{
    lua_State *L = r->L;
    int value = lua_gettop(L);
    if (lua_type(L, -2) != LUA_TSTRING) pc_refuse(L, "a motion has named entries only, as in { vt = 1, vn = -1 }");
    const char *name = lua_tostring(L, -2);
    int k = 0;
    while (k < N_KEYS && strcmp(name, words[k]) != 0) k++;
    if (k == N_KEYS) {
        if (!read_own(r, value, name)) refuse_key(r, name);
        return;
    }
    r->seen |= BIT(k);
    switch (k) {
    case V: read_list(r, value, name, r->v, r->body->spatial ? 3 : 2); break;
    case OMEGA: read_omega(r, value); break;
    case RATES: read_list(r, value, name, r->u, r->body->dof); break;
    default: r->number[k] = read_number(r, value, name);
    }
    if ((BIT(k) & (FREE | BIT(RATES))) && r->body->form == PC_BODY_DATA)
        pc_refuse(L, "motion: this body is known by its W alone and has no '%s'; give vt and vn", name);
    if ((BIT(k) & FREE) && r->body->form != PC_BODY_FREE)
        pc_refuse(L, "motion: '%s' belongs to a free body; this one moves by its joint: give '%s'", name,
                  r->body->dof == 1 ? r->body->names[0] : "rates");
    if ((BIT(k) & (BIT(VT2) | BIT(AZIMUTH))) && !r->body->spatial)
        pc_refuse(L, "motion: '%s' needs a body in space; this one moves in the plane", name);
}

/* The forms exclude one another: whoever gives two of them would have one ignored. */
static void refuse_mixture(reading *r)
{
    static const unsigned forms[] = {CONTACT, POLAR, FREE, BIT(RATES), OWN};
    static const char *const texts[] = {"vt, vn (of the contact point)", "speed, incidence (of the contact point)",
                                        "v, omega (of the mass centre)", "rates (all of the body's own velocities)",
                                        "the body's own velocities by name"};
    int first = -1;
    for (int i = 0; i < 5; i++) {
        if (!(r->seen & forms[i])) continue;
        if (first >= 0) pc_refuse(r->L, "motion: give either %s or %s, not both", texts[first], texts[i]);
        first = i;
    }
    if (first < 0)
        pc_refuse(r->L, "motion: give vt and vn of the contact point, speed and incidence, or the body's own "
                        "velocities");
}

/* True if a joint leaves the contact point of a planar body one direction; it is then proportional to (tn, nn). */
static bool is_guided(const pc_body *body)
{
    return body->form == PC_BODY_JOINTED && body->W.rank == 1 && !body->spatial;
}

static void from_contact(reading *r, double v[3])
{
    const pc_mobility *W = &r->body->W;
    bool t = r->seen & BIT(VT), n = r->seen & BIT(VN);
    v[PC_T] = t ? r->number[VT] : 0;
    v[PC_N] = n ? r->number[VN] : 0;
    v[PC_T2] = r->seen & BIT(VT2) ? r->number[VT2] : 0;
    if (is_guided(r->body) && t != n) {
        /* the other one follows; where it cannot, pc_body_velocities says why */
        if (n && W->nn > PC_RANK_TOLERANCE * W->tt) v[PC_T] = v[PC_N] * W->tn / W->nn;
        if (t && W->tt > PC_RANK_TOLERANCE * W->nn) v[PC_N] = v[PC_T] * W->tn / W->tt;
    } else if (!n) {
        pc_refuse(r->L, "motion: vn is needed (m/s, < 0 approaches)");
    }
}

static void from_polar(reading *r, double v[3])
{
    const pc_mobility *W = &r->body->W;
    if (!(r->seen & BIT(SPEED))) pc_refuse(r->L, "motion: speed is needed beside incidence (m/s)");
    double speed = r->number[SPEED], incidence = r->number[INCIDENCE];
    double azimuth = r->seen & BIT(AZIMUTH) ? r->number[AZIMUTH] : 0;
    if (speed < 0) pc_refuse(r->L, "motion: speed = %f m/s is not allowed; it must be >= 0 m/s", speed);
    if (!(r->seen & BIT(INCIDENCE))) {
        if (!is_guided(r->body) || W->nn <= PC_RANK_TOLERANCE * W->tt)
            pc_refuse(r->L, "motion: incidence is needed beside speed (rad from the normal; 0 is head-on)");
        double size = hypot(W->tn, W->nn);
        v[PC_T] = -speed * W->tn / size;
        v[PC_N] = -speed * W->nn / size;
        v[PC_T2] = 0;
        return;
    }
    const double quarter = 1.5707963267948966;
    if (fabs(incidence) > quarter) {
        if (fabs(incidence) > 4 * quarter)
            pc_refuse(r->L,
                      "motion: incidence = %f rad is not allowed; it must be from -pi/2 to pi/2 rad; did you "
                      "mean %f*percuss.deg?",
                      incidence, incidence);
        pc_refuse(r->L, "motion: incidence = %f rad is not allowed; it must be from -pi/2 to pi/2 rad", incidence);
    }
    v[PC_T] = speed * sin(incidence) * cos(azimuth);
    v[PC_N] = -speed * cos(incidence);
    v[PC_T2] = speed * sin(incidence) * sin(azimuth);
}

static void from_free(reading *r)
{
    if (!(r->seen & BIT(V))) pc_refuse(r->L, "motion: v is needed beside omega (velocity of the mass centre, m/s)");
    int half = r->body->spatial ? 3 : 2;
    memcpy(r->u, r->v, (size_t)half * sizeof *r->v);
    if (r->body->spatial)
        memcpy(r->u + half, r->omega, sizeof r->omega);
    else
        r->u[half] = r->omega[2];
}

void pc_body_motion_read(lua_State *L, int index, const pc_body *body, double *u, double v[3])
{
    reading r = {.L = L, .body = body, .u = u};
    index = lua_absindex(L, index);
    luaL_checkstack(L, 6, NULL);
    if (lua_type(L, index) != LUA_TTABLE)
        pc_refuse(L, "a motion is a table, as in { vt = 1, vn = -1 }, not %s%s", lua_isnoneornil(L, index) ? "" : "a ",
                  luaL_typename(L, index));
    lua_pushnil(L);
    while (lua_next(L, index)) {
        read_pair(&r);
        lua_pop(L, 1);
    }
    refuse_mixture(&r);

    if (r.seen & (CONTACT | POLAR)) {
        pc_error err = {0};
        if (r.seen & CONTACT)
            from_contact(&r, v);
        else
            from_polar(&r, v);
        if (body->dof == 0) return;
        if (pc_body_velocities(body, v, u, &err)) pc_refuse(L, "motion: %s", err.text);
    } else if (r.seen & FREE) {
        from_free(&r);
    } else if (r.seen & OWN) {
        for (int i = 0; i < body->dof; i++)
            if (!(r.own >> i & 1)) pc_refuse(L, "motion: %s is needed as well", body->names[i]);
    }
    pc_body_contact_velocity(body, u, v);
}

static void push_list(lua_State *L, const double *list, int n)
{
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_pushnumber(L, list[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

void pc_body_motion_push(lua_State *L, const pc_body *body, const double *u, const double v[3])
{
    static const char *const contact[] = {"vt", "vn", "vt2"};
    int half = body->spatial ? 3 : 2;
    lua_createtable(L, 0, 3);
    switch (body->form) {
    case PC_BODY_DATA:
        for (int i = 0; i < half; i++) {
            lua_pushnumber(L, v[i]);
            lua_setfield(L, -2, contact[i]);
        }
        break;
    case PC_BODY_FREE:
        push_list(L, u, half);
        lua_setfield(L, -2, "v");
        if (body->spatial)
            push_list(L, u + half, 3);
        else
            lua_pushnumber(L, u[half]);
        lua_setfield(L, -2, "omega");
        break;
    case PC_BODY_JOINTED:
        for (int i = 0; i < body->dof; i++) {
            lua_pushnumber(L, u[i]);
            lua_setfield(L, -2, body->names[i]);
        }
    }
    pc_record_seal(L, "");
}
