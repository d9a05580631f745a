internal import ISOMedia
internal import LibAV
internal import LocationFormats

/// Removes private messages from frames and decoder configurations.
extension RemuxPass {
  mutating func removeMessages(of packet: Packet, coding: VideoCoding) throws {
    let index = packet.streamIndex
    guard let cut = try withTrackInError(index, { try policy.removeMessages(from: packet.bytes, coding: coding) })
    else { return }
    try packet.replaceBytes(with: cut.bytes)
    report.cutAccessUnits[index, default: 0] += 1
    for kind in cut.kinds { report.addRemoval("track \(index + 1), inside the frames: \(kind)") }
  }

  /// Removes the private messages from a track's decoder configuration.
  /// - Returns: the new configuration; `nil` if it didn't change.
  mutating func removeSetupMessages(of stream: SourceStream, coding: VideoCoding?, track: String) throws -> [UInt8]? {
    if format == .avi, try RIFFStream.additionalData(of: FileBytes(path: path)).contains(stream.setup) {
      report.addRemoval("\(track): strd")
      return []
    }
    let cut = try coding.flatMap { coding in
      try withTrackInError(stream.index) { try policy.removeMessages(fromSetup: stream.setup, coding: coding) }
    }
    for kind in cut?.kinds ?? [] { report.addRemoval("\(track), in the decoder configuration: \(kind)") }
    let setup = cut?.bytes ?? stream.setup
    guard let finding = policy.search.examine(setup), let blanked = policy.search.blanked(setup) else {
      return cut?.bytes
    }
    report.addRemoval("\(track), in the decoder configuration: \(finding.kind)")
    return blanked
  }

  private func withTrackInError<Result>(_ track: Int, _ cut: () throws -> Result) throws -> Result {
    do {
      return try cut()
    } catch let message as RemuxPolicy.UnremovedMessage {
      throw RemuxError.cannotCut(name: name, track: track, kind: message.kind)
    }
  }
}
