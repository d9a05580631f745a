import ClipModel

/// Writes GitHub workflow commands: one annotation per finding, attached to the file.
///
/// GitHub shows at most ten errors, ten warnings and ten notices per step, so the most severe findings come first.
struct GitHubReport: ValidationReport {
  func add(_ result: ValidationResult) -> String {
    var lines: [String] = []
    if let failure = result.failure {
      lines.append(
        Self.formatCommand(
          "error", file: result.file, title: "the file could not be checked",
          message: "\(failure.what): \(failure.why)", next: failure.next))
    }
    lines += result.findingsWorstFirst.map { finding in
      Self.formatCommand(
        finding.severity.gitHubCommand, file: result.file, title: finding.rule,
        message: finding.message + (finding.place.map { " (\($0))" } ?? ""), next: finding.next)
    }
    return lines.joined()
  }

  func finish() -> String { "" }

  private static func formatCommand(_ name: String, file: String, title: String, message: String, next: String?)
    -> String
  {
    let text = message + (next.map { "\nnext: \($0)" } ?? "")
    return "::\(name) file=\(escapeText(file, inProperty: true)),title=\(escapeText(title, inProperty: true))"
      + "::\(escapeText(text))\n"
  }

  /// Escapes text like GitHub's toolkit, which has no escape sequences for other control characters.
  private static func escapeText(_ text: String, inProperty isProperty: Bool = false) -> String {
    let escaped = text.escapingScalars { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      case ":" where isProperty: "%3A"
      case "," where isProperty: "%2C"
      default: nil
      }
    }
    return escaped.printable
  }
}

extension Finding.Severity {
  fileprivate var gitHubCommand: String {
    switch self {
    case .info: "notice"
    case .warning: "warning"
    case .error: "error"
    }
  }
}
