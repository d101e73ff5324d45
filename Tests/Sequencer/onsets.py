#!/usr/bin/env python3
"""onsets: finds the clicks in a recording and compares them with a grid, or with the MIDI clicks in a receiver's log.

It shares no code with midimetro. A click begins where the signal first passes a threshold after 40 ms of quiet. The
recording is raw 16-bit stereo, or a WAV file.

usage: onsets.py RECORDING --rate HZ --bpm BPM [--count N] [--after S] [--max-sd-us U] [--max-pp-us U] [--max-drift-us U]
                 [--exact-frames] [--midi LOG --begin NS [--delay-us A..B] [--silent-after-stop]] [--threshold T]
  --after S         leave the first S seconds of clicks out (default 0: none)
  --max-sd-us, --max-pp-us   standard deviation and peak to peak against the best even grid of that tempo
  --max-drift-us    between the first and the last tenth of the clicks, against the exact tempo
  --exact-frames    click k must begin at frame round(k * 60 * rate / bpm), to within one frame
  --midi LOG        a receiver's log: every note-on has its click; --begin is the CLOCK_MONOTONIC time of frame 0, ns
  --delay-us A..B   the mean delay from note-on to click
  --silent-after-stop   no click later than the log's last Stop (FC)
stdout: "clicks=N sd_us=... pp_us=... drift_us=... bpm=... [delay_us=...]"; then the faults
exit: 0 all within limits; 1 some not; 64 usage
"""
import argparse
import array
import math
import sys
import wave


def read(path):
    """The left channel, and the rate if the file has it."""
    data = array.array("h")
    if path.endswith(".wav"):
        with wave.open(path) as file:
            assert file.getsampwidth() == 2, "16 bits a sample"
            data.frombytes(file.readframes(file.getnframes()))
            return data[:: file.getnchannels()], file.getframerate()
    with open(path, "rb") as file:
        raw = file.read()
    data.frombytes(raw[: len(raw) // 4 * 4])
    return data[::2], None


def find(samples, rate, threshold):
    """The frames at which clicks begin."""
    quiet = int(0.040 * rate)
    found, last, block = [], -quiet, 256
    for start in range(0, len(samples), block):
        part = samples[start : start + block]
        if max(part) < threshold and min(part) > -threshold:
            continue
        for offset, value in enumerate(part):
            if abs(value) < threshold:
                continue
            frame = start + offset
            if frame - last >= quiet:
                found.append(frame)
            last = frame
    return found


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("recording")
    for name in ("rate", "bpm", "after", "max-sd-us", "max-pp-us", "max-drift-us"):
        parser.add_argument("--" + name, type=float)
    for name in ("count", "begin"):
        parser.add_argument("--" + name, type=int)
    parser.add_argument("--threshold", type=int, default=1500)
    parser.add_argument("--exact-frames", action="store_true")
    parser.add_argument("--silent-after-stop", action="store_true")
    parser.add_argument("--midi")
    parser.add_argument("--delay-us")
    try:
        ask = parser.parse_args()
    except SystemExit:
        return 64
    samples, rate = read(ask.recording)
    rate = rate or ask.rate
    frames = find(samples, rate, ask.threshold)
    wrong = []
    if ask.count is not None and len(frames) != ask.count:
        wrong.append(f"{len(frames)} clicks, not {ask.count}")
    if ask.after:
        frames = [f for f in frames if f - frames[0] >= ask.after * rate]
    if len(frames) < 2:
        print(f"clicks={len(frames)}")
        print("too few clicks")
        return 1
    step = 60 / ask.bpm
    times = [f / rate for f in frames]
    # The beat of each click: clicks may be missing, but not shifted by half a beat.
    beats = [round((t - times[0]) / step) for t in times]
    errors = [t - times[0] - b * step for t, b in zip(times, beats)]
    mean = sum(errors) / len(errors)
    sd = math.sqrt(sum((e - mean) ** 2 for e in errors) / len(errors)) * 1e6
    pp = (max(errors) - min(errors)) * 1e6
    tenth = max(1, len(errors) // 10)
    drift = (sum(errors[-tenth:]) - sum(errors[:tenth])) / tenth * 1e6
    bpm = 60 * (beats[-1] - beats[0]) / (times[-1] - times[0])
    line = f"clicks={len(frames)} sd_us={sd:.1f} pp_us={pp:.1f} drift_us={drift:.1f} bpm={bpm:.4f}"
    if beats != list(range(len(beats))):
        wrong.append("clicks are missing or doubled")
    for name, value in (("sd", sd), ("pp", pp), ("drift", abs(drift))):
        limit = getattr(ask, f"max_{name}_us")
        if limit is not None and value > limit:
            wrong.append(f"{name} {value:.1f} us, at most {limit:g}")
    if ask.exact_frames:
        off = max(abs(f - round(b * step * rate)) for f, b in zip(frames, beats))
        line += f" off_frames={off}"
        if off > 1 or frames[0] > 1:
            wrong.append(f"a click is {off} frames off, the first at {frames[0]}")
    if ask.midi:
        notes, stop = [], None
        with open(ask.midi, encoding="ascii") as log:
            for text in log:
                words = text.split()
                if words and words[0].isdigit() and len(words) > 3 and words[3][0] == "9":
                    notes.append(int(words[0]))
                if words[3:] == ["FC"]:
                    stop = int(words[0])
        heard = [ask.begin + round(t * 1e9) for t in times]
        if ask.silent_after_stop:
            if stop is None:
                wrong.append("no Stop")
            elif heard[-1] > stop:
                wrong.append(f"a click {(heard[-1] - stop) / 1e6:.1f} ms after Stop")
        delays = []
        for note in notes:
            near = min(heard, key=lambda h: abs(h - note))
            if abs(near - note) < 0.4e9 * step:
                delays.append((near - note) / 1000)
        if len(delays) < len(frames) - 1:
            wrong.append(f"only {len(delays)} of {len(frames)} clicks have a note")
        delay = sum(delays) / max(1, len(delays))
        spread = max(delays) - min(delays) if delays else 0
        line += f" delay_us={delay:.1f} delay_pp_us={spread:.1f}"
        if ask.delay_us:
            low, high = map(float, ask.delay_us.split(".."))
            if not low <= delay <= high:
                wrong.append(f"delay {delay:.1f} us, asked {ask.delay_us}")
    print(line)
    for text in wrong:
        print(text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
