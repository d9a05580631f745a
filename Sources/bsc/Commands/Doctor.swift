import ArgumentParser
import ClipModel
import DurableFiles
import Foundation
import Reports
import ShareEngine

struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check that this machine can run bsc",
    discussion: """
      EXAMPLES:
        bsc doctor
        bsc doctor --json | jq '.checks[] | select(.status != "fine")'
        bsc doctor --bundle report.json     for a bug report; review it first

      Checks the media libraries, hardware encoders, network, TLS, disk, clock, settings, secrets, journal, sign-in \
      and backend. Each problem comes with the command that fixes it.

      Exit codes: 0 no problems (there may be warnings); 5 problems found.
      """)

  @Option(
    help: ArgumentHelp(
      "Write diagnostic data for a bug report to this file, without secrets, captions or file names.", valueName: "file"
    ))
  var bundle: String?

  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let variables = ProcessInfo.processInfo.environment
    let checks = await SystemDiagnostics(variables: variables) { try EngineEnvironment() }.runChecks().map { check in
      var check = check
      let advice = check.problem.flatMap { DoctorAdvice.nextStep(for: $0.rawValue, check.facts) }
      check.next = advice ?? check.failure?.next
      return check
    }
    let document = DoctorDocument(checks)
    if output.json {
      Console.writeJSON(document)
    } else {
      showChecks(output.quiet ? checks.filter { $0.status == .problem } : checks)
    }
    if let bundle {
      let report = try await DoctorBundle(
        checks, version: BSC.configuration.version, variables: variables,
        // One of the checks reports invalid settings.
        settings: (try? EngineEnvironment())?.configuration.entries ?? [])
      try DurableFile.write(report.encodeJSON(), to: bundle, permissions: 0o600, policy: .keepExisting)
      output.writeNote(
        "wrote \(bundle), which contains no secrets, captions or file names; review it before you send it")
    }
    try ExitStatusError.throwIfFailed(with: document.verdict == .fit ? nil : .notConfigured)
  }

  private func showChecks(_ checks: [DoctorCheck]) {
    var group: String?
    for check in checks {
      if check.group != group {
        Console.write("\(group == nil ? "" : "\n")\(check.group, .strong)\n" as StyledText)
        group = check.group
      }
      Console.write("  \(check.mark) \(check.name.padded(22))\(check.detail)\n" as StyledText)
      if let next = check.next { Console.write("      \("next:", .faint) \(next)\n" as StyledText) }
    }
    guard !checks.isEmpty else { return }
    let (problems, warnings) = (checks.count { $0.status == .problem }, checks.count { $0.status == .warning })
    Console.write(
      "\n\(problems > 0 ? problems.withNoun("problem") : "No problems") found"
        + (warnings > 0 ? ", \(warnings.withNoun("warning"))" : "") + ".\n")
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
