package import ClipMedia
package import ClipModel
import DurableFiles
import Foundation

/// Draws the pictures of one clip after the other.
package struct PictureRun: Sendable {
  private let settings: PictureSettings
  private let isForced: Bool
  private let metadata: MetadataRequest

  /// - Parameters:
  ///   - settings: which pictures are drawn, each kind once.
  ///   - isForced: existing pictures are replaced; otherwise they are kept in folders, and an error elsewhere.
  ///   - metadata: the rally whose best frame is chosen.
  package init(_ settings: PictureSettings, isForced: Bool, metadata: MetadataRequest) {
    (self.settings, self.isForced, self.metadata) = (settings, isForced, metadata)
  }

  /// The pictures to draw of a clip, or why none are drawn.
  package enum Decision: Sendable {
    /// `note` says why the metadata next to the clip isn't used.
    case plans([PicturePlan], note: String?)
    /// The metadata can't be used.
    case refused([Finding])
  }

  /// Reads the headers of the clip, and its rally metadata if the best frame is chosen.
  package func decide(_ file: String) async throws -> Decision {
    let path = absolutePath(file)
    var rules = try await PictureRendering.rules(for: path)
    guard settings.picksBest else { return .plans(rules.plans(settings), note: nil) }
    let answer = try RallySidecar.choose(
      metadata, clipPath: path, seconds: rules.durationSeconds, frameRate: rules.frameRate)
    let errors = answer.findings.filter { $0.severity == .error }
    if let error = errors.first {
      // Metadata that was found next to the clip, and that doesn't match the clip, is ignored.
      guard metadata.isOptional else { return .refused(errors) }
      let note = answer.path.map {
        "\(($0 as NSString).lastPathComponent) doesn't describe this clip: \(error.message)"
      }
      return .plans(rules.plans(settings), note: note)
    }
    if let rally = answer.rally {
      let range = rally.cut ?? 0..<rules.durationSeconds
      let play = PictureRules.play(inRallyOf: range.upperBound - range.lowerBound)
      rules = PictureRules(
        durationSeconds: rules.durationSeconds, shown: rules.shown, frameRate: rules.frameRate,
        play: play.map { $0.lowerBound + range.lowerBound..<$0.upperBound + range.lowerBound })
    }
    return .plans(rules.plans(settings), note: nil)
  }

  /// Draws and stores pictures.
  /// - Parameter progress: called with the completed fraction, on another thread; first with 0, when drawing starts.
  package func draw(
    _ plans: [PicturePlan], of input: OutputTargets.Input, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> DrawnPictures {
    let start = ContinuousClock.now
    let source = absolutePath(input.source)
    var requests = plans.map { plan in
      let path = plans.count == 1 ? input.destination : PictureNaming.path(of: plan, for: input, settings.kinds)
      return PictureRequest(plan, path: absolutePath(path))
    }
    var drawn = DrawnPictures(file: input.source, areKeyFrames: settings.usesKeyFrames)
    // Each run on a folder draws the missing pictures. Existing ones are kept, even old ones: they can be the user's.
    if input.isFromFolder, !isForced {
      drawn.kept = requests.map(\.paths).filter(Self.areDrawn).flatMap(\.self)
      drawn.areStale = try Self.areOlder(drawn.kept, than: source)
      requests.removeAll { Self.areDrawn($0.paths) }
      drawn.wasThere = requests.isEmpty
    }
    guard !requests.isEmpty else { return drawn }
    let policy: ReplacePolicy = isForced ? .replace : .keepExisting
    for path in requests.flatMap(\.paths) { try StagedFile.check(path, replacing: policy) }
    try OutputTargets.makeFolder(of: input)
    progress(0)
    drawn.pictures = try await PictureRendering.draw(
      requests, of: source, usesKeyFrames: settings.usesKeyFrames, policy: policy, progress: progress)
    drawn.seconds = (ContinuousClock.now - start).seconds
    return drawn
  }

  /// Draws a still picture in memory.
  package func image(_ plan: PicturePlan, of file: String) async throws -> PictureRendering.Image {
    try await PictureRendering.image(plan, of: absolutePath(file), usesKeyFrames: settings.usesKeyFrames)
  }

  private static func areDrawn(_ paths: [String]) -> Bool {
    paths.allSatisfy { ((try? FileIdentity.of($0))?.byteCount ?? 0) > 0 }
  }

  /// A copied clip keeps its modification time, so the time of its last change counts, too.
  private static func areOlder(_ paths: [String], than source: String) throws -> Bool {
    let clip = max(try FileIdentity.of(source).modifiedNanoseconds, FileIdentity.changedNanoseconds(of: source) ?? 0)
    return paths.contains { (try? FileIdentity.of($0)).map { $0.modifiedNanoseconds < clip } ?? false }
  }
}

/// The pictures of a clip: `bsc.thumbs/1` as JSON.
package struct DrawnPictures: Encodable, Sendable {
  package private(set) var schema = "bsc.thumbs/1"
  /// The path as the user wrote it.
  package var file: String
  package internal(set) var pictures: [RenderedPicture] = []
  /// The nearest key frames were used instead of the exact frames.
  package var areKeyFrames: Bool
  /// All pictures existed, so nothing was drawn.
  package internal(set) var wasThere = false
  /// The absolute paths of the pictures that already existed.
  package internal(set) var kept: [String] = []
  /// The elapsed time in seconds.
  package internal(set) var seconds: Double = 0
  /// The clip is newer than pictures that were kept.
  package internal(set) var areStale = false

  private enum CodingKeys: CodingKey { case schema, file, pictures, areKeyFrames, wasThere, kept, seconds }
}
