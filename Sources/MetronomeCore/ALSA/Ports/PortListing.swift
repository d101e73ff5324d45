/// Formats a list of ports as text, in the columns of alsa-utils.
///
/// Source: `aplaymidi -l`, whose lines are `%3d:%-3d  %-32.32s %s`; a fourth column gives the
/// port's use. Columns are counted in characters, not bytes, and cut between characters; invalid
/// UTF-8 and control characters become replacement characters.
public enum PortListing {
  /// A heading, and a line for each port that can be a destination or source, by address.
  ///
  /// Leaves out the kernel's own client and `ownClient`. Every line ends in a line feed.
  public static func text(of ports: [PortInfo], excluding ownClient: UInt8? = nil) -> String {
    var text = line(" Port ", "Client name", "Port name", "Use")
    for port in shown(ports, excluding: ownClient) {
      guard let use = use(of: port) else { continue }
      let client = String(port.address.client)
      let number = String(port.address.port)
      let address =
        String(repeating: " ", count: 3 - client.count) + client + ":"
        + number + String(repeating: " ", count: 3 - number.count)
      text += line(address, port.clientName.text, port.name.text, use)
    }
    return text
  }

  /// The ports without the kernel's own client and `ownClient`, by address.
  static func shown(_ ports: [PortInfo], excluding ownClient: UInt8?) -> [PortInfo] {
    ports.filter { $0.address.client != 0 && $0.address.client != ownClient }
      .sorted { $0.address < $1.address }
  }

  /// The use of a port, in the words of the options; `nil` if there is none.
  private static func use(of port: PortInfo) -> String? {
    switch (port.suits(.destination), port.suits(.source)) {
    case (true, true): "to, from"
    case (true, false): "to"
    case (false, true): "from"
    case (false, false): nil
    }
  }

  private static func line(
    _ address: String, _ client: String, _ port: String, _ use: String
  ) -> String {
    "\(column(address, 7))  \(column(client, 32)) \(column(port, 32)) \(use)\n"
  }

  private static func column(_ text: String, _ width: Int) -> String {
    let cut = text.prefix(width)
    return cut + String(repeating: " ", count: width - cut.count)
  }
}
