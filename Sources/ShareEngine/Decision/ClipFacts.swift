public import ClipModel
import Foundation

/// The properties of a clip and its metadata, from which a plan is derived. Only the initializers read files.
public struct ClipFacts: Sendable {
  /// The clip's file name, for errors.
  public let name: String
  /// The result of probing the clip.
  public let probe: ClipProbe
  let sidecar: RallySidecar.Result
  /// Whether the clip, or the selected part of it, is a rally.
  let isRally: Bool
  let rallyRange: Range<Double>?

  /// Reads the metadata of a clip. Blocks while it reads a small file.
  /// - Parameters:
  ///   - path: the absolute path of the clip. Its metadata is next to it.
  ///   - probe: the result of probing the clip.
  ///   - request: selects the metadata.
  ///   - purpose: plain files need no metadata.
  /// - Throws: `DurableFileError` and `ShareEngineError` if the requested metadata cannot be read.
  public init(path: String, probe: ClipProbe, request: MetadataRequest, purpose: SharePlan.Purpose) throws {
    name = (path as NSString).lastPathComponent
    self.probe = probe
    // A clip without video is rejected in any case.
    sidecar =
      purpose == .file(ofRally: false) || probe.mainVideo == nil
      ? RallySidecar.Result(findings: [])
      : try RallySidecar.choose(
        request, clipPath: path, seconds: probe.shownSeconds, frameRate: probe.mainVideo?.averageFrameRate?.value)
    isRally = sidecar.rally != nil
    rallyRange = sidecar.rally?.cut
  }

  /// The properties of one rally in a match whose metadata was already read.
  init(_ cut: RallyCut, of probe: ClipProbe, name: String) {
    self.name = name
    self.probe = probe
    sidecar = RallySidecar.Result(findings: cut.findings)
    (isRally, rallyRange) = (true, cut.range)
  }
}
