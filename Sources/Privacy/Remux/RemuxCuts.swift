internal import ISOMedia
internal import LibAV
internal import LocationFormats

/// What is cut out of pictures and of their decoders' setups on the way into the copy.
extension RemuxPass {
  mutating func cutMessages(of packet: Packet, coding: PictureCoding) throws {
    let index = packet.streamIndex
    guard let cut = try named(index, { try policy.cut(packet.bytes, coding: coding) }) else { return }
    try packet.replaceBytes(with: cut.bytes)
    report.cutAccessUnits[index, default: 0] += 1
    for kind in cut.kinds { report.remove("track \(index + 1), inside the pictures: \(kind)") }
  }

  /// - Returns: `nil` when it stays as it is.
  mutating func cutSetup(of stream: SourceStream, coding: PictureCoding?, track: String) throws -> [UInt8]? {
    if format == .avi, try RIFFStream.additionalData(of: FileBytes(path: path)).contains(stream.setup) {
      report.remove("\(track): strd")
      return []
    }
    let cut = try coding.flatMap { coding in
      try named(stream.index) { try policy.cutSetup(stream.setup, coding: coding) }
    }
    for kind in cut?.kinds ?? [] { report.remove("\(track), in the decoder's setup: \(kind)") }
    let setup = cut?.bytes ?? stream.setup
    guard let finding = policy.search.examine(setup), let blanked = policy.search.blanked(setup) else {
      return cut?.bytes
    }
    report.remove("\(track), in the decoder's setup: \(finding.kind)")
    return blanked
  }

  /// Says of which track a message could not be cut out.
  private func named<Result>(_ track: Int, _ cut: () throws -> Result) throws -> Result {
    do {
      return try cut()
    } catch let message as RemuxPolicy.UncutMessage {
      throw RemuxError.cannotCut(name: name, track: track, kind: message.kind)
    }
  }
}
