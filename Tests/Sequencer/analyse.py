#!/usr/bin/env python3
"""analyse.py: judges the log of receiver.c.

usage: analyse.py grid LOG --bpm BPM [options]    timing of the clock pulses, notes, order; thresholds judge
       analyse.py batch LOG RUNS [options]        the same for each line "PORT BPM ORIGIN COUNT" of RUNS ("-" for any)
       analyse.py plan LOG PLAN --origin NS       the log against midimetro's --dry-run: same messages, order, times
       analyse.py messages LOG [--port P] [--drop HEX]...   the messages in order, one a line, repeats counted
       analyse.py --self-test                     finds faults inserted into artificial logs

exit: 0; 1 a threshold is broken (each on its own line, with the figures) or the self-test failed; 64 usage;
65 a log that is not one; 66 no such file. Python's standard library only.

A log line is "NS PORT CLIENT:PORT HEX..." (see receiver.c); "#" lines are
passed over. Times in reports are microseconds (us) unless named otherwise.
"""

import argparse
import bisect
import json
import math
import re
import sys
from typing import NamedTuple

START, CONTINUE, STOP, POSITION, CLOCK = 0xFA, 0xFB, 0xFC, 0xF2, 0xF8


class Event(NamedTuple):
    ns: int  # CLOCK_MONOTONIC
    port: int
    source: str
    data: bytes  # one MIDI message


class Log(NamedTuple):
    events: list
    overruns: int


class Ticks(NamedTuple):
    """The log of tick.c: the kernel's ticks are at phase + n x period; found: (begin, length) of each standstill;
    wakes: (due, lateness) of each time that it woke."""
    period: int
    phase: int
    found: list
    wakes: list = []


class BadLog(Exception):
    pass


def parse_ticks(lines):
    try:
        first, *rest = [line.split() for line in lines]
        if first[:2] != ["#", "tick"]:
            raise ValueError
        wakes = [line[1:] for line in rest if line[0] == "late"]
        found = [line for line in rest if line[0] != "late"]
        return Ticks(int(first[2]), int(first[3]), *([(int(at), int(length)) for at, length in each] for each in (found, wakes)))
    except (ValueError, IndexError):
        raise BadLog("not what tick.c writes: '# tick PERIOD PHASE', then lines of 'NS LENGTH' and 'late NS LENGTH'") from None


# A tick with its softirqs takes tens of microseconds in the guest. None explains more lateness than this.
LONGEST_TICK_NS = 100_000


def longest_tick(ticks, pulses):
    """The longest tick that was not near a pulse, so that the program under test has no part in it.

    tick.c runs below the clock's priority: near a pulse its standstill is the clock's own work.
    """
    longest, at = 0, 0
    pulses = sorted(pulses)
    for begin, length in sorted(ticks.found):
        # Before and after the log there may be pulses that it does not contain.
        if begin < pulses[0] or begin + length > pulses[-1]:
            continue
        while at < len(pulses) and pulses[at] < begin - 200_000:
            at += 1
        if at == len(pulses) or pulses[at] > begin + length + 200_000:
            longest = max(longest, length)
    return min(longest, LONGEST_TICK_NS)


def tick_delay(ticks, longest, due, came):
    """How much of the delay from `due` to `came` a tick explains: up to the end of one that began in between, or
    shortly enough before to last until then. 0 if there was none."""
    tick = (came - ticks.phase) // ticks.period * ticks.period + ticks.phase
    # The phase is measured to a few microseconds.
    return max(0, min(tick + 5_000 + longest, came) - due) if tick >= due - longest else 0


# A thread that wakes for its deadline, as the clock does, is up this long before it.
WAKE_LEAD_NS = 20_000


def longest_wait(ticks, pulses):
    """How late an idle real-time thread woke at most while there was no pulse near, less what the clock wakes early.

    tick.c runs below the clock's priority: near a pulse it waits for the clock.
    """
    pulses = sorted(pulses)
    longest = 0
    for due, late in ticks.wakes:
        place = bisect.bisect_left(pulses, due - 200_000)
        if pulses[0] < due < pulses[-1] and (place == len(pulses) or pulses[place] > due + late + 200_000):
            longest = max(longest, late)
    return max(0, min(longest, LONGEST_TICK_NS) - WAKE_LEAD_NS)


