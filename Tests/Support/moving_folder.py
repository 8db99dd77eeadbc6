"""Works in a folder that another process renames all the time, as xfstests' generic/707 does: what is made, looked at and taken away
there by its name is never refused. Says what was.

usage: moving_folder.py FOLDER ROUNDS
"""
import os, sys

top, rounds = sys.argv[1], int(sys.argv[2])
for name in ("A", "B", "A/x"):
    os.mkdir(f"{top}/{name}")
# Before it moves: the name leads nowhere half of the time from then on.
os.chdir(f"{top}/A/x")
mover = os.fork()
if not mover:
    for _ in range(rounds):
        os.rename(f"{top}/A/x", f"{top}/B/x")
        os.rename(f"{top}/B/x", f"{top}/A/x")
    os._exit(0)
made = failed = 0
while os.waitpid(mover, os.WNOHANG) == (0, 0):
    name = f"f{made}"
    for what, call in (("create", lambda: os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY))), ("stat", lambda: os.stat(name)),
                       ("write", lambda: open(name, "w").write("one")), ("unlink", lambda: os.unlink(name))):
        try:
            call()
        except OSError as error:
            failed += 1
            print(f"{what} in round {made}: {error}")
    made += 1
left = os.listdir(".")
if left:
    print("left:", left)
sys.exit(1 if failed or left or not made else 0)
