import Reports
import ShareEngine

/// Whether this machine can run bsc, with all checks.
struct DoctorDocument: Encodable {
  enum Verdict: String, Encodable {
    /// No check has found a problem, but there can be warnings.
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
