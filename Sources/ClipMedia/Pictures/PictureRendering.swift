public import ClipModel
import DurableFiles
import Foundation
import ISOMedia
import LibAV

/// Draws pictures of a clip: upright, square pixels, SDR, sRGB, without metadata.
public enum PictureRendering {
  /// What has to be known of a clip to decide what is drawn of it, from its headers alone.
  public static func rules(for path: String, play: Range<Double>? = nil) async throws -> PictureRules {
    try await MediaThread.run(named: "bsc pictures") { interruption in
      try FrameReader(path: path, interruption: interruption).rules(play: play)
    }
  }

  /// Draws and stores pictures of a file, all of them from one way through it.
  /// - Parameters:
  ///   - orders: what is drawn, and where it goes.
  ///   - path: of the clip.
  ///   - usesKeyFrames: takes the nearest key frames instead of the exact ones.
  ///   - policy: what happens when a picture exists.
  ///   - progress: fraction done, 0 to 1, called from another thread.
  /// - Throws: `ClipMediaError`, `FFmpegError`, `ZimgError`, `DurableFileError`, `CancellationError`.
  public static func draw(
    _ orders: [PictureRequest], of path: String, usesKeyFrames: Bool = false, policy: ReplacePolicy = .replace,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> [RenderedPicture] {
    try await MediaThread.run(named: "bsc pictures") { interruption in
      try finished(
        orders, of: path, usesKeyFrames: usesKeyFrames, interruption: interruption, progress: progress
      ).store(policy)
    }
  }

  static func finished(
    _ orders: [PictureRequest], of path: String, usesKeyFrames: Bool = false, interruption: Interruption,
    progress: (Double) -> Void = { _ in }
  ) throws -> FinishedPictures {
    let reader = try FrameReader(
      path: path, precision: usesKeyFrames ? .keyFrames : .exact, interruption: interruption)
    let set = PictureSet(orders, geometry: reader.geometry, name: reader.container.name)
    let seconds = set.seconds
    try reader.read(seconds) { place, shown in
      try set.take(shown, at: place)
      progress(Double(place + 1) / Double(seconds.count))
    }
    return try set.finish()
  }

  /// A still picture in memory, to be shown at once.
  package struct Image: Sendable {
    package var pixels: RGBPicture
    package var png: [UInt8]
    /// Where its frames were taken, seconds.
    package var seconds: [Double]
    package var notes: [String]
  }

  /// Draws a poster or tiles without storing them.
  package static func image(_ plan: PicturePlan, of path: String, usesKeyFrames: Bool = false) async throws -> Image {
    try await MediaThread.run(named: "bsc pictures") { interruption in
      let order = PictureRequest(plan.stored(as: .png), path: "")
      let finished = try finished([order], of: path, usesKeyFrames: usesKeyFrames, interruption: interruption)
      guard let file = finished.files.first?.file, let pixels = file.pixels else {
        throw ClipMediaError.noFrames(name: (path as NSString).lastPathComponent)
      }
      return Image(pixels: pixels, png: file.bytes, seconds: file.seconds, notes: file.notes)
    }
  }
}

extension PicturePlan {
  /// The same still picture in another format.
  fileprivate func stored(as format: ImageFormat) -> PicturePlan {
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
  /// What is known of the clip from its headers.
  func rules(play: Range<Double>? = nil) -> PictureRules {
    let stored = PictureSize(width: stream.width, height: stream.height)
    let square = stored.squared(sampleAspectRatio: geometry.sampleAspectRatio)
    // Up to the end of the picture, which may begin behind the sound.
    let start = max((stream.start?.seconds ?? 0) - container.originSeconds, 0)
    return PictureRules(
      durationSeconds: stream.duration.map { start + $0.seconds } ?? container.presentationSeconds ?? 0,
      shown: stream.orientation.swapsAxes ? square.turned : square, frameRate: stream.averageFrameRate?.value,
      play: play)
  }

  var geometry: FrameGeometry {
    // Where the container is silent, the pictures themselves may tell; libav would have to decode one.
    let ratio = stream.sampleAspectRatio ?? stream.decoderSetup?.sequence?.usability?.sampleAspectRatio
    return FrameGeometry(orientation: stream.orientation, sampleAspectRatio: ratio)
  }
}