def parse_log(lines):
    events, overruns = [], 0
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[-1] == "OVERRUN":
            overruns += 1
            continue
        try:
            if words[3] == "TYPE":  # a sequencer event without MIDI bytes
                continue
            events.append(Event(int(words[0]), int(words[1]), words[2], bytes.fromhex("".join(words[3:]))))
        except (ValueError, IndexError):
            raise BadLog(f"line {number} is not 'NS PORT CLIENT:PORT HEX...': {line.strip()!r}") from None
    return Log(events, overruns)


def read_log(path):
    with open(path, encoding="ascii", errors="replace") as file:
        return parse_log(file)


def milli_bpm(text):
    """Thousandths of a BPM as a whole number; the text is exact, a float would not be."""
    if not re.fullmatch(r"[0-9]+(\.[0-9]{1,3})?", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a tempo like 120 or 133.7")
    whole, _, decimals = text.partition(".")
    return int(whole) * 1000 + int(decimals.ljust(3, "0"))


def ideal_ns(n, milli, pulses_per_quarter=24):
    """Time of pulse n from pulse 0, rounded once to the nanosecond, halves up."""
    numerator, denominator = n * 60_000_000_000_000, pulses_per_quarter * milli
    return (2 * numerator + denominator) // (2 * denominator)


def number_pulses(times, period):
    """The pulse number of each time on an even grid, from 0 for the first.

    The prediction follows slowly, so that a tempo a little off does not slip; a late pulse keeps its number as long
    as it is less than half a period late.
    """
    numbers, expected = [], None
    for time in times:
        if expected is None:
            numbers.append(0)
            expected = time
            continue
        step = round((time - expected) / period)
        numbers.append(numbers[-1] + step)
        expected += step * period
        expected += 0.1 * (time - expected)
    return numbers


def fit(numbers, times):
    """Least-squares line through (number, time): period, and each time's residual. Integers stay exact in the sums."""
    n = len(times)
    first = times[0]
    relative = [time - first for time in times]
    mean_x, mean_y = sum(numbers) / n, sum(relative) / n
    spread = sum((x - mean_x) ** 2 for x in numbers)
    period = sum((x - mean_x) * (y - mean_y) for x, y in zip(numbers, relative)) / spread
    return period, [y - mean_y - (x - mean_x) * period for x, y in zip(numbers, relative)]


def deviation(values):
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))


def pair_notes(events):
    """Counts of note-ons and note-offs, and of unpaired ones, by port, channel and key."""
    result = {"notes_on": 0, "notes_off": 0, "notes_stuck": 0, "notes_doubled": 0, "notes_stray_off": 0}
    sounding = set()
    for event in events:
        kind = event.data[0] & 0xF0
        if kind not in (0x80, 0x90):
            continue
        key = (event.port, event.data[0] & 0x0F, event.data[1])
        if kind == 0x90 and event.data[2] > 0:
            result["notes_on"] += 1
            result["notes_doubled"] += key in sounding
            sounding.add(key)
        else:
            result["notes_off"] += 1
            result["notes_stray_off"] += key not in sounding
            sounding.discard(key)
    result["notes_stuck"] = len(sounding)
    return result


def rank(data):
    """Rank among messages of the same instant: transport, clock, note-off, note-on; None for others.

    Stop has none: sounding notes are ended before it.
    """
    status = data[0]
    if status in (START, CONTINUE, POSITION):
        return 0
    if status == CLOCK:
        return 1
    if status & 0xF0 == 0x80 or (status & 0xF0 == 0x90 and data[2] == 0):
        return 2
    return 3 if status & 0xF0 == 0x90 else None


