package import ClipMedia
package import ClipModel
import DurableFiles
import Foundation

/// Renders pictures of several clips, one clip after another.
package struct PictureRun: Sendable {
  /// The pictures to render. Each kind is rendered once.
  package let settings: PictureSettings
  /// Whether to replace existing pictures. If false, existing pictures are kept if the input is a folder; otherwise, they
  /// cause an error.
  package let isForced: Bool
  /// The metadata request that selects the rally for choosing the best frame.
  package let metadata: MetadataRequest

  package init(_ settings: PictureSettings, isForced: Bool, metadata: MetadataRequest) {
    (self.settings, self.isForced, self.metadata) = (settings, isForced, metadata)
  }

  /// The pictures to render from a clip, or the reason for rendering none.
  package enum PictureDecision: Sendable {
    /// The plans of the pictures. `note` contains the reason if the clip's metadata is ignored.
    case plans([PicturePlan], note: String?)
    /// The metadata is invalid, for the given reasons.
    case refused([Finding])
  }

  /// Reads the clip's headers. If the best frame is requested, also reads the rally metadata.
  package func planPictures(_ file: String) async throws -> PictureDecision {
    let path = absolutePath(file)
    var rules = try await PictureRendering.readRules(for: path)
    guard settings.picksBest else { return .plans(rules.makePlans(settings), note: nil) }
    let answer = try RallySidecar(metadata, clipPath: path).chooseRally(
      seconds: rules.durationSeconds, frameRate: rules.frameRate)
    let errors = answer.findings.filter { $0.severity == .error }
    if let error = errors.first {
      // If metadata was found automatically and doesn't match the clip, ignore it.
      guard metadata.isOptional else { return .refused(errors) }
      let note = answer.path.map {
        "\(($0 as NSString).lastPathComponent) doesn't describe this clip: \(error.message)"
      }
      return .plans(rules.makePlans(settings), note: note)
    }
    if let rally = answer.rally {
      let range = rally.cut ?? 0..<rules.durationSeconds
      let play = PictureRules.rangeOfPlay(inRallyOf: range.upperBound - range.lowerBound)
      rules = PictureRules(
        durationSeconds: rules.durationSeconds, shown: rules.shown, frameRate: rules.frameRate,
        play: play.map { $0.lowerBound + range.lowerBound..<$0.upperBound + range.lowerBound })
    }
    return .plans(rules.makePlans(settings), note: nil)
  }

  /// Renders and stores pictures.
  /// - Parameter progress: receives the completed fraction on a different thread, starting with 0 when rendering
  ///   begins.
  package func renderPictures(
    _ plans: [PicturePlan], of input: OutputTargets.Input, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> DrawnPictures {
    let start = ContinuousClock.now
    let source = absolutePath(input.source)
    var requests = plans.map { plan in
      let path = plans.count == 1 ? input.destination : PictureNaming.picturePath(for: plan, for: input, settings.kinds)
      return PictureRequest(plan, path: absolutePath(path))
    }
    var drawn = DrawnPictures(file: input.source, areKeyFrames: settings.usesKeyFrames)
    // Runs on a folder render only missing pictures. Existing pictures are kept even if they are outdated, because the
    // user may have created them.
    if input.isFromFolder, !isForced {
      drawn.kept = requests.map(\.paths).filter(Self.allPicturesExist).flatMap(\.self)
      drawn.areStale = try Self.containsOlderPicture(drawn.kept, than: source)
      requests.removeAll { Self.allPicturesExist($0.paths) }
      drawn.wasThere = requests.isEmpty
    }
    guard !requests.isEmpty else { return drawn }
    let policy: ReplacePolicy = isForced ? .replace : .keepExisting
    for path in requests.flatMap(\.paths) { try StagedFile.checkDestination(path, replacing: policy) }
    try OutputTargets.createDestinationFolder(for: input)
    progress(0)
    drawn.pictures = try await PictureRendering.draw(
      requests, of: source, usesKeyFrames: settings.usesKeyFrames, policy: policy, progress: progress)
    drawn.seconds = (ContinuousClock.now - start).seconds
    return drawn
  }

  /// Renders a still picture in memory.
  package func renderImage(_ plan: PicturePlan, of file: String) async throws -> PictureRendering.Image {
    try await PictureRendering.renderImage(plan, of: absolutePath(file), usesKeyFrames: settings.usesKeyFrames)
  }

  private static func allPicturesExist(_ paths: [String]) -> Bool {
    paths.allSatisfy { ((try? FileIdentity.of($0))?.byteCount ?? 0) > 0 }
  }

  /// A copied clip keeps its modification time, so the status change time is also compared.
  private static func containsOlderPicture(_ paths: [String], than source: String) throws -> Bool {
    let clip = max(try FileIdentity.of(source).modifiedNanoseconds, FileIdentity.changeTimeNanoseconds(of: source) ?? 0)
    return paths.contains { (try? FileIdentity.of($0)).map { $0.modifiedNanoseconds < clip } ?? false }
  }
}

/// The rendered pictures of a clip for JSON output (`bsc.thumbs/1`).
package struct DrawnPictures: Encodable, Sendable {
  package private(set) var schema = "bsc.thumbs/1"
  /// The clip's path as the user entered it.
  package var file: String
  package internal(set) var pictures: [RenderedPicture] = []
  /// Whether the nearest key frames were used instead of the exact frames.
  package var areKeyFrames: Bool
  /// Whether all pictures already existed, so that none were rendered.
  package internal(set) var wasThere = false
  /// The absolute paths of the pictures that already existed.
  package internal(set) var kept: [String] = []
  /// The rendering time in seconds.
  package internal(set) var seconds: Double = 0
  /// Whether the clip is newer than at least one picture that was kept.
  package internal(set) var areStale = false

  private enum CodingKeys: CodingKey { case schema, file, pictures, areKeyFrames, wasThere, kept, seconds }
}
