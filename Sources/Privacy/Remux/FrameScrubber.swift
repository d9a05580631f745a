package import LibAV

/// Removes private messages from the frames of a track whose packets are copied.
package struct FrameScrubber {
  private let coding: VideoCoding
  private let policy: RemuxPolicy

  /// - Returns: `nil` for tracks whose frames cannot contain messages.
  package init?(_ stream: SourceStream, options: StripOptions) {
    guard let coding = VideoCoding(codec: stream.codecName, setup: stream.setup) else { return nil }
    self.coding = coding
    policy = RemuxPolicy(options: options)
  }

  /// Cuts private messages out of a packet. Its slices are unchanged.
  /// - Returns: whether the packet contained private messages.
  /// - Throws: an error if a message cannot be cut out, or if memory is exhausted.
  package func scrub(_ packet: Packet) throws -> Bool {
    guard let cut = try policy.cut(packet.bytes, coding: coding) else { return false }
    try packet.replaceBytes(with: cut.bytes)
    return true
  }
}
