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

  /// Removes private messages from a packet. The image data is unchanged.
  /// - Returns: whether the packet contained private messages.
  /// - Throws: an error if a message cannot be removed, or if memory is exhausted.
  package func scrub(_ packet: Packet) throws -> Bool {
    guard let cut = try policy.cut(packet.bytes, coding: coding) else { return false }
    try packet.replaceBytes(with: cut.bytes)
    return true
  }
}
