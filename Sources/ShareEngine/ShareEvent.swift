public import ClipModel
public import Foundation

/// The five arrows of the flow, as people are told about them.
public enum ShareArrow: String, Codable, Sendable, CaseIterable {
  case probe, plan, process, upload, register
}

/// What happens to a job while it is worked on. Reporters render it as text or JSON.
public enum ShareEvent: Sendable {
  /// The job exists; `isContinued` when an earlier run began it.
  case opened(ShareJob, isContinued: Bool)
  case began(UUID, ShareArrow)
  /// Fraction done, 0 to 1, and what a person wants to know beside it.
  case progressed(UUID, ShareArrow, fraction: Double, detail: String?)
  case ended(ShareJob, ShareArrow)
  /// Worth telling, and nothing failed.
  case noted(UUID, String)
}
