public import ClipModel
import Foundation

/// The properties of a clip and its metadata, which determine the clip's plan. Only the initializers read files.
public struct ClipFacts: Sendable {
  /// The clip's file name, for error messages.
  public let name: String
  /// The result of probing the clip.
  public let probe: ClipProbe
  /// The metadata, or `nil` if the plan doesn't depend on it.
  private let sidecar: RallySidecar?
  /// The rally to cut from a match, or `nil` if the metadata selects the rally.
  let cut: RallyCut?

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
      purpose == .file(ofRally: false) || probe.mainVideo == nil ? nil : try RallySidecar(request, clipPath: path)
    cut = nil
  }

  /// Creates the properties of one rally in a match whose metadata was already read.
  init(_ cut: RallyCut, of probe: ClipProbe, name: String) {
    self.name = name
    self.probe = probe
    self.cut = cut
    sidecar = nil
  }

  /// Chooses the rally and checks its metadata.
  /// - Parameter lengthModes: the `lengthModes` argument for `RallyRules.chooseRally`.
  func chooseRally(lengthModes: Set<MetadataMode>) -> RallySidecar.ChoiceResult {
    sidecar?.chooseRally(
      seconds: probe.shownSeconds, frameRate: probe.mainVideo?.averageFrameRate?.value, lengthModes: lengthModes)
      ?? RallySidecar.ChoiceResult(findings: cut?.findings ?? [])
  }
}
