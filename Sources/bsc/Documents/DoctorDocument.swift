import Reports
import ShareEngine

/// The result of `doctor`: all checks, and whether this machine can run bsc.
struct DoctorDocument: Encodable {
  enum Verdict: String, Encodable {
    /// No check found a problem, but there may be warnings.
    case fit
    case unfit
  }

  var schema = "bsc.doctor/1"
  var verdict: Verdict
  var checks: [DoctorCheck]

  init(_ checks: [DoctorCheck]) {
    self.checks = checks
    verdict = checks.contains { $0.status == .problem } ? .unfit : .fit
  }
}
