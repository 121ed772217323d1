return {
    title = "Sweeps on all cores and beyond one machine",
    summary = "How to run a study in parallel, on a cluster with Slurm or MPI, and go on after it was stopped.",
    words = "sweep parallel cluster Slurm MPI Grid Engine array job shard nodes cores resume interrupted store "
        .. "merge supercomputer batch run this on",
    text = [[
`pc.sweep` runs a function at many points in worker processes, one for each core. The table is the same whatever their
number, for each point has its own seed.

- With `store = "a.db"` each finished point is in the file at once. The same call goes on from there; what failed stays
  failed until `retry = "failed"`. A function that has changed is noticed.
- On a cluster the same script is started many times, by `srun`, `mpirun`, or an array job. Each process finds in the
  environment which part is its own and writes a store of its own, `a.2of8.db`.
- `percuss --merge all.db a.*.db` joins them and lists what is missing; running the script again completes it.
- By hand: `percuss study.lua --shard 2/8`.

For Slurm a file of three lines is enough:

- `#SBATCH --array=1-8`
- `#SBATCH --cpus-per-task=16`
- `percuss study.lua --jobs 16`

Points are dealt out like cards: shard i of n computes the points k with

    k = i + j n

for j = 0, 1, 2 and so on, so that all shards have the same work where it changes slowly over the grid.

A store belongs on a local disk of each node; network file systems lock badly.]],
    example = [[
for i = 1, 2 do
    percuss.sweep{ over = { { "x", percuss.linspace(0, 1, 5) } }, run = function(p) return { square = p.x^2 } end,
        columns = { "square" }, store = "study.db", shard = i .. "/2" }
end
print(percuss.store.merge("whole.db", { "study.1of2.db", "study.2of2.db" })[1].rows) --> 5]],
    figure = function(pc)
        -- what a sweep computes of a grid; so few points need no processes
        local theta, mu, z = pc.linspace(5, 60, 40), pc.linspace(0.02, 1.5, 40), {}
        for j = 1, #mu do
            local law = pc.contact.linear{ stiffness = 1e6, stiffness_ratio = 1.21, friction = mu[j] }
            z[j] = {}
            for i = 1, #theta do
                local body = pc.body.pendulum{ radius = 0.02, length = 0.5, mass = 0.1, angle = theta[i]*pc.deg }
                z[j][i] = pc.collide(body, law, { rate = -1 }).loss_fraction
            end
        end
        local figure = pc.chart.figure{ title = "The lost part of the energy", width = 480, height = 320 }
        figure:panel{ xlabel = "friction", ylabel = "angle", yunit = "deg" }:heatmap{
            mu, theta, z, label = "lost part" }
        return figure
    end,
    see = { "sweep", "store.merge", "store.read", "bifurcation" },
    source = "SQLite, SQLite Over a Network; the manuals of sbatch(1), mpirun(1) and qsub(1)",
}
