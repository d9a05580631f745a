public import ClipModel
import Foundation

/// What a decision is made from: the facts of a clip and of its metadata. Reading them is all that needs the disk.
public struct ClipFacts: Sendable {
  /// The clip's file name, for errors.
  public let name: String
  /// The clip's facts.
  public let probe: ClipProbe
  let sidecar: RallySidecar.Answer
  /// The clip, or this part of it, is a rally.
  let isRally: Bool
  let rallyRange: Range<Double>?

  /// Reads the metadata that belongs to a clip; blocks for the time of a small file.
  /// - Parameters:
  ///   - path: absolute, of the clip; its metadata is looked for beside it.
  ///   - probe: the clip's facts.
  ///   - request: which metadata is meant.
  ///   - purpose: a file alone needs no metadata.
  /// - Throws: `DurableFileError` and `ShareEngineError` for metadata that is named and can't be read.
  public init(path: String, probe: ClipProbe, request: MetadataRequest, purpose: SharePlan.Purpose) throws {
    name = (path as NSString).lastPathComponent
    self.probe = probe
    // What cannot be watched needs no metadata that says what it shows.
    sidecar =
      purpose == .file(ofRally: false) || probe.mainVideo == nil
      ? RallySidecar.Answer(findings: [])
      : try RallySidecar.choose(
        request, clipPath: path, seconds: probe.shownSeconds, frameRate: probe.mainVideo?.averageFrameRate?.value)
    isRally = sidecar.rally != nil
    rallyRange = sidecar.rally?.cut
  }

  /// One rally of a match, whose metadata was read as a whole.
  init(_ cut: RallyCut, of probe: ClipProbe, name: String) {
    self.name = name
    self.probe = probe
    sidecar = RallySidecar.Answer(findings: cut.findings)
    (isRally, rallyRange) = (true, cut.range)
  }
}
