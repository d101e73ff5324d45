internal import MIDIClock

/// A queue of unplanned tasks, and the progress of the first one.
///
/// Real-time safe: a ring of fixed size, plain values.
struct UnplannedTasks: Sendable {
  /// One message of a task.
  enum Step: Hashable, Sendable {
    case route(Int, MIDIMessage)
    case device(MIDIMessage, from: PortNumber, to: PortAddress)
  }

  private static var capacity: Int { 16 }

  private let routes: Int
  private var tasks: [16 of UnplannedTask] = .init(repeating: .panic)
  private var first = 0
  private var count = 0
  private var step = 0

  /// An empty queue, for `routes` routes.
  init(routes: Int) { self.routes = routes }

  /// Whether no task is waiting.
  var isEmpty: Bool { count == 0 }

  /// Adds a task; false if too many are waiting.
  mutating func add(_ task: UnplannedTask) -> Bool {
    guard count < Self.capacity else { return false }
    tasks[(first + count) % Self.capacity] = task
    count += 1
    return true
  }

  /// The next message; `nil` if no task is waiting.
  mutating func next() -> Step? {
    while count > 0 {
      switch tasks[first] {
      case .panic:
        // For each route 16 channels, each with both controllers.
        let route = step / 32
        if route < routes {
          let message = MIDIMessage.control(
            channel: UInt8(step % 32 / 2), controller: step % 2 == 0 ? 120 : 123, value: 0)
          step += 1
          return .route(route, message)
        }
      case .leave(let leave):
        if let message = leave.message(step) {
          step += 1
          return .device(message, from: leave.port, to: leave.address)
        }
      }
      first = (first + 1) % Self.capacity
      count -= 1
      step = 0
    }
    return nil
  }
}