def order_violations(events, instant_ns):
    """Messages of one port at most instant_ns apart (from the first of them) that are not in order of rank."""
    violations, last = 0, {}
    for event in events:
        place = rank(event.data)
        if place is None:
            continue
        begun, highest = last.get(event.port, (None, 0))
        if begun is None or event.ns - begun > instant_ns:
            last[event.port] = (event.ns, place)
            continue
        violations += place < highest
        last[event.port] = (begun, max(place, highest))
    return violations


def messages_after_stop(events):
    """Messages of any kind after the last Stop."""
    last = max((i for i, event in enumerate(events) if event.data[0] == STOP), default=None)
    return 0 if last is None else len(events) - 1 - last


def click_distances(events):
    """For each note-on: ns to the nearest pulse (positive: after it), and that pulse's number since Start, mod 24."""
    pulses, numbers, count = [], [], 0
    for event in events:
        if event.data[0] == START:
            count = 0
        elif event.data[0] == CLOCK:
            pulses.append(event.ns)
            numbers.append(count)
            count += 1
    distances, places, at = [], set(), 0
    for event in events:
        if event.data[0] & 0xF0 != 0x90 or event.data[2] == 0 or not pulses:
            continue
        while at + 1 < len(pulses) and abs(pulses[at + 1] - event.ns) <= abs(pulses[at] - event.ns):
            at += 1
        distances.append(event.ns - pulses[at])
        places.add(numbers[at] % 24)
    return distances, sorted(places)


def grid(log, milli, port=None, origin=None, pulses_per_quarter=24, everything=False, first=0, last=None,
         instant_ns=100_000, phase=False, ticks=None, waits=False):
    """All figures of one port (or of all ports together) as a dictionary.

    Pulses judged: those from the first Start or Continue (all, without one or with `everything`) to the Stop after it;
    of these `first` to `last` by number. `origin` (ns) is where pulse 0 belongs, else it is where the first judged is.
    With `phase` the first judged is the pulse of that grid that is nearest, not pulse `first`.
    With `ticks` the lateness that a tick of the kernel explains is taken off, and counted; with `waits` also what an
    idle real-time thread had to wait at most in that run, from every pulse that was later than it should be.
    """
    events = [event for event in log.events if port is None or event.port == port]
    period = 60e12 / (pulses_per_quarter * milli)
    begin = next((i for i, event in enumerate(events) if event.data[0] in (START, CONTINUE)), None)
    start = 0 if begin is None else begin
    end = next((i for i in range(start, len(events)) if events[i].data[0] == STOP), None)
    stop = len(events) if end is None else end
    chosen = events if everything else events[start:stop]
    times = [event.ns for event in chosen if event.data[0] == CLOCK][first:last]
    result = {
        "count": len(times),
        "before_start": 0 if begin is None else sum(event.data[0] == CLOCK for event in events[:begin]),
        "after_stop": 0 if end is None else sum(event.data[0] == CLOCK for event in events[end:]),
        "starts": sum(event.data[0] == START for event in events),
        "stops": sum(event.data[0] == STOP for event in events),
        "after_last_stop": messages_after_stop(events),
        "overruns": log.overruns,
        "order_violations": order_violations(events, instant_ns),
    }
    if begin is not None:
        gap = next((event.ns - events[begin].ns for event in events[begin:] if event.data[0] == CLOCK), None)
        if gap is not None:
            result["start_gap_us"] = gap / 1e3
    result.update(pair_notes(events))
    distances, places = click_distances(events)
    if distances:
        result.update(click_min_us=min(distances) / 1e3, click_max_us=max(distances) / 1e3, click_pulses=places)
    if not times:
        return result

    zero = times[0] if origin is None else origin
    result["first_us"] = (times[0] - zero) / 1e3 - (0 if origin is None else ideal_ns(first, milli, pulses_per_quarter) / 1e3)
    numbers = number_pulses(times, period)
    offset = 0 if origin is None else round((times[0] - origin) / period) if phase else first
    errors = [time - zero - ideal_ns(number + offset, milli, pulses_per_quarter) for number, time in zip(numbers, times)]
    explained = times
    if ticks is not None:
        longest = longest_tick(ticks, times)
        delays = [tick_delay(ticks, longest, time - error, time) for time, error in zip(times, errors)]
        if waits:
            wait = longest_wait(ticks, times)
            result.update(wait_longest_us=wait / 1e3, waited=sum(e > 5_000 and not d for e, d in zip(errors, delays)))
            delays = [max(delay, min(error, wait)) if error > 5_000 else delay for error, delay in zip(errors, delays)]
        explained = [time - delay for time, delay in zip(times, delays)]
        result.update(
            ticks_met=sum(delay > 0 for delay in delays), tick_longest_us=longest / 1e3,
            tick_delay_max_us=max(delays) / 1e3, raw_max_abs_us=max(map(abs, errors)) / 1e3,
        )
        errors = [error - delay for error, delay in zip(errors, delays)]
    intervals = [later - earlier for earlier, later in zip(times, times[1:])]
    present = set(numbers)
    result.update(
        max_abs_us=max(map(abs, errors)) / 1e3,
        missing=max(numbers) - min(numbers) + 1 - len(present),
        doubled=len(numbers) - len(present),
        too_close=sum(interval < period / 2 for interval in intervals),
        hurried=sum(interval < 0.9 * period for interval in intervals),
    )
    if len(present) >= 3:
        fitted, residuals = fit(numbers, explained)
        result.update(
            bpm=60e9 / (pulses_per_quarter * fitted),
            ppm=(period / fitted - 1) * 1e6,
            sd_us=deviation(residuals) / 1e3,
            pp_us=(max(residuals) - min(residuals)) / 1e3,
            interval_sd_us=deviation(intervals) / 1e3,
            interval_min_us=min(intervals) / 1e3,
            interval_max_us=max(intervals) / 1e3,
        )
    return result


