#!/usr/bin/env python3
"""terminal.py: a terminal that records its output with times. It shares no code with the program under test.

usage: terminal.py [--columns N] [--rows N] [--keys FILE] LOG COMMAND...
  LOG        every piece of output as a line "NS HEX", NS of CLOCK_MONOTONIC when it was read
             and what was done to COMMAND as a line "NS = WHAT"; at the end "NS = exit STATUS"
  --keys     lines "SECONDS TEXT" from the start on, TEXT with Python's escapes, or instead of TEXT
             size COLUMNS ROWS   the window's size changes
             freeze, thaw        stops and resumes reading
             hang up             closes the terminal
             signal NAME         sent to COMMAND
exit: that of COMMAND
"""
import argparse
import fcntl
import os
import pty
import select
import signal
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
ended = os.pidfd_open(child)
reads = True


def do(text, log):
    """Executes a line of the keys file."""
    global master, reads
    words = text.decode("latin-1").split()
    if words[:1] == ["size"] and len(words) == 3:
        columns, rows = (int(word) for word in words[1:])
        fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        return
    if words in (["freeze"], ["thaw"]):
        reads = words == ["thaw"]
    elif words == ["hang", "up"]:
        os.close(master)
        master = None
    elif words[:1] == ["signal"]:
        os.kill(child, signal.Signals["SIG" + words[1]])
    else:
        os.write(master, text)
        return
    log.write(f"{time.monotonic_ns()} = {' '.join(words)}\n")


def drain(log):
    """Reads the available output; false at the end."""
    try:
        piece = os.read(master, 65536)
    except OSError:
        return False
    if piece:
        log.write(f"{time.monotonic_ns()} {piece.hex()}\n")
    return bool(piece)


with open(given.log, "w") as log:
    while True:
        wait = None
        if keys:
            wait = max(0, begun / 1e9 + keys[0][0] - time.monotonic())
        ready, _, _ = select.select([ended] + ([master] if reads and master is not None else []), [], [], wait)
        if not ready:
            do(keys.pop(0)[1], log)
        elif master in ready and drain(log):
            continue
        elif ended in ready or master in ready:
            break
    _, status = os.waitpid(child, 0)
    status = os.waitstatus_to_exitcode(status)
    log.write(f"{time.monotonic_ns()} = exit {status}\n")
    # Output left unread.
    while master is not None and drain(log):
        pass
sys.exit(status)
