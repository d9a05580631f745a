package import ClipModel
import DurableFiles
import Foundation

/// Finds and reads the rally metadata that belongs to a clip, and chooses the rally.
package enum RallySidecar {
  /// What came of it: the rally, unless a finding is an error. Without metadata both are empty.
  package struct Answer: Sendable {
    /// Path of the metadata that was read; `nil` when there is none.
    package var path: String?
    package var rally: SharedRally?
    /// How its times were taken; `nil` when that could not be told.
    package var mode: MetadataMode?
    /// Of the chosen rally and of the metadata as a whole; where none was chosen, of all rallies.
    package var findings: [Finding]
    /// Of the rallies that were not chosen.
    package var others: [Finding] = []
    /// All rallies of a match were asked about, and none was to be chosen.
    package var isAboutAll = false
    /// It was told which rally is meant.
    package var isChosen = false
    /// Why the checks behind the choice of a rally were not made; `nil` when they were.
    package var unasked: String?
  }

  /// Reads the metadata for a clip and judges it against the clip's facts. Blocks for the time of a small file.
  /// - Parameters:
  ///   - seconds: how long the clip is; `nil` when nobody knows, then no rally is chosen.
  ///   - frameRate: frames per second, where they are known.
  ///   - lengths: how long a rally may be, in seconds.
  ///   - asksAboutAll: of a match whose rallies are not chosen from, all are judged.
  package static func choose(
    _ request: MetadataRequest, clipPath: String, seconds: Double?, frameRate: Double?,
    names: SidecarNames = SidecarNames(), lengths: ClosedRange<Double> = RallyLimits.seconds,
    asksAboutAll: Bool = false
  ) throws -> Answer {
    guard let path = try locate(request, clipPath: clipPath, names: names) else {
      return Answer(findings: request.isOptional ? [] : [missing(clipPath)])
    }
    let name = (path as NSString).lastPathComponent
    let bytes = try DurableFile.read(path, limit: RallyMetadata.byteLimit)
    let (metadata, findings) = RallyMetadata.read(bytes: [UInt8](bytes), fileName: name)
    let read = findings.map { advised($0, fileName: name) }
    guard let metadata, let seconds else {
      return Answer(path: path, findings: read, unasked: "nobody can tell how long the file is")
    }
    let rules = RallyRules(metadata: metadata, fileSeconds: seconds, frameRate: frameRate, lengths: lengths)
    if asksAboutAll, request.rallyIndex == nil, rules.isMatch(mode: request.mode) {
      // What is wrong with all of it makes every measure a guess; what is wrong with a rally, its own.
      let errors = read.filter { $0.severity == .error }
      guard errors.allSatisfy({ $0.rallyPosition != nil }) else {
        return Answer(
          path: path, mode: .source, findings: read, isAboutAll: true, unasked: "the metadata as a whole is wrong")
      }
      let wrong = Set(errors.compactMap(\.rallyPosition))
      let measured = rules.matchFindings().filter { $0.rallyPosition.map { !wrong.contains($0) } ?? true }
      return Answer(path: path, mode: .source, findings: read + measured, isAboutAll: true)
    }
    let choice = rules.choose(index: request.rallyIndex, mode: request.mode)
    func isOfAnother(_ finding: Finding) -> Bool {
      finding.rallyPosition.map { choice.position != nil && $0 != choice.position } ?? false
    }
    let own = read.filter { !isOfAnother($0) }
    var others = read.filter(isOfAnother)
    if choice.mode == .source { others += rules.sourceFindings().filter(isOfAnother) }
    // What cannot be right is not measured as well.
    guard !own.contains(where: { $0.severity == .error }) else {
      return Answer(
        path: path, findings: own, others: others, isChosen: choice.position != nil,
        unasked: "what the metadata says of the rally is wrong")
    }
    let unasked =
      choice.position == nil
      ? "nobody says which rally it is" : choice.mode == nil ? "the file is neither the rally nor its match" : nil
    return Answer(
      path: path, rally: choice.rally, mode: choice.mode, findings: own + choice.findings, others: others,
      isChosen: choice.position != nil, unasked: unasked)
  }

  /// The one thing that mends whatever is wrong inside it; and it names the file.
  static func advised(_ finding: Finding, fileName: String) -> Finding {
    guard finding.severity == .error, finding.next == nil else { return finding }
    var finding = finding
    finding.next = "export \(fileName) from the app again, or name another file: --metadata FILE"
    return finding
  }

  static func locate(_ request: MetadataRequest, clipPath: String, names: SidecarNames) throws -> String? {
    if let path = request.path { return path }
    let folder = (clipPath as NSString).deletingLastPathComponent
    return try names.name(forClip: (clipPath as NSString).lastPathComponent, in: folder).map { "\(folder)/\($0)" }
  }

  private static func missing(_ clipPath: String) -> Finding {
    let stem = ((clipPath as NSString).lastPathComponent as NSString).deletingPathExtension
    return Finding(
      rule: "rally.metadata", severity: .error,
      message: "there is no rally metadata, so nothing says that this is a rally",
      next:
        "export \(stem).json from the app beside the clip, or say --metadata FILE (or --allow-no-metadata on the local backend)"
    )
  }
}