# option, figure, how the two must compare, what to call it
THRESHOLDS = [
    ("--max-sd-us", "sd_us", "max", "grid SD (us)"),
    ("--max-pp-us", "pp_us", "max", "grid peak to peak (us)"),
    ("--max-abs-us", "max_abs_us", "max", "greatest error against the ideal grid (us)"),
    ("--max-ppm", "ppm", "magnitude", "tempo error (ppm)"),
    ("--max-interval-us", "interval_max_us", "max", "longest interval (us)"),
    ("--min-interval-us", "interval_min_us", "min", "shortest interval (us)"),
    ("--min-start-gap-us", "start_gap_us", "min", "Start to first pulse (us)"),
    ("--max-start-gap-us", "start_gap_us", "max", "Start to first pulse (us)"),
    ("--count", "count", "equal", "pulses"),
    ("--min-count", "count", "min", "pulses"),
    ("--starts", "starts", "equal", "Starts"),
    ("--stops", "stops", "equal", "Stops"),
    ("--before-start", "before_start", "equal", "pulses before Start"),
    ("--after-stop", "after_stop", "equal", "pulses after Stop"),
    ("--after-last-stop", "after_last_stop", "equal", "messages after the last Stop"),
    ("--order-violations", "order_violations", "equal", "messages of one instant out of order"),
    ("--max-hurried", "hurried", "max", "intervals below 0.9 periods"),
    ("--notes-on", "notes_on", "equal", "note-ons"),
    ("--notes-off", "notes_off", "equal", "note-offs"),
    ("--max-click-us", "click_max_us", "max", "click after its pulse (us)"),
    ("--min-click-us", "click_min_us", "min", "click after its pulse (us; negative: before)"),
]
# --strict: none of these
NEVER = [
    ("missing", "missing pulses"),
    ("doubled", "doubled pulses"),
    ("too_close", "pulses closer than half a period"),
    ("order_violations", "messages of one instant out of order"),
    ("notes_stuck", "stuck notes"),
    ("notes_doubled", "notes struck while they sound"),
    ("notes_stray_off", "note-offs without a note"),
    ("overruns", "input overruns"),
]


def option_key(option):
    return option[2:].replace("-", "_")


