import Glibc
import MetronomeCore
import TestSupport
import Testing

struct ALSAErrorTests {
  static let reports: [(String, Int32, ALSAError.Kind, String)] = [
    (
      "snd_seq_open", 2, .unavailable,
      "/dev/snd/seq: snd_seq_open: No such file or directory; "
        + "load the kernel module: sudo modprobe snd-seq"
    ),
    (
      "snd_seq_open", 6, .unavailable,
      "/dev/snd/seq: snd_seq_open: No such device or address; "
        + "load the kernel module: sudo modprobe snd-seq"
    ),
    (
      "snd_seq_open", 13, .permission,
      "/dev/snd/seq: snd_seq_open: Permission denied; "
        + "join the group audio (sudo usermod -aG audio $USER) and log in again"
    ),
    (
      "snd_seq_open", 1, .permission,
      "/dev/snd/seq: snd_seq_open: Operation not permitted; "
        + "join the group audio (sudo usermod -aG audio $USER) and log in again"
    ),
    (
      "snd_seq_open", 12, .unavailable,
      "/dev/snd/seq: snd_seq_open: Cannot allocate memory; "
        + "too many sequencer clients; end some of those in /proc/asound/seq/clients"
    ),
    (
      "snd_seq_alloc_named_queue", 12, .unavailable,
      "/dev/snd/seq: snd_seq_alloc_named_queue: Cannot allocate memory; "
        + "all sequencer queues are taken; end some of the programs in /proc/asound/seq/queues"
    ),
    (
      "snd_seq_subscribe_port", 16, .unavailable,
      "/dev/snd/seq: snd_seq_subscribe_port: Device or resource busy; "
        + "another program uses this port exclusively; "
        + "disconnect it first (aconnect -l, aconnect -d)"
    ),
    (
      "snd_seq_delete_port", 22, .unavailable,
      "/dev/snd/seq: snd_seq_delete_port: Invalid argument"
    ),
  ]

  @Test(arguments: reports)
  func `the report is one line with device, function, error text and remedy`(
    operation: String, errno: Int32, kind: ALSAError.Kind, report: String
  ) {
    let error = ALSAError(operation: operation, code: -errno)
    #expect(error.kind == kind)
    #expect(error.report == report)
    #expect(!error.report.contains("\n"))
  }

  @Test func `the kinds are the exit statuses of sysexits`() {
    #expect(ALSAError.Kind.unavailable.rawValue == 69)
    #expect(ALSAError.Kind.permission.rawValue == 77)
  }

  @Test(.enabled(if: !sequencerIsPresent, "can open /dev/snd/seq"))
  func `opening a missing or forbidden sequencer names the reason`() {
    let error = #expect(throws: ALSAError.self) { try Sequencer.open(clientName: "midimetro") }
    let exists = unsafe access("/dev/snd/seq", F_OK) == 0
    #expect(error == ALSAError(operation: "snd_seq_open", code: exists ? -EACCES : -ENOENT))
    #expect(error?.kind == (exists ? .permission : .unavailable))
  }
}
