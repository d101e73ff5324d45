internal import Glibc
internal import MetronomeCore

extension ALSAError {
  /// What the user can do about it; `nil` where nothing sensible is known.
  var remedy: String? {
    switch (operation, -code) {
    case ("snd_seq_open", ENOENT), ("snd_seq_open", ENXIO), ("snd_seq_open", ENODEV):
      "load the kernel module: sudo modprobe snd-seq"
    case ("snd_seq_open", EACCES), ("snd_seq_open", EPERM):
      "join the group audio (sudo usermod -aG audio $USER) and log in again"
    case ("snd_seq_open", ENOMEM), ("snd_seq_open", EAGAIN), ("snd_seq_open", EBUSY):
      "too many sequencer clients; end some of those in /proc/asound/seq/clients"
    case ("snd_seq_open", EMFILE), ("snd_seq_open", ENFILE):
      "too many open files; raise the limit with ulimit -n"
    case ("snd_seq_alloc_named_queue", ENOMEM), ("snd_seq_alloc_named_queue", EAGAIN):
      "all sequencer queues are taken; end some of the programs in /proc/asound/seq/queues"
    case ("snd_seq_subscribe_port", EBUSY):
      "another program uses this port exclusively; disconnect it first (aconnect -l, aconnect -d)"
    case ("snd_seq_subscribe_port", EPERM), ("snd_seq_subscribe_port", EACCES):
      "this port does not take connections in that direction, or only when named at the start;"
        + " see midimetro ports"
    case ("snd_seq_subscribe_port", ENODEV), ("snd_seq_subscribe_port", ENXIO),
      ("snd_seq_subscribe_port", EINVAL):
      "the port has gone; see midimetro ports"
    default: nil
    }
  }

  /// The C function, the error's text and what to do, for where it is known what it is about.
  var advised: String { remedy.map { "\(self); \($0)" } ?? "\(self)" }

  /// One line for the user: the device, the C function, the error's text and what to do.
  var report: String {
    "/dev/snd/seq: \(advised)"
  }
}
