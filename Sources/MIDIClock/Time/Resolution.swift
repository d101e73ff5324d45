/// The constants of the pulse and tick grids.
public enum Resolution {
  /// MIDI clock pulses per quarter note (MIDI 1.0, "Timing Clock").
  public static var pulsesPerQuarter: Int64 { @_noLocks get { 24 } }
  /// Ticks of our own grid per quarter note.
  ///
  /// Divisible by 24 and by every unit from 1/1 to 1/32.
  public static var ticksPerQuarter: Int64 { @_noLocks get { 960 } }
  /// Ticks per pulse.
  public static var ticksPerPulse: Int64 { @_noLocks get { 40 } }
  /// Ticks per MIDI beat, the sixteenth that Song Position counts.
  public static var ticksPerMIDIBeat: Int64 { @_noLocks get { 240 } }
  /// Ticks per whole note.
  public static var ticksPerWhole: Int64 { @_noLocks get { 3_840 } }
  /// Nanoseconds per quarter note, times the tempo in thousandths of a quarter per minute.
  public static var tempoNumerator: Int64 { @_noLocks get { 60_000_000_000_000 } }
  /// Nanoseconds per quarter note at one quarter per minute.
  public static var quarterAtOneBPM: Double { @_noLocks get { 60e9 } }
  /// Nanoseconds per pulse at one quarter per minute.
  public static var pulseAtOneBPM: Double { @_noLocks get { 2.5e9 } }
}
