/// The advice for each problem that `doctor` finds, by the problem's ID.
package enum DoctorAdvice {
  /// Returns the advice for a problem.
  /// - Returns: the text after `next:`; `nil` if there is no advice for the problem.
  package static func nextStep(for problem: String, _ facts: [String: String]) -> String? {
    Advice.findAdvice(for: problem, facts, in: table)
  }

  /// The advice for each problem, with keys and placeholders as in `Advice.table`.
  package static let table: [String: [String]] = [
    "library-missing": ["install FFmpeg 5.1 or later, for example with Scripts/bootstrap"],
    "codec-missing": ["install an FFmpeg build that includes {codec}; on Debian, run Scripts/bootstrap"],
    "tls-missing": ["install a libcurl version with TLS support (on Debian, run Scripts/bootstrap)"],
    "disk-almost-full": ["free at least 1 GB of space on this disk"],
    "clock-wrong": ["set the clock: timedatectl set-ntp true"],
    "variable-unknown": ["rename it to {nearest}, or unset it"],
    "signed-out": ["bsc login"],
    "journal-damaged": ["move {path} to a different folder, then share unfinished clips again"],
    "jobs-unfinished": ["bsc resume"],
    "files-left-over": ["rm -r {paths}"],
  ]
}