def judge(figures, limits, strict):
    """Reasons why the figures are not acceptable, none if they are. limits: option key -> number or None."""
    reasons = []
    for option, key, relation, name in THRESHOLDS:
        limit = limits.get(option_key(option))
        if limit is None:
            continue
        value = figures.get(key)
        if value is None:
            reasons.append(f"{name}: nothing to measure it from ({option} {limit:g} asked)")
            continue
        good = {
            "max": value <= limit, "min": value >= limit, "equal": value == limit, "magnitude": abs(value) <= limit,
        }[relation]
        if not good:
            reasons.append(f"{name}: {value:.10g}, asked {option} {limit:g}")
    if strict:
        reasons += [f"{name}: {figures[key]}, asked none" for key, name in NEVER if figures.get(key)]
    return reasons


def describe(figures):
    words = []
    for key, value in figures.items():
        if isinstance(value, float):
            words.append(f"{key}={value:.6f}" if key == "bpm" else f"{key}={value:.3f}")
        elif isinstance(value, list):
            words.append(f"{key}={','.join(map(str, value))}")
        elif value or key in ("count", "missing", "doubled"):
            words.append(f"{key}={value}")
    return " ".join(words)


def messages(log, port, dropped):
    """Messages as hex, runs of equal ones as 'HEX xN'."""
    lines = []
    for event in log.events:
        text = event.data.hex(" ").upper()
        if (port is not None and event.port != port) or any(text.startswith(prefix) for prefix in dropped):
            continue
        if lines and lines[-1][0] == text:
            lines[-1][1] += 1
        else:
            lines.append([text, 1])
    return [text if count == 1 else f"{text} x{count}" for text, count in lines]


def batch(log, lines, options):
    """Judges every run of a list separately; the figures of the worst, and each run's reasons."""
    worst, reasons, runs, pulses = {}, [], 0, 0
    for line in lines:
        port, bpm, origin, count = line.split()
        figures = grid(log, milli_bpm(bpm), None if port == "-" else int(port), None if origin == "-" else int(origin),
                       options.ppq, options.all, options.first, options.last, int(options.instant_us * 1000))
        limits = dict(vars(options))
        if count != "-":
            limits["count"] = int(count)
        reasons += [f"port {port}, {bpm} BPM: {reason}" for reason in judge(figures, limits, options.strict)]
        runs += 1
        pulses += figures["count"]
        for key in ("sd_us", "pp_us", "max_abs_us", "click_max_us", "missing", "doubled", "too_close"):
            if figures.get(key) is not None:
                worst[key] = max(worst.get(key, 0), figures[key])
    return {"runs": runs, "count": pulses} | worst, reasons if runs else ["no runs listed"]


def plan_log(lines):
    """A plan in midimetro's log format: (ns, route, bytes); lines without @ belong to route 1."""
    planned = []
    for line in lines:
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        route = 1
        if words[1].startswith("@"):
            route = int(words.pop(1)[1:])
        whole, _, decimals = words[0].lstrip("-").partition(".")
        at = int(whole) * 10**9 + int(decimals.ljust(9, "0")[:9])
        planned.append((-at if words[0].startswith("-") else at, route, bytes.fromhex("".join(words[1:]))))
    return planned


def against_plan(log, planned, origin, pulse_us, limit_us):
    """Port k of the receiver against route k + 1 of the plan. Pulses may be pulse_us off, other messages limit_us."""
    reasons, worst = [], 0.0
    for route in sorted({route for _, route, _ in planned}):
        wanted = [(at, data) for at, to, data in planned if to == route]
        came = [event for event in log.events if event.port == route - 1]
        for number, ((at, data), event) in enumerate(zip(wanted, came)):
            if data != event.data:
                reasons.append(f"route {route}: message {number} at {at / 1e9:.6f} s is {event.data.hex(' ')}, planned {data.hex(' ')}")
                break
            error = abs(event.ns - origin - at) / 1e3
            worst = max(worst, error)
            if error > (pulse_us if data[0] == CLOCK else limit_us):
                reasons.append(f"route {route}: message {number} ({data.hex(' ')}) is {error:.1f} us off")
        if len(wanted) != len(came):
            reasons.append(f"route {route}: {len(came)} messages, planned {len(wanted)}")
    return {"count": len(log.events), "max_abs_us": worst}, reasons if planned else ["the plan is empty"]


