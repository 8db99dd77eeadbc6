#!/usr/bin/env python3
"""Keeps two folders alike by two Syncthings, until it is ended; not while a file called `paused` is there.
Tests/Shares/carried.py ONE OTHER STATE

STATE is a folder for itself. It says `ready`, and then `paused` and `going` whenever that is so."""

import pathlib
import signal
import sys
import time

from pair import Pair, Side


def main():
    one, other, state = map(pathlib.Path, sys.argv[1:])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    pair = Pair([Side(name, path, state / name, watches=True) for name, path in (("one", one), ("other", other))])
    try:
        for side in pair.sides:
            side.start()
        pair.connect()
        print("ready", flush=True)
        paused = False
        while True:
            wanted = (state / "paused").exists()
            if wanted != paused:
                (pair.disconnect if wanted else pair.connect)()
                paused = wanted
                print("paused" if paused else "going", flush=True)
            time.sleep(0.1)
    except SystemExit:
        pass
    except BaseException:
        for side in pair.sides:
            print((side.home / "log").read_text(errors="replace")[-1500:], file=sys.stderr)
        raise
    finally:
        for side in pair.sides:
            side.end()


main()
