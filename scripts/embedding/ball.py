"""A ball strikes a wall: the C interface of percuss from Python, without a compiler."""
import ctypes as c


class Option(c.Structure):
    _fields_ = [("name", c.c_char_p), ("kind", c.c_int), ("number", c.c_double), ("word", c.c_char_p),
                ("values", c.POINTER(c.c_double)), ("rows", c.c_int), ("columns", c.c_int), ("object", c.c_void_p)]


class Error(c.Structure):
    _fields_ = [("code", c.c_int), ("time", c.c_double), ("quantity", c.c_char * 32), ("parameter", c.c_char * 48),
                ("unit", c.c_char * 48), ("message", c.c_char * 512)]


class Impact(c.Structure):  # the record belongs to the library, so the members that are used are enough
    _fields_ = [("outcome", c.c_int), ("flags", c.c_uint), ("n_phases", c.c_int), ("n_reversals", c.c_int),
                ("velocity_before", c.c_double * 3), ("velocity", c.c_double * 3), ("impulse", c.c_double * 3)]


def options(**values):
    return (Option * (len(values) + 1))(*(Option(name=k.encode(), number=v) for k, v in values.items()))


percuss = c.CDLL("libpercuss.so.0")
for make in (percuss.percuss_body_new, percuss.percuss_law_new, percuss.percuss_collide):
    make.restype = c.c_void_p
percuss.percuss_impact_values.restype = c.POINTER(Impact)

error = Error()
ball = percuss.percuss_body_new(b"sphere", options(radius=0.02, mass=0.05), c.byref(error))
law = percuss.percuss_law_new(b"newton", options(restitution=0.8, friction=0.05), c.byref(error))
hit = percuss.percuss_collide(c.c_void_p(ball), c.c_void_p(law), (c.c_double * 3)(1, -2, 0), None, c.byref(error))
if not hit:
    raise SystemExit(error.message.decode())
record = percuss.percuss_impact_values(c.c_void_p(hit)).contents
print(f"v_t = {record.velocity[0]!r} m/s, v_n = {record.velocity[1]!r} m/s")
for free, handle in ((percuss.percuss_impact_free, hit), (percuss.percuss_law_free, law),
                     (percuss.percuss_body_free, ball)):
    free(c.c_void_p(handle))
