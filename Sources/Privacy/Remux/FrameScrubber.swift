package import LibAV

/// Removes private messages from the frames of a track while its packets are copied.
package struct FrameScrubber {
  private let coding: VideoCoding
  private let policy: RemuxPolicy

  /// Creates a scrubber for a track.
  /// - Returns: `nil` for tracks whose frames can't contain messages.
  package init?(_ stream: SourceStream, options: StripOptions) {
    guard let coding = VideoCoding(codec: stream.codecName, setup: stream.setup) else { return nil }
    self.coding = coding
    policy = RemuxPolicy(options: options)
  }

  /// Removes the private messages from a packet. The image data stays the same.
  /// - Returns: whether the packet contained private messages.
  /// - Throws: an error if a message can't be removed, or if there isn't enough memory.
  package func scrub(_ packet: Packet) throws -> Bool {
    guard let cut = try policy.removeMessages(from: packet.bytes, coding: coding) else { return false }
    try packet.replaceBytes(with: cut.bytes)
    return true
  }
}
