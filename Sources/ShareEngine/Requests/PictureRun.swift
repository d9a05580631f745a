package import ClipMedia
package import ClipModel
import DurableFiles
import Foundation

/// Renders the pictures of several clips, one clip after another.
package struct PictureRun: Sendable {
  private let settings: PictureSettings
  private let isForced: Bool
  private let metadata: MetadataRequest

  /// - Parameters:
  ///   - settings: which pictures are rendered. Each kind is rendered once.
  ///   - isForced: if true, existing pictures are replaced. Otherwise, they are kept if the input is a folder, and
  ///     cause an error if not.
  ///   - metadata: the rally from which the best frame is chosen.
  package init(_ settings: PictureSettings, isForced: Bool, metadata: MetadataRequest) {
    (self.settings, self.isForced, self.metadata) = (settings, isForced, metadata)
  }

  /// The pictures to render from a clip, or why none are rendered.
  package enum Decision: Sendable {
    /// `note` says why the metadata next to the clip isn't used.
    case plans([PicturePlan], note: String?)
    /// The metadata can't be used.
    case refused([Finding])
  }

  /// Reads the headers of the clip, and its rally metadata if the best frame is chosen.
  package func decide(_ file: String) async throws -> Decision {
    let path = absolutePath(file)
    var rules = try await PictureRendering.readRules(for: path)
    guard settings.picksBest else { return .plans(rules.makePlans(settings), note: nil) }
    let answer = try RallySidecar.chooseRally(
      metadata, clipPath: path, seconds: rules.durationSeconds, frameRate: rules.frameRate)
    let errors = answer.findings.filter { $0.severity == .error }
    if let error = errors.first {
      // Metadata that was found next to the clip is ignored if it doesn't match the clip.
      guard metadata.isOptional else { return .refused(errors) }
      let note = answer.path.map {
        "\(($0 as NSString).lastPathComponent) doesn't describe this clip: \(error.message)"
      }
      return .plans(rules.makePlans(settings), note: note)
    }
    if let rally = answer.rally {
      let range = rally.cut ?? 0..<rules.durationSeconds
      let play = PictureRules.playRange(inRallyOf: range.upperBound - range.lowerBound)
      rules = PictureRules(
        durationSeconds: rules.durationSeconds, shown: rules.shown, frameRate: rules.frameRate,
        play: play.map { $0.lowerBound + range.lowerBound..<$0.upperBound + range.lowerBound })
    }
    return .plans(rules.makePlans(settings), note: nil)
  }

  /// Renders and stores pictures.
  /// - Parameter progress: called on a different thread with the completed fraction, starting with 0 when rendering
  ///   begins.
  package func draw(
    _ plans: [PicturePlan], of input: OutputTargets.Input, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> DrawnPictures {
    let start = ContinuousClock.now
    let source = absolutePath(input.source)
    var requests = plans.map { plan in
      let path = plans.count == 1 ? input.destination : PictureNaming.picturePath(for: plan, for: input, settings.kinds)
      return PictureRequest(plan, path: absolutePath(path))
    }
    var drawn = DrawnPictures(file: input.source, areKeyFrames: settings.usesKeyFrames)
    // Every run on a folder renders the missing pictures. Existing ones are kept even if they are old, because the user
    // may have created them.
    if input.isFromFolder, !isForced {
      drawn.kept = requests.map(\.paths).filter(Self.areDrawn).flatMap(\.self)
      drawn.areStale = try Self.areOlder(drawn.kept, than: source)
      requests.removeAll { Self.areDrawn($0.paths) }
      drawn.wasThere = requests.isEmpty
    }
    guard !requests.isEmpty else { return drawn }
    let policy: ReplacePolicy = isForced ? .replace : .keepExisting
    for path in requests.flatMap(\.paths) { try StagedFile.check(path, replacing: policy) }
    try OutputTargets.createDestinationFolder(for: input)
    progress(0)
    drawn.pictures = try await PictureRendering.draw(
      requests, of: source, usesKeyFrames: settings.usesKeyFrames, policy: policy, progress: progress)
    drawn.seconds = (ContinuousClock.now - start).seconds
    return drawn
  }

  /// Renders a still picture in memory.
  package func image(_ plan: PicturePlan, of file: String) async throws -> PictureRendering.Image {
    try await PictureRendering.renderImage(plan, of: absolutePath(file), usesKeyFrames: settings.usesKeyFrames)
  }

  private static func areDrawn(_ paths: [String]) -> Bool {
    paths.allSatisfy { ((try? FileIdentity.of($0))?.byteCount ?? 0) > 0 }
  }

  /// A copied clip keeps its modification time, so the status change time is considered as well.
  private static func areOlder(_ paths: [String], than source: String) throws -> Bool {
    let clip = max(try FileIdentity.of(source).modifiedNanoseconds, FileIdentity.changedNanoseconds(of: source) ?? 0)
    return paths.contains { (try? FileIdentity.of($0)).map { $0.modifiedNanoseconds < clip } ?? false }
  }
}

/// The pictures of a clip, as JSON (`bsc.thumbs/1`).
package struct DrawnPictures: Encodable, Sendable {
  package private(set) var schema = "bsc.thumbs/1"
  /// The path as the user wrote it.
  package var file: String
  package internal(set) var pictures: [RenderedPicture] = []
  /// Whether the nearest key frames were used instead of the exact frames.
  package var areKeyFrames: Bool
  /// Whether all pictures already existed, so that nothing was rendered.
  package internal(set) var wasThere = false
  /// The absolute paths of the pictures that already existed.
  package internal(set) var kept: [String] = []
  /// The elapsed time in seconds.
  package internal(set) var seconds: Double = 0
  /// Whether the clip is newer than the pictures that were kept.
  package internal(set) var areStale = false

  private enum CodingKeys: CodingKey { case schema, file, pictures, areKeyFrames, wasThere, kept, seconds }
}
