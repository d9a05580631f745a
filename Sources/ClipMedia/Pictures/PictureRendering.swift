public import ClipModel
import DurableFiles
import Foundation
import ISOMedia
import LibAV

/// Renders pictures of a clip. All pictures are upright, with square pixels, in SDR and sRGB, and contain no metadata.
public enum PictureRendering {
  /// Reads the properties that are needed to plan pictures, from the headers only.
  public static func readRules(for path: String, play: Range<Double>? = nil) async throws -> PictureRules {
    try await MediaThread.run(named: "bsc pictures") { interruption in
      try FrameReader(path: path, interruption: interruption).pictureRules(play: play)
    }
  }

  /// Renders and saves all requested pictures of a clip, in one pass.
  /// - Parameters:
  ///   - requests: the pictures to render, and the paths at which to save them.
  ///   - path: the path of the clip.
  ///   - usesKeyFrames: whether to use the nearest key frames instead of the exact frames.
  ///   - policy: how existing files are handled.
  ///   - progress: called on another thread with the fraction that is complete, from 0 to 1.
  /// - Throws: `ClipMediaError`, `FFmpegError`, `ZimgError`, `DurableFileError`, `CancellationError`.
  public static func draw(
    _ requests: [PictureRequest], of path: String, usesKeyFrames: Bool = false, policy: ReplacePolicy = .replace,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> [RenderedPicture] {
    try await MediaThread.run(named: "bsc pictures") { interruption in
      try renderPictures(
        requests, of: path, usesKeyFrames: usesKeyFrames, interruption: interruption, progress: progress
      ).store(policy)
    }
  }

  static func renderPictures(
    _ requests: [PictureRequest], of path: String, usesKeyFrames: Bool = false, interruption: Interruption,
    progress: (Double) -> Void = { _ in }
  ) throws -> FinishedPictures {
    let reader = try FrameReader(
      path: path, precision: usesKeyFrames ? .keyFrames : .exact, interruption: interruption)
    let set = PictureSet(requests, geometry: reader.geometry, name: reader.container.name)
    let seconds = set.seconds
    try reader.read(seconds) { index, shown in
      try set.add(shown, at: index)
      progress(Double(index + 1) / Double(seconds.count))
    }
    return try set.finish()
  }

  /// A rendered still picture in memory.
  package struct Image: Sendable {
    package var pixels: RGBPicture
    package var png: [UInt8]
    /// The times of the frames in the picture, in seconds.
    package var seconds: [Double]
    package var notes: [String]
  }

  /// Renders a poster or tiles without saving a file.
  package static func renderImage(_ plan: PicturePlan, of path: String, usesKeyFrames: Bool = false) async throws
    -> Image
  {
    try await MediaThread.run(named: "bsc pictures") { interruption in
      let request = PictureRequest(plan.withFormat(.png), path: "")
      let finished = try renderPictures([request], of: path, usesKeyFrames: usesKeyFrames, interruption: interruption)
      guard let file = finished.files.first?.file, let pixels = file.pixels else {
        throw ClipMediaError.noFrames(name: (path as NSString).lastPathComponent)
      }
      return Image(pixels: pixels, png: file.bytes, seconds: file.seconds, notes: file.notes)
    }
  }
}

extension PicturePlan {
  /// Returns the plan for the same still picture in a different format.
  fileprivate func withFormat(_ format: ImageFormat) -> PicturePlan {
    switch self {
    case .poster(var plan):
      plan.format = format
      return .poster(plan)
    case .tiles(var plan):
      plan.format = format
      return .tiles(plan)
    case .animation: return self
    }
  }
}

extension FrameReader {
  /// Returns the properties that are needed to plan pictures, from the headers.
  func pictureRules(play: Range<Double>? = nil) -> PictureRules {
    let stored = PictureSize(width: stream.width, height: stream.height)
    let square = stored.withSquarePixels(sampleAspectRatio: geometry.sampleAspectRatio)
    // The duration extends to the end of the video, which may start after the audio.
    let start = max((stream.start?.seconds ?? 0) - container.originSeconds, 0)
    return PictureRules(
      durationSeconds: stream.duration.map { start + $0.seconds } ?? container.presentationSeconds ?? 0,
      shown: stream.orientation.swapsAxes ? square.transposed : square, frameRate: stream.averageFrameRate?.value,
      play: play)
  }

  var geometry: FrameGeometry {
    // The bitstream may contain a pixel aspect ratio that the container lacks. libav would have to decode a frame to
    // find it.
    let ratio = stream.sampleAspectRatio ?? stream.decoderSetup?.sequence?.usability?.sampleAspectRatio
    return FrameGeometry(orientation: stream.orientation, sampleAspectRatio: ratio)
  }
}
