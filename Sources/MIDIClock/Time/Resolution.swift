/// The fixed numbers of the grid; the only place they are written.
public enum Resolution {
  /// Pulses of MIDI clock per quarter note (MIDI 1.0, "Timing Clock").
  public static var pulsesPerQuarter: Int64 { @_noLocks get { 24 } }
  /// Ticks of our own grid per quarter note.
  ///
  /// Divides by 24 and by every unit from 1/1 to 1/32.
  public static var ticksPerQuarter: Int64 { @_noLocks get { 960 } }
  /// Ticks from one pulse to the next.
  public static var ticksPerPulse: Int64 { @_noLocks get { 40 } }
  /// Ticks in one MIDI beat, the sixteenth that Song Position counts.
  public static var ticksPerMIDIBeat: Int64 { @_noLocks get { 240 } }
  /// Ticks in a whole note.
  public static var ticksPerWhole: Int64 { @_noLocks get { 3_840 } }
  /// Nanoseconds of a quarter note, times its tempo in thousandths of a quarter per minute.
  public static var tempoNumerator: Int64 { @_noLocks get { 60_000_000_000_000 } }
  /// Nanoseconds of a quarter note at one quarter per minute.
  public static var quarterAtOneBPM: Double { @_noLocks get { 60e9 } }
  /// Nanoseconds from one pulse to the next at one quarter per minute.
  public static var pulseAtOneBPM: Double { @_noLocks get { 2.5e9 } }
}
