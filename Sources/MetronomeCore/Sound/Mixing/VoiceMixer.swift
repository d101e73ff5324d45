internal import MIDIClock

/// Mixes the sounding clicks.
///
/// Use it from one thread at a time. Real-time safe: yes.
@safe final class VoiceMixer {
  /// A sounding click and the position of its next frame; negative before it starts.
  @unsafe private struct Sounding {
    var voice: VoiceTable.Voice
    var position: Int
  }

  private static let capacity = 32
  // Owns the memory that the voices point to.
  private let table: VoiceTable
  private let sounding: UnsafeMutablePointer<Sounding>
  private var count = 0

  init(_ table: VoiceTable) {
    self.table = table
    unsafe sounding = .allocate(capacity: Self.capacity)
  }

  deinit { unsafe sounding.deallocate() }

  /// Whether nothing sounds.
  var isSilent: Bool { count == 0 }

  /// Starts a click `offset` frames from here.
  ///
  /// If all slots are in use, the oldest click is cut off.
  func start(_ accent: Accent, bank: Int, offset: Int) {
    if count == Self.capacity { remove(0) }
    let voice = unsafe table.voice(accent, bank: bank)
    unsafe (sounding + count).initialize(to: Sounding(voice: voice, position: -offset))
    count += 1
  }

  /// Adds the next `frames` frames of all sounding clicks to both channels.
  func mix(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int) {
    var index = 0
    while index < count {
      let click = unsafe sounding[index]
      let first = unsafe max(0, -click.position)
      let end = unsafe min(frames, click.voice.count - click.position)
      var frame = first
      while frame < end {
        unsafe left[frame] += click.voice.left[click.position + frame]
        unsafe right[frame] += click.voice.right[click.position + frame]
        frame += 1
      }
      unsafe sounding[index].position += frames
      if unsafe sounding[index].position >= click.voice.count { remove(index) } else { index += 1 }
    }
  }

  private func remove(_ index: Int) {
    count -= 1
    var slot = index
    while slot < count {
      unsafe sounding[slot] = sounding[slot + 1]
      slot += 1
    }
  }
}
