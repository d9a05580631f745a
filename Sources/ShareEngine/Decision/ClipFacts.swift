public import ClipModel
import Foundation

/// The properties of a clip and its metadata, which determine the clip's plan. Only the initializers read files.
public struct ClipFacts: Sendable {
  /// The clip's file name, for error messages.
  public let name: String
  /// The result of probing the clip.
  public let probe: ClipProbe
  let sidecar: RallySidecar.ChoiceResult
  /// Whether the clip, or the selected part of the clip, is a rally.
  let isRally: Bool
  let rallyRange: Range<Double>?

  /// Reads a clip's metadata. Blocks while it reads a small file.
  /// - Parameters:
  ///   - path: the absolute path of the clip. Its metadata is in the same folder.
  ///   - probe: the result of probing the clip.
  ///   - request: the request that selects the metadata.
  ///   - purpose: the purpose of the plan. Plain files need no metadata.
  /// - Throws: `DurableFileError` or `ShareEngineError` if the requested metadata cannot be read.
  public init(path: String, probe: ClipProbe, request: MetadataRequest, purpose: SharePlan.Purpose) throws {
    name = (path as NSString).lastPathComponent
    self.probe = probe
    // A clip without video is always rejected.
    sidecar =
      purpose == .file(ofRally: false) || probe.mainVideo == nil
      ? RallySidecar.ChoiceResult(findings: [])
      : try RallySidecar.chooseRally(
        request, clipPath: path, seconds: probe.shownSeconds, frameRate: probe.mainVideo?.averageFrameRate?.value)
    isRally = sidecar.rally != nil
    rallyRange = sidecar.rally?.cut
  }

  /// Creates the properties of one rally in a match whose metadata was already read.
  init(_ cut: RallyCut, of probe: ClipProbe, name: String) {
    self.name = name
    self.probe = probe
    sidecar = RallySidecar.ChoiceResult(findings: cut.findings)
    (isRally, rallyRange) = (true, cut.range)
  }
}
