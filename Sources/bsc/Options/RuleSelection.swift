public import ArgumentParser
import ClipModel

/// A rule set that `validate` can apply.
enum RuleSelection: String, ExpressibleByArgument, CaseIterable {
  case mux202510 = "mux-2025-10"
  case mux2025104k = "mux-2025-10-4k"
  case mux202406 = "mux-2024-06"
  case published

  static let help: ArgumentHelp =
    """
    Rule set: mux-2025-10 (Mux's rules for 1080p), mux-2025-10-4k, mux-2024-06 (H.264 only), or published (no \
    location or camera data). Can be repeated. (default: mux-2025-10)
    """

  static func makeEvaluator(_ choices: [RuleSelection], settings: RuleSettings) -> RuleEvaluator {
    let named = MuxStandard.all.filter { standard in choices.contains { $0.rawValue == standard.name } }
    return RuleEvaluator(
      standards: named.isEmpty ? [.october2025] : named, isPublished: choices.contains(.published), settings: settings)
  }
}

extension Finding.Severity: ExpressibleByArgument {}
