import Glibc
import MetronomeCore
import TestSupport
import Testing

struct ALSAErrorTests {
  @Test(.enabled(if: !sequencerIsPresent, "can open /dev/snd/seq"))
  func `opening a missing or forbidden sequencer names the reason`() {
    let error = #expect(throws: ALSAError.self) { try Sequencer.open(clientName: "midimetro") }
    let exists = unsafe access("/dev/snd/seq", F_OK) == 0
    #expect(error == ALSAError(operation: "snd_seq_open", code: exists ? -EACCES : -ENOENT))
    #expect(error?.isPermission == exists)
  }
}
