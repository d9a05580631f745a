package import LibAV

/// Takes what is private out of the pictures of a track whose packets are copied.
package struct PictureScrubber {
  private let coding: PictureCoding
  private let policy: RemuxPolicy

  /// - Returns: `nil` for tracks whose pictures have no room for messages.
  package init?(_ stream: SourceStream, options: StripOptions) {
    guard let coding = PictureCoding(codec: stream.codecName, setup: stream.setup) else { return nil }
    self.coding = coding
    policy = RemuxPolicy(options: options)
  }

  /// Cuts the messages that have to go out of a packet; its slices stay as they are.
  /// - Returns: whether there were any.
  /// - Throws: when a message cannot be cut out, or memory is out.
  package func scrub(_ packet: Packet) throws -> Bool {
    guard let cut = try policy.cut(packet.bytes, coding: coding) else { return false }
    try packet.replaceBytes(with: cut.bytes)
    return true
  }
}
