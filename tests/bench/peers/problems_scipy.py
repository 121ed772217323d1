"""The problems of this folder by SciPy: solve_ivp with events that end it, restarted at each. Prints the lines that
problems.lua prints."""
import math
import time

import numpy as np
from scipy.integrate import solve_ivp

IMPACT, HEIGHT, LAST, VDP = -0.28897110924013369, 4.7190375636423258, 5.4218479947820, 1.706167732170483


def event(function, direction=0):
    """An event that ends the integration."""
    function.terminal, function.direction = True, direction
    return function


def impact(method, tolerance):
    """A sphere, normal and tangential spring, Coulomb friction: sticking and slipping by turns. u_n > 0 in contact."""
    m, kn, mu = 0.0021, 1.5e7, 0.5
    kt = kn / 1.21

    def slip(t, y):  # y: u_n, v_n, v_t, u_t, with u_t held at the limit of friction
        force = -sign * mu * kn * y[0]
        return [-y[1], kn * y[0] / m, 3.5 * force / m, -sign * mu * kn / kt * y[1]]

    def stick(t, y):
        return [-y[1], kn * y[0] / m, -3.5 * kt * y[3] / m, y[2]]

    ends = event(lambda t, y: y[0], -1)
    arrests = event(lambda t, y: sign * (y[2] + sign * mu * kn / kt * y[1]), -1)
    yields = event(lambda t, y: mu * kn * y[0] - kt * abs(y[3]), -1)
    sign, mode, t, y = 1, slip, 0.0, [0.0, -1.0, 1.0, 0.0]
    scale = np.array([1e-5, 1.0, 1.0, 1e-5])
    while True:
        events = [ends, arrests] if mode is slip else [ends, yields]
        got = solve_ivp(mode, (t, 1e-4), y, method=method, rtol=tolerance, atol=tolerance * scale, events=events)
        t, y = got.t[-1], got.y[:, -1]
        if len(got.t_events[0]):
            return abs(y[2] - IMPACT)
        if mode is slip:
            mode = stick
        else:
            mode, sign = slip, math.copysign(1, y[3])


def ball(method, tolerance):
    floor = event(lambda t, y: y[0], -1)
    t, y = 0.0, [10.0, 0.0]
    while True:
        got = solve_ivp(lambda t, y: [y[1], -9.82], (t, 7), y, method=method, rtol=tolerance, atol=tolerance,
                        events=floor)
        t, y = got.t[-1], got.y[:, -1]
        if got.status == 0:
            return abs(y[0] - HEIGHT)
        y = [0.0, -0.9 * y[1]]


def kepler(method, tolerance):
    def orbit(t, y):
        r3 = (y[0] * y[0] + y[1] * y[1]) ** 1.5
        return [y[2], y[3], -y[0] / r3, -y[1] / r3]

    passage = lambda t, y: y[1]
    got = solve_ivp(orbit, (0, 39.5 * math.pi), [0.5, 0, 0, math.sqrt(3)], method=method, rtol=tolerance,
                    atol=tolerance, events=passage)
    times = [t for t in got.t_events[0] if t > 0.1]
    return max(abs(t - (i + 1) * math.pi) for i, t in enumerate(times)) if len(times) == 39 else math.inf


def pendulum(method, tolerance):
    m1, l1, c1, j1 = 3.2, 0.5, 0.25, 0.0676
    m2, c2, j2, reach, radius, g = 3.8, 0.3627, 0.164, 0.65, 0.05, 9.81
    a, d = j1 + m1 * c1 * c1 + m2 * l1 * l1, j2 + m2 * c2 * c2

    def motion(t, y):
        b, h = m2 * l1 * c2 * math.cos(y[0] - y[1]), m2 * l1 * c2 * math.sin(y[0] - y[1])
        p = -h * y[3] ** 2 - (m1 * c1 + m2 * l1) * g * math.sin(y[0])
        q = h * y[2] ** 2 - m2 * c2 * g * math.sin(y[1])
        det = a * d - b * b
        return [y[2], y[3], (d * p - b * q) / det, (a * q - b * p) / det]

    floor = event(lambda t, y: 0.9 - radius - l1 * math.cos(y[0]) - reach * math.cos(y[1]), -1)
    t, y, impacts = 0.0, [math.radians(140), math.radians(-90), 1.2, -0.5], 0
    while True:
        got = solve_ivp(motion, (t, 6), y, method=method, rtol=tolerance, atol=tolerance, events=floor)
        if got.status == 0:
            return math.inf
        t, y, impacts = got.t[-1], got.y[:, -1], impacts + 1
        if impacts == 6:
            return abs(t - LAST)
        r, s = l1 * math.sin(y[0]), reach * math.sin(y[1])
        b = m2 * l1 * c2 * math.cos(y[0] - y[1])
        det = a * d - b * b
        u, v = (d * r - b * s) / det, (a * s - b * r) / det
        p = -1.9 * (r * y[2] + s * y[3]) / (r * u + s * v)
        y = [y[0], y[1], y[2] + p * u, y[3] + p * v]


def vdp(method, tolerance):
    got = solve_ivp(lambda t, y: [y[1], 1000 * (1 - y[0] * y[0]) * y[1] - y[0]], (0, 2000), [2, 0], method=method,
                    rtol=tolerance, atol=tolerance)
    return abs(got.y[0, -1] - VDP)


for problem, methods in ((impact, ("DOP853", "LSODA")), (ball, ("DOP853", "LSODA")), (kepler, ("DOP853", "LSODA")),
                         (pendulum, ("DOP853", "LSODA")), (vdp, ("LSODA", "Radau"))):
    for method in methods:
        for exponent in range(4, 13):
            least = math.inf
            for _ in range(3):
                start = time.perf_counter()
                error = problem(method, 10.0 ** -exponent)
                least = min(least, time.perf_counter() - start)
            print(problem.__name__, "scipy-" + method, f"{max(error, 1e-17):.3e} {least:.3e}", flush=True)