def self_test():
    milli, origin = 133_700, 5_000_000_000

    def made(count=200, drop=(), double=(), late=None, slow_ppm=0.0, extra=()):
        lines = ["# receiver", f"{origin - 1_000_000} 0 128:0 FA"]
        for n in range(count):
            at = origin + round(ideal_ns(n, milli) * (1 + slow_ppm / 1e6)) + (late or {}).get(n, 0)
            lines += [f"{at} 0 128:0 F8"] * ((n not in drop) + (n in double))
            if n % 24 == 0:
                lines.append(f"{at + 3_000} 0 128:0 99 22 7F")
                lines.append(f"{at + 12_000_000} 0 128:0 89 22 00")
        lines.append(f"{origin + ideal_ns(count, milli) + 1_000_000} 0 128:0 FC")
        lines += extra
        return parse_log(sorted(lines, key=lambda line: -1 if line[0] == "#" else int(line.split()[0])))

    tight = {"max_sd_us": 1, "max_pp_us": 2, "max_abs_us": 1, "max_ppm": 0.1, "count": 200, "min_start_gap_us": 1000}
    end = origin + 60_000_000_000
    # name, log, text that one of the reasons must contain ("" if there must be none)
    cases = [
        ("a clean log", made(), ""),
        ("a missing pulse", made(drop={77}), "missing pulses: 1"),
        ("the first pulse missing", made(drop={0}), "pulses: 199"),
        ("a doubled pulse", made(double={100}), "doubled pulses: 1"),
        ("two pulses too close", made(late={50: 10_000_000}), "closer than half a period: 1"),
        ("drift of 50 ppm", made(slow_ppm=50), "tempo error (ppm)"),
        ("drift of 2000 ppm counts no pulse wrong", made(slow_ppm=2000), "-missing"),
        ("one pulse 40 us late", made(late={9: 40_000}), "peak to peak"),
        ("a late pulse against the ideal grid", made(late={9: 40_000}), "ideal grid (us): 40"),
        ("a stuck note", made(extra=[f"{end} 0 128:0 99 21 64"]), "stuck notes: 1"),
        ("a note-off on its own", made(extra=[f"{end} 0 128:0 89 21 00"]), "note-offs without a note: 1"),
        ("a velocity 0 note-on ends a note",
         made(extra=[f"{end} 0 128:0 99 21 64", f"{end + 9_000_000} 0 128:0 99 21 00"]), "-stuck"),
        ("a note struck twice",
         made(extra=[f"{end + n * 9_000_000} 0 128:0 {m} 21 40" for n, m in enumerate(("99", "99", "89"))]),
         "struck while they sound: 1"),
        ("a click before its clock",
         made(extra=[f"{end} 0 128:0 99 21 64", f"{end + 5} 0 128:0 F8", f"{end + 10_000_000} 0 128:0 89 21 00"]),
         "out of order: 1"),
        ("a pulse after Stop", made(extra=[f"{end} 0 128:0 F8"]), "pulses after Stop: 1"),
        ("an overrun", made(extra=[f"{end} - - OVERRUN"]), "overruns: 1"),
    ]
    failed = 0
    for name, log, wanted in cases:
        reasons = judge(grid(log, milli), tight | {"after_stop": 0}, strict=True)
        text = "; ".join(reasons)
        if wanted.startswith("-"):
            good = wanted[1:] not in text
        else:
            good = wanted in text and (wanted != "" or text == "")
        failed += not good
        print(f"{'ok' if good else 'not ok'} analyse: {name}" + ("" if good else f": wanted '{wanted}', got '{text}'"))
    # Ticks every 4 ms, of 20 us and one of 45; one of them at the instant pulse 9 is due.
    due = origin + ideal_ns(9, milli)
    ticks = Ticks(4_000_000, due % 4_000_000, [(due + n * 4_000_000, 45_000 if n == 20 else 20_000) for n in range(-40, 800)])
    own = [(origin + ideal_ns(n, milli), 90_000) for n in range(200)]
    long = [(origin + ideal_ns(20, milli) + 9_000_000, 150_000)]
    for name, late, found, wanted in [
        ("40 us late on a tick", {9: 40_000}, ticks, ""),
        ("40 us late a period before any tick", {10: 40_000}, ticks, "peak to peak"),
        ("90 us late on a tick of 45", {9: 90_000}, ticks, "peak to peak"),
        ("late just before a tick, which explains the rest only", {9: 40_000}, ticks._replace(phase=ticks.phase + 30_000), ""),
        ("late after a tick has ended", {9: 40_000}, ticks._replace(phase=ticks.phase - 46_000), "peak to peak"),
        ("what stands still for the clock itself is no tick", {9: 80_000}, ticks._replace(found=ticks.found + own), "peak to peak"),
        ("a tick too long to be one explains no more than one", {9: 150_000}, ticks._replace(found=ticks.found + long), "peak to peak"),
        ("a long tick outside the log explains nothing", {9: 80_000},
         ticks._replace(found=ticks.found + [(origin - 50_000_000, 90_000)]), "peak to peak"),
        ("a thread that waited away from the pulses explains as much", {10: 40_000},
         ticks._replace(wakes=[(due + 3_000_000, 62_000)]), ""),
        ("and no more", {10: 40_000}, ticks._replace(wakes=[(due + 3_000_000, 35_000)]), "peak to peak"),
        ("one that waited for the clock explains nothing", {10: 40_000},
         ticks._replace(wakes=[(due - 50_000, 62_000)]), "peak to peak"),
    ]:
        log = made(late=late)
        text = "; ".join(judge(grid(log, milli, origin=origin, ticks=found, waits=True), {"max_pp_us": 20, "count": 200}, strict=True))
        good = wanted in text and (wanted != "" or text == "")
        failed += not good
        print(f"{'ok' if good else 'not ok'} analyse: {name}" + ("" if good else f": wanted '{wanted}', got '{text}'"))
    plan = ["-0.001 FA", "0 F8", "0.018698579 @1 F8"]
    same = parse_log([f"{origin - 1_000_000} 0 128:0 FA", f"{origin} 0 128:0 F8", f"{origin + 18_698_579} 0 128:0 F8"])
    for name, log, wanted in [("as planned", same, 0), ("late against the plan", made(count=2, late={1: 60_000}), 2),
                              ("more than planned", made(count=3), 2)]:
        reasons = against_plan(log, plan_log(plan), origin, 50, 200)[1]
        good = (len(reasons) > 0) == (wanted > 0)
        failed += not good
        print(f"{'ok' if good else 'not ok'} analyse: {name}" + ("" if good else f": {reasons}"))
    shifted = made(drop=set(range(30)))
    back = grid(shifted, milli, origin=origin, phase=True)["max_abs_us"] == 0 and grid(shifted, milli, origin=origin)["max_abs_us"] > 1
    one = grid(made(late={9: 40_000}), milli, origin=origin)
    places = one["click_pulses"] == [0] and abs(one["click_max_us"] - 3) < 1e-6 and one["first_us"] == 0
    later = grid(made(), milli, origin=origin, first=48)["max_abs_us"] == 0
    runs = messages(made(count=3), None, [])[:5] == ["FA", "F8", "99 22 7F", "89 22 00", "F8 x2"]
    # 183 311 * 2.5e12 / 127 300 is 3 599 980 361 351.14, 2.5e12 / 1e12 is 2.5.
    exact = [ideal_ns(183_311, 127_300), ideal_ns(1, 400_000), ideal_ns(1, 10**12)] == [3_599_980_361_351, 6_250_000, 3]
    for name, good in [("clicks and origin", places), ("in phase after a gap", back), ("a part of the pulses", later), ("runs of messages", runs), ("ideal times", exact)]:
        failed += not good
        print(f"{'ok' if good else 'not ok'} analyse: {name}")
    return 1 if failed else 0


