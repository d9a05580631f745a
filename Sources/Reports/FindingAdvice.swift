package import ClipModel

/// The advice for each finding, by rule ID. Findings contain only advice that mentions no commands and options.
package enum FindingAdvice {
  /// Returns the advice for a finding.
  /// - Parameter clip: the clip as a word in a shell command.
  /// - Returns: the text after `next:`; `nil` if there is no advice for the finding.
  package static func nextStep(for finding: Finding, clip: String = "CLIP") -> String? {
    finding.next
      ?? finding.facts.flatMap { facts in
        Advice.findAdvice(for: finding.rule, facts.merging(["clip": clip]) { $1 }, in: table)
      }
  }

  /// The advice for each rule, with keys and placeholders as in `Advice.table`.
  package static let table: [String: [String]] = Dictionary(
    uniqueKeysWithValues: shared.flatMap { advice, keys in keys.map { ($0, [advice]) } })

  private static let shared: [String: [String]] = [
    "bsc compress {clip}": [
      "clip.one-video", "clip.interlaced", "clip.frame-rate", "container.structure", "container.faststart",
      "container.brand", "container.timestamps", "container.tables", "privacy.location/reason=unaudited",
    ] + MuxRequirement.allCases.map(\.rawValue),
    "rewrite the file: bsc compress {clip}": ["container.structure/reason=anomaly"],
    "bsc compress {clip} --mute": ["clip.sync"],
    "bsc compress MATCH --from 1:02 --to 1:15": ["clip.duration"],
    "choose a rally from the clip: --metadata FILE --rally N": ["clip.duration/reason=too-long"],
    "copy the file from the camera again, or run bsc compress --salvage": [
      "clip.truncated", "clip.decodes", "clip.nal-units",
    ],
    "copy the file from the camera again, or use --salvage to keep the intact part": ["clip.truncated/reason=damage"],
    "export the clip at a different level, or share it without audio: --mute": ["clip.loudness/reason=level"],
    "record at a lower level, or share it without audio: --mute": ["clip.clipping/reason=level"],
    "bsc strip {clip}": ["container.trailing-data", "privacy.location"],
    "bsc strip --identifiers {clip}": ["privacy.device"],
    "export the metadata from the app, or use --metadata FILE": ["rally.metadata"],
    "export {file} from the app to the clip's folder, or use --metadata FILE (local backend: --allow-no-metadata)": [
      "rally.metadata/reason=missing"
    ],
    "share the clip as it is (bsc share), or cut the match with its own metadata (--metadata FILE)": [
      "rally.metadata/reason=single-rally"
    ],
    "export {file} from the app again, or use a different file: --metadata FILE": RallyCheck.allCases.map {
      "\($0.rawValue)/reason=invalid"
    },
    "use this video's metadata, or --metadata-mode clip": ["rally.range/reason=source-mode"],
    "use this file's metadata, or set --metadata-mode to source or clip": ["rally.clip-length/reason=mismatch"],
    "omit --trims, or trim the rally again in the app": ["rally.times/reason=trimmed-away"],
    "omit --rally": ["rally.index/reason=other-rally"],
    "choose a rally with --rally N": ["rally.index/reason=not-chosen"],
    "choose a rally with --rally N; the first rally is 0": ["rally.index/reason=no-such-rally"],
  ]
}

extension Finding {
  /// Returns the finding with its advice as `next`.
  /// - Parameter clip: the clip as a word in a shell command.
  package func withAdvice(clip: String = "CLIP") -> Finding {
    var finding = self
    finding.next = FindingAdvice.nextStep(for: self, clip: clip)
    return finding
  }
}

extension Rule {
  /// The rule with its advice as `fix`.
  package var withAdvice: Rule {
    var rule = self
    rule.fix = fix ?? Advice.findAdvice(for: id, ["clip": "CLIP"], in: FindingAdvice.table)
    return rule
  }
}
