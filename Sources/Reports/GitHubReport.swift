import ClipModel

/// GitHub's workflow commands: an annotation of the file for each finding.
///
/// GitHub shows at most ten errors, ten warnings and ten notices of a step, so the worst findings come first.
struct GitHubReport: ValidationReport {
  func add(_ result: ValidationResult) -> String {
    var lines: [String] = []
    if let failure = result.failure {
      lines.append(
        Self.command(
          "error", file: result.file, title: "could not be checked",
          message: "\(failure.what): \(failure.why)", next: failure.next))
    }
    lines += result.findingsWorstFirst.map { finding in
      Self.command(
        finding.severity.gitHubCommand, file: result.file, title: finding.rule,
        message: finding.message + (finding.place.map { " (\($0))" } ?? ""), next: finding.next)
    }
    return lines.joined()
  }

  func end() -> String { "" }

  private static func command(_ name: String, file: String, title: String, message: String, next: String?) -> String {
    let text = message + (next.map { "\nnext: \($0)" } ?? "")
    return "::\(name) file=\(escaped(file, inProperty: true)),title=\(escaped(title, inProperty: true))"
      + "::\(escaped(text))\n"
  }

  /// Escapes like GitHub's toolkit, which has no escapes for other control characters.
  private static func escaped(_ text: String, inProperty isProperty: Bool = false) -> String {
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