class Parser(argparse.ArgumentParser):
    def error(self, message):
        print(f"analyse: {message} (analyse.py --help)", file=sys.stderr)
        sys.exit(64)


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    grid_parser = commands.add_parser("grid")
    batch_parser = commands.add_parser("batch")
    for judging in (grid_parser, batch_parser):
        judging.add_argument("log")
        judging.add_argument("--ppq", type=int, default=24, help="pulses a quarter (divided or multiplied clocks)")
        judging.add_argument("--all", action="store_true", help="all pulses, not only those between Start and Stop")
        judging.add_argument("--first", type=int, default=0, help="leave out the pulses before this one")
        judging.add_argument("--last", type=int, help="leave out this pulse and those after it")
        judging.add_argument("--instant-us", type=float, default=100, help="messages this near belong to one instant")
        judging.add_argument("--json", action="store_true")
        judging.add_argument("--strict", action="store_true", help="none of: " + ", ".join(name for _, name in NEVER))
        for option, _, _, name in THRESHOLDS:
            judging.add_argument(option, type=float, metavar="X", help=name)
    batch_parser.add_argument("runs")
    grid_parser.add_argument("--bpm", type=milli_bpm, required=True, help="asked tempo, to 0.001")
    grid_parser.add_argument("--port", type=int, help="only this port of the receiver")
    grid_parser.add_argument("--origin", type=int, metavar="NS", help="CLOCK_MONOTONIC of pulse 0, else the first pulse's")
    grid_parser.add_argument("--ticks", metavar="FILE", help="what tick.c saw; lateness that a tick explains is taken off")
    grid_parser.add_argument("--waits", action="store_true",
                             help="with --ticks: so is what an idle real-time thread had to wait for in that run")
    grid_parser.add_argument("--phase", action="store_true", help="the first pulse is whichever of the origin's grid is nearest")
    plan_parser = commands.add_parser("plan")
    plan_parser.add_argument("log")
    plan_parser.add_argument("plan")
    plan_parser.add_argument("--origin", type=int, required=True, metavar="NS")
    plan_parser.add_argument("--max-pulse-us", type=float, default=50, help="how far off a pulse may be")
    plan_parser.add_argument("--max-us", type=float, default=200, help="how far off another message may be")
    message_parser = commands.add_parser("messages")
    message_parser.add_argument("log")
    message_parser.add_argument("--port", type=int)
    message_parser.add_argument("--drop", action="append", default=[], metavar="HEX", help="leave out messages that begin so")
    options = parser.parse_args(arguments)

    try:
        log = read_log(options.log)
    except OSError as error:
        print(f"analyse: {options.log}: {error.strerror}", file=sys.stderr)
        return 66
    except BadLog as error:
        print(f"analyse: {options.log}: {error}", file=sys.stderr)
        return 65
    if options.command == "messages":
        print("\n".join(messages(log, options.port, options.drop)))
        return 0
    if options.command == "batch":
        with open(options.runs, encoding="ascii") as file:
            figures, reasons = batch(log, file.read().splitlines(), options)
    elif options.command == "plan":
        with open(options.plan, encoding="ascii") as file:
            figures, reasons = against_plan(log, plan_log(file), options.origin, options.max_pulse_us, options.max_us)
    else:
        try:
            ticks = None
            if options.ticks:
                with open(options.ticks, encoding="ascii") as file:
                    ticks = parse_ticks(file.read().splitlines())
        except (OSError, BadLog) as error:
            print(f"analyse: {options.ticks}: {error}", file=sys.stderr)
            return 65 if isinstance(error, BadLog) else 66
        figures = grid(log, options.bpm, options.port, options.origin, options.ppq, options.all, options.first,
                       options.last, int(options.instant_us * 1000), options.phase, ticks, options.waits)
        reasons = judge(figures, vars(options), options.strict)
    print(json.dumps(figures | {"reasons": reasons}) if getattr(options, "json", False) else describe(figures))
    for reason in reasons:
        print(f"analyse: {options.log}: {reason}", file=sys.stderr)
    return 1 if reasons else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
