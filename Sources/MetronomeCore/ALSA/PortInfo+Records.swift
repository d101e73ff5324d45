internal import CALSASeq
internal import Glibc

extension PortInfo {
  /// Combines the kernel's records of a client and a port.
  init(_ client: borrowing ClientRecord, _ port: borrowing PortRecord) {
    let number = unsafe snd_seq_client_info_get_client(client.pointer)
    let card = unsafe snd_seq_client_info_get_card(client.pointer)
    let process = unsafe snd_seq_client_info_get_pid(client.pointer)
    self.init(
      address: PortAddress(
        client: UInt8(truncatingIfNeeded: number),
        port: unsafe UInt8(truncatingIfNeeded: snd_seq_port_info_get_port(port.pointer))),
      clientName: unsafe SequencerName(copying: snd_seq_client_info_get_name(client.pointer)),
      name: unsafe SequencerName(copying: snd_seq_port_info_get_name(port.pointer)),
      capabilities: unsafe PortInfo.Capabilities(
        rawValue: snd_seq_port_info_get_capability(port.pointer)),
      typeBits: unsafe snd_seq_port_info_get_type(port.pointer),
      isKernelClient: unsafe snd_seq_client_info_get_type(client.pointer)
        == SND_SEQ_KERNEL_CLIENT,
      card: card >= 0 ? card : nil, processID: process > 0 ? process : nil)
  }
}

extension SequencerName {
  /// Copies a name owned by alsa-lib; empty if it has none.
  fileprivate init(copying cString: UnsafePointer<CChar>?) {
    guard let cString = unsafe cString else {
      self.init(bytes: [])
      return
    }
    let bytes = unsafe UnsafeBufferPointer(start: cString, count: strlen(cString))
    self.init(bytes: unsafe bytes.map { UInt8(bitPattern: $0) })
  }
}
