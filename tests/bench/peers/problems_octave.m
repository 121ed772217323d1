% The problems of this folder by Octave: ode45 with events that end it, ode15s and lsode for the stiff one. Prints the
% lines that problems.lua prints. ode45 warns of every event that ends it.
1;
warning("off", "all");

function [value, ends, direction] = floor_event(t, y)
    value = y(1); ends = 1; direction = -1;
end

function err = ball(tol)
    options = odeset("RelTol", tol, "AbsTol", tol, "Events", @floor_event);
    t = 0; y = [10; 0];
    while true
        [ts, ys, te, ye, ie] = ode45(@(t, y) [y(2); -9.82], [t, 7], y, options);
        t = ts(end); y = ys(end, :)';
        if t >= 7, err = abs(y(1) - 4.7190375636423258); return, end
        y = [0; -0.9 * y(2)];
    end
end

function f = orbit(t, y)
    r3 = (y(1)^2 + y(2)^2)^1.5;
    f = [y(3); y(4); -y(1)/r3; -y(2)/r3];
end

function [value, ends, direction] = passage_event(t, y)
    value = y(2); ends = 0; direction = 0;
end

function err = kepler(tol)
    options = odeset("RelTol", tol, "AbsTol", tol, "Events", @passage_event);
    [ts, ys, te] = ode45(@orbit, [0, 39.5*pi], [0.5; 0; 0; sqrt(3)], options);
    te = te(te > 0.1);
    err = Inf;
    if numel(te) == 39, err = max(abs(te(:) - (1:39)' * pi)); end
end

function f = motion(t, y)
    b = 3.8*0.5*0.3627*cos(y(1) - y(2)); h = 3.8*0.5*0.3627*sin(y(1) - y(2));
    a = 0.0676 + 3.2*0.25^2 + 3.8*0.5^2; d = 0.164 + 3.8*0.3627^2;
    p = -h*y(4)^2 - (3.2*0.25 + 3.8*0.5)*9.81*sin(y(1));
    q = h*y(3)^2 - 3.8*0.3627*9.81*sin(y(2));
    f = [y(3); y(4); (d*p - b*q)/(a*d - b*b); (a*q - b*p)/(a*d - b*b)];
end

function [value, ends, direction] = gap_event(t, y)
    value = 0.85 - 0.5*cos(y(1)) - 0.65*cos(y(2)); ends = 1; direction = -1;
end

function err = pendulum(tol)
    options = odeset("RelTol", tol, "AbsTol", tol, "Events", @gap_event);
    t = 0; y = [140*pi/180; -pi/2; 1.2; -0.5];
    a = 0.0676 + 3.2*0.25^2 + 3.8*0.5^2; d = 0.164 + 3.8*0.3627^2;
    for n = 1:6
        [ts, ys] = ode45(@motion, [t, 6], y, options);
        t = ts(end); y = ys(end, :)';
        if t >= 6, err = Inf; return, end
        b = 3.8*0.5*0.3627*cos(y(1) - y(2));
        J = [0.5*sin(y(1)); 0.65*sin(y(2))];
        u = [a, b; b, d] \ J;
        y(3:4) -= 1.9 * (J' * y(3:4)) / (J' * u) * u;
    end
    err = abs(t - 5.4218479947820);
end

function f = oscillator(t, y)
    f = [y(2); 1000*(1 - y(1)^2)*y(2) - y(1)];
end

function err = vdp_ode15s(tol)
    [ts, ys] = ode15s(@oscillator, [0, 2000], [2; 0], odeset("RelTol", tol, "AbsTol", tol));
    err = abs(ys(end, 1) - 1.706167732170483);
end

function err = vdp_lsode(tol)
    lsode_options("relative tolerance", tol);
    lsode_options("absolute tolerance", tol);
    lsode_options("step limit", 1000000);
    ys = lsode(@(y, t) oscillator(t, y), [2; 0], [0, 2000]);
    err = abs(ys(end, 1) - 1.706167732170483);
end

problems = {"ball", "ode45", @ball, 10; "kepler", "ode45", @kepler, 9; "pendulum", "ode45", @pendulum, 10;
            "vdp", "ode15s", @vdp_ode15s, 8; "vdp", "lsode", @vdp_lsode, 11};
for k = 1:rows(problems)
    for exponent = 4:problems{k, 4}
        least = Inf;
        try
            for repeat = 1:2
                start = tic; err = problems{k, 3}(10^-exponent); least = min(least, toc(start));
            end
            printf("%s octave-%s %.3e %.3e\n", problems{k, 1}, problems{k, 2}, max(err, 1e-17), least);
        catch failure
            printf("%s octave-%s inf nan\n", problems{k, 1}, problems{k, 2});
        end
    end
end
