-- How do I run a sweep on a cluster, with Slurm or MPI?
-- Words: array job shard nodes srun mpirun sbatch supercomputer merge.
--
--   #!/bin/sh
--   #SBATCH --array=1-8
--   #SBATCH --cpus-per-task=16
--   percuss study.lua --jobs 16
--
-- Each job of the array finds its part in the environment and writes a store of its own; afterwards
--   percuss --merge whole.db study.*of8.db
local pc = require "percuss"

-- the same by hand
for i = 1, 2 do
    pc.sweep{
        over = { { "mu", pc.linspace(0, 1, 101) } }, run = function(p) return { square = p.mu^2 } end,
        columns = { "square" }, store = "study.db", shard = i .. "/2",
    }
end
local whole = pc.store.merge("whole.db", { "study.1of2.db", "study.2of2.db" })[1]
print(whole.rows .. " rows, " .. whole.missing .. " missing") --> 101 rows, 0 missing
