"""The ball of this folder by Siconos, with its two ways of simulation: time stepping (Moreau and Jean, midpoint), whose
impacts fall on steps, and event-driven with LSODAR. Prints the lines that problems.lua prints."""
import math
import time

import numpy as np
import siconos.kernel as sk

HEIGHT = 4.7190375636423258


def model():
    ball = sk.LagrangianLinearTIDS([10.0], [0.0], np.eye(1))
    ball.setFExtPtr([-9.82])
    touch = sk.Interaction(sk.NewtonImpactNSL(0.9), sk.LagrangianLinearTIR(np.array([[1.0]])))
    system = sk.NonSmoothDynamicalSystem(0, 7)
    system.insertDynamicalSystem(ball)
    system.link(touch, ball)
    return ball, system


def stepping(steps):
    ball, system = model()
    simulation = sk.TimeStepping(system, sk.TimeDiscretisation(0, 7 / steps), sk.MoreauJeanOSI(0.5), sk.LCP())
    while simulation.hasNextEvent():
        simulation.computeOneStep()
        simulation.nextStep()
    return abs(ball.q()[0] - HEIGHT)


def event_driven(interval):
    """Results are wanted at the multiples of `interval`; impacts are located between them."""
    ball, system = model()
    simulation = sk.EventDriven(system, sk.TimeDiscretisation(0, interval))
    simulation.insertIntegrator(sk.LsodarOSI())
    simulation.insertNonSmoothProblem(sk.LCP(), sk.SICONOS_OSNSP_ED_IMPACT)
    simulation.insertNonSmoothProblem(sk.LCP(), sk.SICONOS_OSNSP_ED_SMOOTH_ACC)
    simulation.initialize()
    while simulation.hasNextEvent():
        simulation.advanceToEvent()
        simulation.processEvents()
    return abs(ball.q()[0] - HEIGHT)


for tool, solve, settings in (("moreau", stepping, (10**3, 10**4, 10**5)), ("lsodar", event_driven, (0.5,))):
    for setting in settings:
        least = math.inf
        for _ in range(3):
            start = time.perf_counter()
            error = solve(setting)
            least = min(least, time.perf_counter() - start)
        print("ball", "siconos-" + tool, f"{max(error, 1e-17):.3e} {least:.3e}", flush=True)
