import Glibc
import MIDIClock
import MetronomeCore
import Testing

/// Each test runs in its own process, since signals belong to the whole process.
///
/// Test bodies do not run on the main thread, and the other threads existed before the inbox. So
/// the signals are sent to this thread only, which `signalfd` reads just the same.
struct SignalsTests {
  @Test func `signals arrive in the inbox instead of ending the process`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let inbox = try SignalInbox.open()
      var set = PollSet([inbox.descriptor])
      guard inbox.next() == nil else { exit(1) }
      for signal in Signal.allCases {
        pthread_kill(pthread_self(), signal.number)
        guard try set.wait(until: SystemClock.now + .seconds(10)) == [0] else { exit(2) }
        guard inbox.next() == signal else { exit(3) }
        guard inbox.next() == nil else { exit(4) }
      }
      exit(7)
    }
  }

  @Test func `a thread started later has them all blocked`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let inbox = try SignalInbox.open()
      let thread = try RealtimeThread.start(name: "bystander", priority: nil, state: ()) { _ in
        var blocked = sigset_t()
        unsafe _ = pthread_sigmask(SIG_BLOCK, nil, &blocked)
        return Signal.allCases.filter { unsafe sigismember(&blocked, $0.number) == 1 }
      }
      let blocked = thread.join()
      _ = inbox.next()
      exit(blocked == Signal.allCases ? 7 : 1)
    }
  }

  @Test func `the default action of an interrupt ends the process as by that signal`() async {
    await #expect(processExitsWith: .signal(SIGINT)) {
      let inbox = try SignalInbox.open()
      SignalInbox.takeDefaultAction(of: .interrupt)
      _ = inbox.next()
      exit(1)
    }
  }

  @Test func `an interrupt ignored at the start is handled; a hang-up stays ignored`()
    async
  {
    await #expect(processExitsWith: .exitCode(7)) {
      _ = signal(SIGINT, SIG_IGN)
      _ = signal(SIGHUP, SIG_IGN)
      let inbox = try SignalInbox.open()
      pthread_kill(pthread_self(), SIGHUP)
      pthread_kill(pthread_self(), SIGINT)
      guard inbox.next() == .interrupt else { exit(2) }
      guard inbox.next() == nil else { exit(3) }
      exit(7)
    }
  }

  @Test func `the default action of a suspend stops the process until it is resumed`()
    async
  {
    await #expect(processExitsWith: .exitCode(7)) {
      // A separate process group whose parent is in another: not orphaned, so that it can be
      // stopped.
      guard setpgid(0, 0) == 0 else { exit(1) }
      let inbox = try SignalInbox.open()
      let script =
        "n=0; until grep -q '^State:.T' /proc/$PPID/status; do n=$((n+1)); "
        + "[ $n -lt 500 ] || exit 1; sleep 0.01; done; kill -CONT $PPID"
      guard let shell = spawnShell(script) else { exit(2) }
      SignalInbox.takeDefaultAction(of: .suspend)
      _ = inbox.next()
      var status: Int32 = -1
      unsafe waitpid(shell, &status, 0)
      exit(status == 0 ? 7 : 3)
    }
  }
}

private func spawnShell(_ script: String) -> pid_t? {
  unsafe script.withCString { script in
    unsafe "sh".withCString { name in
      unsafe "-c".withCString { option in
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [
          UnsafeMutablePointer(mutating: name), UnsafeMutablePointer(mutating: option),
          UnsafeMutablePointer(mutating: script), nil,
        ]
        var process: pid_t = 0
        let result = unsafe posix_spawn(&process, "/bin/sh", nil, nil, &arguments, environ)
        return result == 0 ? process : nil
      }
    }
  }
}
