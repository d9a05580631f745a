import ArgumentParser
import ClipModel
import DurableFiles
import Foundation
import Reports
import ShareEngine

struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Is this machine fit for bsc? Each problem comes with the command that mends it.",
    discussion: """
      EXAMPLES:
        bsc doctor
        bsc doctor --json | jq '.checks[] | select(.status != "fine")'
        bsc doctor --bundle report.json     for a bug report: read it before you send it

      Looked at: media libraries and what they can do, hardware encoders (each is tried), network and TLS, disk, \
      clock, settings, secrets, journal, sign-in, and whether the backend answers.

      Exit codes: 0 fit (warnings are about what you may never need), 5 something has to be mended.
      """)

  @Option(
    help: ArgumentHelp(
      "Write all that a bug report needs to a file, without secrets, captions and names of files.", valueName: "file"))
  var bundle: String?

  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let variables = ProcessInfo.processInfo.environment
    let checks = await SystemDiagnostics(variables: variables) { try EngineEnvironment() }.run().map { check in
      var check = check
      check.next = check.next ?? check.failure?.next
      return check
    }
    let document = DoctorDocument(checks)
    if output.json {
      Console.writeJSON(document)
    } else if !output.quiet {
      show(checks)
    } else {
      show(checks.filter { $0.status == .problem })
    }
    if let bundle {
      let report = try await DoctorBundle(
        checks, version: BSC.configuration.version, variables: variables,
        // Settings that cannot be used are a check's problem.
        settings: (try? EngineEnvironment())?.configuration.entries ?? [])
      try DurableFile.write(report.text(), to: bundle, permissions: 0o600, policy: .keepExisting)
      if !output.quiet {
        Console.writeError(
          "wrote \(bundle): read it before you send it; secrets, captions and names of files are not in it\n")
      }
    }
    try ExitStatusError.end(with: document.verdict == .fit ? 0 : ExitStatus.code(for: .notConfigured))
  }

  private func show(_ checks: [DoctorCheck]) {
    var group: String?
    for check in checks {
      if check.group != group {
        Console.write("\(group == nil ? "" : "\n")\(check.group, .strong)\n" as StyledText)
        group = check.group
      }
      Console.write("  \(check.mark) \(check.name.padded(22))\(check.detail)\n" as StyledText)
      if let next = check.next { Console.write("      \("next:", .faint) \(next)\n" as StyledText) }
    }
    let (problems, warnings) = (
      checks.count { $0.status == .problem }, checks.count { $0.status == .warning }
    )
    if problems == 0, !checks.isEmpty {
      Console.write(
        "\nThis machine is fit for bsc" + (warnings > 0 ? ", with \(warnings.counting("warning"))" : "") + ".\n")
    } else if problems > 0 {
      Console.write(
        "\n\(problems.counting("problem")) to mend" + (warnings > 0 ? ", \(warnings.counting("warning"))" : "") + ".\n")
    }
  }
}

extension DoctorCheck {
  fileprivate var mark: StyledText {
    switch status {
    case .fine: "\("✓", .good)"
    case .absent: "-"
    case .warning: "\("!", .doubtful)"
    case .problem: "\("✗", .bad)"
    }
  }
}
