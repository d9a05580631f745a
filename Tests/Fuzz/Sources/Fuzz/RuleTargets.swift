import ClipMedia
import ClipModel
import ISOMedia

extension FuzzTarget {
  /// Judging a clip by its headers: numbers are numbers, and every finding belongs to a rule that failed.
  static let rules = FuzzTarget(name: "rules") { bytes in
    guard let probe = try Prober.probeHeaders(of: MemoryBytes(bytes)) else { return }
    for seconds in [probe.durationSeconds, probe.mainVideo?.durationSeconds, probe.mainVideo?.startSeconds] {
      require(seconds.map { $0.isFinite && $0 >= 0 } ?? true, "a time of \(seconds ?? 0) s")
    }
    let judge = RuleEvaluator(standards: MuxStandard.all, isPublished: true)
    let answer = judge.evaluate(probe)
    let known = Set(RuleCatalog.rules.map(\.id))
    require(answer.checks.allSatisfy { known.contains($0.rule) }, "a rule that is none")
    require(Set(answer.checks.map(\.rule)).count == answer.checks.count, "a rule was asked twice")
    let failed = Set(answer.checks.filter { $0.outcome == .fail }.map(\.rule))
    for finding in answer.findings where finding.severity > .info {
      require(
        failed.contains(finding.rule) || finding.rule == "privacy.location", "\(finding.rule) passed, and has a finding"
      )
    }
    // Creating a plan from it must not trap either.
    _ = ClipRules().plan(probe, settings: ProcessingSettings())
  }

  /// Rally metadata, read and checked against a clip.
  static let metadata = FuzzTarget(name: "metadata") { bytes in
    let (metadata, findings) = RallyMetadata.read(bytes: bytes, fileName: "clip.json")
    require(metadata != nil || findings.contains { $0.severity == .error }, "nothing was read, and nothing is wrong")
    guard let metadata else { return }
    for seconds in [0, 7.5, 3600] {
      let rules = RallyRules(metadata: metadata, fileSeconds: seconds, frameRate: 30)
      for mode in MetadataMode.allCases {
        _ = rules.chooseRally(index: 0, mode: mode)
        _ = rules.chooseRally(index: nil, mode: mode)
      }
    }
  }
}
