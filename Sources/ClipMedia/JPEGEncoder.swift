import LibAV

/// One picture to a JPEG file's bytes.
enum JPEGEncoder {
  /// - Parameter quality: 1 to 100 as libjpeg users know it, mapped to mjpeg's quantizer scale of 2 to 31.
  static func encode(_ frame: Frame, quality: Int) throws -> [UInt8] {
    let scale = 2 + (100 - min(max(quality, 1), 100)) * 29 / 99
    let encoder = try Encoder(jpegLike: frame, quantizerScale: scale)
    let packet = try Packet()
    frame.presentationTicks = 0
    _ = try encoder.send(frame)
    _ = try encoder.send(nil)
    guard try encoder.receive(into: packet) == .produced else { return [] }
    return unsafe packet.withBytes { unsafe Array($0) }
  }
}
