"""Sweeps of several processes, joined."""
import glob
import os
import shutil
import signal
import subprocess

from helpers import Folder, PATIENCE, PERCUSS


def test_shards_are_joined_and_the_rest_is_named():
    with Folder() as folder:
        for shard in ("1/3", "3/3"):
            code, _, err = folder.run("sweep.lua", 100, 0, "a.db", options=("--shard", shard))
            assert code == 0, err
        parts = ["a.1of3.db", "a.3of3.db"]
        code, out, err = folder.run(options=("--merge", "all.db", *parts))
        assert code == 1 and "67 of 100 points" in out and "missing 2 to 98, every 3" in out, out + err
        code, _, err = folder.run("sweep.lua", 100, 0, "a.db", options=("--shard=2/3",))
        code, out, err = folder.run(options=("--merge", "all.db", "a.2of3.db", *parts))
        assert code == 0 and "100 of 100 points, 0 failed, 0 missing" in out, out + err
        starts = folder.starts()
        code, out, err = folder.run("sweep.lua", 100, 0, "all.db")
        assert code == 0 and "skipped\t100\t" in out and folder.starts() == starts, out + err
        joined = folder.read("out.csv")
        folder.run("sweep.lua", 100, 0, "")
        assert joined == folder.read("out.csv")
        code, _, err = folder.run("sweep.lua", 90, 0, "b.db")
        code, out, err = folder.run(options=("--merge", "all.db", "b.db"))
        assert code == 1 and "does not belong to the same sweep" in err, out + err

# What launchers put into the environment of rank 2 of 3 (from 0: 1).
LAUNCHERS = {
    "Open MPI": {"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "3"},
    "MPICH": {"PMI_RANK": "1", "PMI_SIZE": "3"},
    "srun": {"SLURM_PROCID": "1", "SLURM_STEP_NUM_TASKS": "3"},
    "Slurm array": {"SLURM_ARRAY_TASK_ID": "20", "SLURM_ARRAY_TASK_MIN": "10", "SLURM_ARRAY_TASK_MAX": "30",
                    "SLURM_ARRAY_TASK_STEP": "10"},
    "Grid Engine": {"SGE_TASK_ID": "6", "SGE_TASK_FIRST": "4", "SGE_TASK_LAST": "9", "SGE_TASK_STEPSIZE": "2"},
}


def test_launchers_say_which_shard_this_is():
    for name, variables in LAUNCHERS.items():
        with Folder() as folder:
            code, out, err = folder.run("sweep.lua", 10, 0, "a.db", **variables)
            assert code == 0 and os.path.exists(folder.path + "/a.2of3.db"), (name, out, err)
            assert "computed\t3" in out, (name, out)
    with Folder() as folder:
        # a batch script on one node has no step: everything is computed
        code, out, _ = folder.run("sweep.lua", 10, 0, "a.db", SLURM_PROCID="0", SLURM_NTASKS="3")
        assert code == 0 and "computed\t10" in out, out


def test_under_mpirun_a_killed_rank_is_completed_by_a_rerun():
    mpirun = shutil.which("mpirun")
    if not mpirun:
        print("left out, as there is no mpirun: its variables are tested above")
        return
    settings = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
    with Folder() as folder:
        def launch():
            return subprocess.Popen([mpirun, "-n", "3", PERCUSS, "--jobs", "1", "sweep.lua", "90", "10", "a.db"],
                                    cwd=folder.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                    stdin=subprocess.DEVNULL, start_new_session=True, text=True,
                                    env={**folder.environment({"MILLISECONDS": "10"}), **settings})
        process = launch()
        folder.wait_for(30)
        ranks = [pid for pid in find_descendants(process.pid) if is_rank(pid)]
        assert ranks
        os.kill(ranks[0], signal.SIGKILL)  # mpirun then ends the others
        process.communicate(timeout=PATIENCE)
        parts = sorted(os.path.basename(name) for name in glob.glob(folder.path + "/a.?of3.db"))
        code, out, err = folder.run(options=("--merge", "half.db", *parts))
        assert code == 1 and "missing" in out, out + err
        process = launch()
        _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, err
        parts = ["a.1of3.db", "a.2of3.db", "a.3of3.db"]
        code, out, err = folder.run(options=("--merge", "all.db", *parts))
        assert code == 0 and "90 of 90 points" in out, out + err


def find_descendants(pid):
    """Processes below `pid`, by the table of the kernel."""
    parents = {}
    for name in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(name, encoding="ascii", errors="replace") as file:
                fields = file.read().rsplit(")", 1)[1].split()
            parents[int(name.split("/")[2])] = int(fields[1])
        except (OSError, IndexError):
            continue
    found, frontier = [], [pid]
    while frontier:
        parent = frontier.pop()
        children = [child for child, p in parents.items() if p == parent]
        found += children
        frontier += children
    return found


def is_rank(pid):
    """A percuss started by mpirun, not one of its workers."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            command = file.read().split(b"\0")
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            parent = int(file.read().rsplit(")", 1)[1].split()[1])
        with open(f"/proc/{parent}/cmdline", "rb") as file:
            parent_command = file.read().split(b"\0")
    except OSError:
        return False
    return command[0] == PERCUSS.encode() and parent_command[0] != PERCUSS.encode()
