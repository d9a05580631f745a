public import ClipModel
import DurableFiles
import Foundation
import LibAV

/// Draws pictures of a clip: upright, square pixels, SDR, no metadata.
public enum ThumbnailExtractor {
  /// Writes a JPEG of the frame shown at a time, or of the last one before it when the clip ends earlier.
  /// - Returns: where in the clip the picture was taken, seconds.
  @discardableResult
  public static func drawPoster(of path: String, to jpegPath: String, plan: PosterPlan) async throws -> Double {
    try await MediaThread.run(named: "bsc poster") { interruption in
      try draw(of: path, to: jpegPath, plan: plan, interruption: interruption)
    }
  }

  static func draw(
    of path: String, to jpegPath: String, plan: PosterPlan, interruption: Interruption
  ) throws -> Double {
    let opened = try InputContainer(path: path, interruption: interruption)
    let container = try opened.mainVideo.map {
      try opened.positioned(
        before: plan.atSeconds + opened.originSeconds, stream: $0, interruption: interruption)
    }
    guard let container, let stream = container.mainVideo else {
      throw ClipMediaError.notMedia(name: opened.name, why: "it has no video track")
    }
    let found = try frame(at: plan.atSeconds, of: stream, in: container, interruption: interruption)
    let picture = try poster(found, stream: stream, maximumSide: plan.maximumSide)
    let jpeg = try JPEGEncoder.encode(picture, quality: plan.quality)
    try DurableFile.write(jpeg, to: jpegPath, permissions: 0o644)
    return (Double(found.presentationTicks ?? 0) * stream.timeBase.value) - container.originSeconds
  }

  /// Decodes from the key frame before the time up to the frame that is shown then.
  private static func frame(
    at seconds: Double, of stream: SourceStream, in container: InputContainer, interruption: Interruption
  ) throws -> Frame {
    container.select([stream.index])
    let timeBase = stream.timeBase
    let wanted = Int64(((seconds + container.originSeconds) / timeBase.value).rounded())
    let decoder = try Decoder(stream)
    let packet = try Packet()
    var best: Frame?
    var isAtEnd = false
    reading: while !isAtEnd {
      try interruption.check()
      isAtEnd = try !container.read(into: packet)
      if !isAtEnd, packet.streamIndex != stream.index { continue }
      _ = try? decoder.send(isAtEnd ? nil : packet)
      while true {
        let frame = try Frame()
        guard try decoder.receive(into: frame) == .produced else { break }
        // A frame is shown until the next one: the first that starts later ends the search.
        if best != nil, let ticks = frame.presentationTicks, ticks > wanted { break reading }
        best = frame
      }
    }
    guard let best else { throw ClipMediaError.noFrames(name: container.name) }
    return best
  }

  private static func poster(_ frame: Frame, stream: SourceStream, maximumSide: Int) throws -> Frame {
    let size = PictureSize(width: frame.width, height: frame.height)
      .squared(sampleAspectRatio: stream.sampleAspectRatio)
      .fitted(longSide: maximumSide, shortSide: maximumSide)
    let scaled = try FrameScaler(target: FrameScaler.jpegLayout(size)).scale(frame)
    return try scaled.turned(stream.orientation)
  }
}

extension InputContainer {
  var name: String { (path as NSString).lastPathComponent }

  /// The track that a player shows: the default one, else the first, cover pictures left aside.
  var mainVideo: SourceStream? {
    let candidates = streams.filter { $0.kind == .video && !$0.isAttachedPicture }
    return candidates.first(where: \.isDefault) ?? candidates.first
  }
}
