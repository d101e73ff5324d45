internal import MIDIClock

/// Adds up the clicks that sound.
///
/// One thread at a time uses it. Real-time safe: yes.
@safe final class VoiceMixer {
  /// A click that sounds, and how far it has come: below 0 it has yet to begin.
  @unsafe private struct Sounding {
    var voice: VoiceTable.Voice
    var place: Int
  }

  private static let capacity = 32
  // It keeps the memory that the voices point to.
  private let table: VoiceTable
  private let sounding: UnsafeMutablePointer<Sounding>
  private var count = 0

  init(_ table: VoiceTable) {
    self.table = table
    unsafe sounding = .allocate(capacity: Self.capacity)
  }

  deinit { unsafe sounding.deallocate() }

  /// True when nothing sounds.
  var isSilent: Bool { count == 0 }

  /// Begins a click `offset` frames from here; the one that has sounded longest makes room.
  func start(_ accent: Accent, bank: Int, offset: Int) {
    if count == Self.capacity { remove(0) }
    let voice = unsafe table.voice(accent, bank: bank)
    unsafe (sounding + count).initialize(to: Sounding(voice: voice, place: -offset))
    count += 1
  }

  /// Adds the next `frames` frames of what sounds to both sides.
  func mix(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int) {
    var index = 0
    while index < count {
      let click = unsafe sounding[index]
      let first = unsafe max(0, -click.place)
      let end = unsafe min(frames, click.voice.count - click.place)
      var frame = first
      while frame < end {
        unsafe left[frame] += click.voice.left[click.place + frame]
        unsafe right[frame] += click.voice.right[click.place + frame]
        frame += 1
      }
      unsafe sounding[index].place += frames
      if unsafe sounding[index].place >= click.voice.count { remove(index) } else { index += 1 }
    }
  }

  private func remove(_ index: Int) {
    count -= 1
    var place = index
    while place < count {
      unsafe sounding[place] = sounding[place + 1]
      place += 1
    }
  }
}
