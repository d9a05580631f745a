import ClipModel
package import Foundation

/// The contents of a bug report. It includes information about the machine, settings without secrets, and jobs without
/// personal data.
package struct DoctorBundle: Encodable {
  struct JobReport: Encodable {
    var state: String
    var backend: String
    var fileExtension: String
    var sourceByteCount: Int64
    /// The time at which the job was created, as Unix time in seconds.
    var createdAt: Int64
    var updatedAt: Int64
    var attempt: Int
    var isOfPost: Bool
    var setback: String?
    var rules: [String] = []
  }

  var schema = "bsc.bundle/1"
  var version: String
  /// The names of the kernel and the distribution.
  var system = Self.systemName
  var architecture = Self.architectureName
  var coreCount = ProcessInfo.processInfo.activeProcessorCount
  var memoryByteCount = ProcessInfo.processInfo.physicalMemory
  var language: String
  /// The `TERM` variable.
  var terminal: String
  /// The names of the environment variables that bsc reads, without their values.
  var variables: [String]
  var checks: [DoctorCheck]
  var settings: [ConfigurationEntry]
  /// The newest jobs.
  var jobs: [JobReport] = []

  private static let jobLimit = 50

  /// - Parameters:
  ///   - checks: the results of all checks.
  ///   - version: the program's version.
  ///   - variables: the environment variables of the process.
  ///   - settings: all settings, or an empty array if the settings cannot be read.
  package init(
    _ checks: [DoctorCheck], version: String, variables environment: [String: String], settings: [ConfigurationEntry]
  ) async throws {
    let redaction = Redaction(home: environment["HOME"].flatMap { $0.count > 1 ? $0 : nil })
    self.version = version
    language = environment["LC_ALL"] ?? environment["LANG"] ?? ""
    terminal = environment["TERM"] ?? ""
    variables = environment.keys.filter { $0.hasPrefix("BSC_") || $0.hasPrefix("XDG_") }.sorted()
    self.checks = checks
    for index in checks.indices {
      self.checks[index].detail = redaction.redact(checks[index].detail)
      self.checks[index].next = checks[index].next.map(redaction.redact)
    }
    self.settings = settings
    for index in settings.indices {
      self.settings[index].value = settings[index].value.map(redaction.redact)
      self.settings[index].origin = redaction.redact(settings[index].origin)
    }
    if let places = try? ApplicationFolders(environment: environment),
      let known = try? await Journal.open(places).readableJobs()
    {
      jobs = known.suffix(Self.jobLimit).map { JobReport($0, redaction) }
    }
  }

  package func encodeJSON() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }

  private static var systemName: String {
    let text = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? ""
    let distribution = text.firstMatch(of: /(?m)^PRETTY_NAME="?([^"\n]*)/).map { String($0.1) }
    return [distribution, ProcessInfo.processInfo.operatingSystemVersionString].compactMap(\.self)
      .joined(separator: ", ")
  }

  private static var architectureName: String {
    #if arch(x86_64)
    "x86-64"
    #elseif arch(arm64)
    "arm64"
    #else
    "other"
    #endif
  }
}

extension DoctorBundle.JobReport {
  fileprivate init(_ job: ShareJob, _ redaction: Redaction) {
    self.init(
      state: job.stage.name, backend: job.backend, fileExtension: (job.source.path as NSString).pathExtension,
      sourceByteCount: job.source.byteCount, createdAt: job.createdAt, updatedAt: job.updatedAt, attempt: job.attempt,
      isOfPost: job.post != nil, setback: job.setback.map { redaction.redact($0.reason) })
    if case .rejected(let findings) = job.stage { rules = findings.map(\.rule) }
  }
}

/// Removes personal data from text: the home folder, email addresses, user names and query parameters in URLs, and clip
/// names.
struct Redaction {
  let home: String?

  func redact(_ text: String) -> String {
    (home.map { text.replacing($0, with: "~") } ?? text)
      .replacing(/[^\s@\/"]+@[^\s@\/"]+\.[A-Za-z]{2,}/, with: "(address)")
      .replacing(/:\/\/[^\s\/@]+@/, with: "://(hidden)@")
      .replacing(/\?[^\s"]*=[^\s"]*/, with: "?(hidden)")
      .replacing(/[^\s"~\/]*\.(mp4|mov|m4v|mkv|avi|mts|ts|webm)\b/.ignoresCase(), with: "(clip)")
  }
}
