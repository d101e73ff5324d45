#!/usr/bin/env python3
"""terminal.py: a terminal that writes down when what came. It shares no code with the program under test.

usage: terminal.py [--columns N] [--rows N] [--keys FILE] LOG COMMAND...
  LOG        every piece of output as a line "NS HEX", NS of CLOCK_MONOTONIC when it was read
  --keys     lines "SECONDS TEXT" from the start on, TEXT with Python's escapes, or "SECONDS size COLUMNS ROWS"
exit: that of COMMAND
"""
import argparse
import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

parser = argparse.ArgumentParser()
parser.add_argument("--columns", type=int, default=80)
parser.add_argument("--rows", type=int, default=24)
parser.add_argument("--keys")
parser.add_argument("log")
parser.add_argument("command", nargs=argparse.REMAINDER)
given = parser.parse_args()

keys = []
if given.keys:
    for line in open(given.keys):
        at, text = line.rstrip("\n").split(" ", 1)
        keys.append((float(at), text.encode().decode("unicode_escape").encode("latin-1")))

child, master = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", given.rows, given.columns, 0, 0))
    os.execvp(given.command[0], given.command)
begun = time.monotonic_ns()
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(20))
with open(given.log, "w") as log:
    while True:
        wait = None
        if keys:
            wait = max(0, begun / 1e9 + keys[0][0] - time.monotonic())
        ready, _, _ = select.select([master], [], [], wait)
        if not ready:
            text = keys.pop(0)[1]
            if text.startswith(b"size "):
                columns, rows = (int(word) for word in text.split()[1:])
                fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            else:
                os.write(master, text)
            continue
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        log.write(f"{time.monotonic_ns()} {piece.hex()}\n")
_, status = os.waitpid(child, 0)
sys.exit(os.waitstatus_to_exitcode(status))
