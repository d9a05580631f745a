import ClipMedia
public import ClipModel
import DurableFiles
import Foundation
import Privacy

/// Judges one file by all rules that are asked: the clip, its container and privacy, Mux's standard, and its rally
/// metadata. Changes nothing.
public struct Validator: Sendable {
  /// The rules for clips.
  public var judge: ClipJudge
  /// Which metadata belongs to the files.
  public var metadata: MetadataRequest
  /// Headers and samples are always read; more means decoding.
  public var depth: InspectionDepth
  private let sidecarNames = SidecarNames()

  public init(judge: ClipJudge, metadata: MetadataRequest, depth: InspectionDepth = .samples) {
    self.judge = judge
    self.metadata = metadata
    self.depth = depth
  }

  /// - Returns: also for files that cannot be judged: `failure` says why.
  /// - Throws: `CancellationError`.
  public func judgement(of file: String, path: String) async throws -> Judgement {
    let clock = ContinuousClock.now
    var judgement = Judgement(file: file)
    do {
      // With everything goes what is inside of the pictures' bitstream.
      let probe = try await Prober.facts(path: path, depth: depth == .everything ? .everything : .structure)
      // Whoever bounds the length of clips means the rallies in a match, too.
      let lengths = judge.settings.range("clip.duration") ?? RallyLimits.seconds
      let sidecar = try await WorkerThread.run("bsc metadata") { [metadata, sidecarNames] _ in
        try RallySidecar.choose(
          metadata, clipPath: path, seconds: probe.shownSeconds,
          frameRate: probe.mainVideo?.averageFrameRate?.value, names: sidecarNames, lengths: lengths,
          asksAboutAll: true)
      }
      let answer = judge.judge(
        probe, cut: sidecar.rally?.cut, privacyDepth: depth == .everything ? .everything : .samples)
      judgement.checks = answer.checks
      judgement.findings = answer.findings
      add(sidecar, to: &judgement)
      if depth > .samples {
        add(
          probe.hasDecodablePicture
            ? try await depth == .everything ? DecodingCheck.everything(path: path) : DecodingCheck.sample(path: path)
            : nil, to: &judgement)
      }
      giveReasons(&judgement, hasPicture: probe.mainVideo != nil)
    } catch let error as ClipMediaError where error.explanation.category == .rejected {
      // A file that is cut off is judged: that is what is wrong with it.
      let finding = Finding(
        rule: "clip.truncated", severity: .error, message: error.explanation.why,
        next: "copy it again from the camera")
      if let graded = judge.settings.graded(finding), graded.severity == .error {
        judgement.checks = [RuleCheck("clip.truncated", .fail, depth: .headers)]
        judgement.findings = [graded]
      } else {
        // Nobody wants to hear of it, and nothing else can be said: that is no pass.
        judgement.checks = []
        judgement.findings = []
        judgement.failure = error.explanation
        judgement.failure?.category = .unjudged
      }
    } catch let error as any ExplainedError {
      judgement.failure = error.explanation
    }
    for index in judgement.findings.indices where judgement.findings[index].next == nil {
      judgement.findings[index].next = RuleCatalog.rule(judgement.findings[index].rule)?.mend
    }
    judgement.findings.sort { $0.severity > $1.severity }
    judgement.seconds = (ContinuousClock.now - clock) / .seconds(1)
    return judgement
  }

  /// - Parameter decoded: `nil` when there was nothing to decode.
  private func add(_ decoded: DecodingCheck.Result?, to judgement: inout Judgement) {
    let answer =
      decoded?.answer(settings: judge.settings)
      ?? DecodingCheck.Result.unanswered(settings: judge.settings, depth: depth)
    // What key frames told already, all samples tell better.
    let rules = Set(answer.checks.map(\.rule))
    judgement.checks.removeAll { rules.contains($0.rule) }
    judgement.findings.removeAll { rules.contains($0.rule) }
    judgement.checks = RuleCatalog.ordered(judgement.checks + answer.checks)
    judgement.findings += answer.findings
  }

  private func add(_ sidecar: RallySidecar.Answer, to judgement: inout Judgement) {
    var settings = judge.settings
    // Whoever grades the length of clips means the rallies in a match, too.
    if settings.rules["rally.length"]?.grade == nil, let grade = settings.rules["clip.duration"]?.grade {
      settings.rules["rally.length", default: RuleSetting()].grade = grade
    }
    // Somebody who asks for a verdict wants to hear of every rally; a share asks for one.
    var findings = sidecar.findings + sidecar.others
    let duration = settings.rules["clip.duration"]
    let isBounded = duration?.minimum != nil || duration?.maximum != nil
    let isSource = sidecar.mode == .source
    if isSource, sidecar.rally == nil {
      // The rallies are judged; how long the rest of the match is is nobody's question.
      judgement.findings.removeAll { $0.rule == "clip.duration" }
      judgement.checks = judgement.checks.map {
        $0.rule == "clip.duration"
          ? RuleCheck(
            $0.rule, .unknown, depth: $0.depth, reason: "the file is a match, and rally.length asks its rallies")
          : $0
      }
    }
    // Of a clip that is its rally, both rules say the same; and whoever bounds the one means the other, too.
    if !isSource,
      isBounded && !settings.isOff("clip.duration")
        || judgement.findings.contains(where: { $0.rule == "clip.duration" })
    {
      findings.removeAll { $0.rule == RallyCheck.length.rawValue }
    }
    let broken = Set(findings.filter { $0.severity > .info }.map(\.rule))
    if sidecar.path == nil {
      // Without metadata nothing more is asked; what is not wanted is not asked at all.
      if !metadata.isOptional, !settings.isOff("rally.metadata") {
        judgement.checks.append(RuleCheck("rally.metadata", .fail, depth: .headers))
      }
    } else {
      judgement.checks += RuleCatalog.rules.map(\.id).filter { $0.hasPrefix("rally.") && !settings.isOff($0) }.map {
        id in
        if broken.contains(id) { return RuleCheck(id, .fail, depth: .headers) }
        let reason = reasonNotAsked(id, sidecar, broken: broken)
        return RuleCheck(id, reason == nil ? .pass : .unknown, depth: .headers, reason: reason)
      }
    }
    judgement.findings += findings.compactMap(settings.graded)
  }

  /// What could not be read was not asked, and what depends on the choice of a rally neither where none was chosen.
  /// - Returns: `nil` when the rule was asked.
  private func reasonNotAsked(_ rule: String, _ sidecar: RallySidecar.Answer, broken: Set<String>) -> String? {
    guard let check = RallyCheck(rawValue: rule) else { return nil }
    let structure: [RallyCheck] = [.json, .segments, .empty, .value]
    guard !structure.contains(where: { broken.contains($0.rawValue) }) else {
      return "the rallies in the metadata cannot be read"
    }
    let afterChoice: Set<RallyCheck> = [.index, .length, .clipLength, .range]
    guard afterChoice.contains(check) else { return nil }
    if sidecar.isAboutAll, check == .index || check == .clipLength {
      return "the file is a match, and all of its rallies are judged"
    }
    return check == .index && sidecar.isChosen ? nil : sidecar.unasked
  }

  /// People ask why nobody knows.
  private func giveReasons(_ judgement: inout Judgement, hasPicture: Bool) {
    guard !hasPicture else { return }
    for index in judgement.checks.indices where judgement.checks[index].outcome == .unknown {
      let check = judgement.checks[index]
      let isOfPicture = check.rule.hasPrefix("clip.") || check.rule.hasPrefix("mux.")
      if isOfPicture, check.reason == nil { judgement.checks[index].reason = "there is no video track" }
    }
  }
}
