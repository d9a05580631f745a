import ClipModel
package import Foundation

/// What a bug report needs: facts of the machine, settings without their secrets, jobs without what they are about.
package struct DoctorBundle: Encodable {
  package struct Job: Encodable {
    package var state: String
    package var backend: String
    package var fileExtension: String
    package var sourceByteCount: Int64
    /// Unix seconds.
    package var createdAt: Int64
    package var updatedAt: Int64
    package var attempt: Int
    package var isOfPost: Bool
    package var setback: String?
    package var rules: [String]
  }

  package var schema = "bsc.bundle/1"
  package var version: String
  /// As the kernel and the distribution name themselves.
  package var system: String
  package var architecture: String
  package var coreCount: Int
  package var memoryByteCount: UInt64
  package var language: String
  /// What the terminal is said to be.
  package var terminal: String
  /// Names of the variables that bsc reads, not what is in them.
  package var variables: [String]
  package var checks: [DoctorCheck]
  package var settings: [ConfigurationEntry]
  /// The latest, at most.
  package var jobs: [Job]

  private static let jobLimit = 50

  /// - Parameters:
  ///   - checks: all of them.
  ///   - version: of the program.
  ///   - variables: environment variables of the process.
  ///   - settings: all of them, or none where they cannot be read.
  package init(
    _ checks: [DoctorCheck], version: String, variables environment: [String: String], settings: [ConfigurationEntry]
  ) async throws {
    let redaction = Redaction(environment: environment)
    self.version = version
    system = Self.system
    architecture = Self.architecture
    coreCount = ProcessInfo.processInfo.activeProcessorCount
    memoryByteCount = ProcessInfo.processInfo.physicalMemory
    language = environment["LC_ALL"] ?? environment["LANG"] ?? ""
    terminal = environment["TERM"] ?? ""
    variables = environment.keys.filter { $0.hasPrefix("BSC_") || $0.hasPrefix("XDG_") }.sorted()
    self.checks = checks.map { check in
      var check = check
      check.detail = redaction.apply(check.detail)
      check.next = check.next.map(redaction.apply)
      return check
    }
    self.settings = settings.map { entry in
      var entry = entry
      entry.value = entry.value.map(redaction.apply)
      entry.origin = redaction.apply(entry.origin)
      return entry
    }
    jobs = []
    if let places = try? Places(environment: environment), let known = try? await Journal.open(places).readable() {
      jobs = known.suffix(Self.jobLimit).map { Self.job($0, redaction) }
    }
  }

  package func text() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }

  private static func job(_ job: ShareJob, _ redaction: Redaction) -> Job {
    var rules: [String] = []
    if case .rejected(let findings) = job.stage { rules = findings.map(\.rule) }
    return Job(
      state: job.stage.name, backend: job.backend, fileExtension: (job.source.path as NSString).pathExtension,
      sourceByteCount: job.source.byteCount, createdAt: job.createdAt, updatedAt: job.updatedAt, attempt: job.attempt,
      isOfPost: job.post != nil, setback: job.setback.map { redaction.apply($0.reason) }, rules: rules)
  }

  private static var system: String {
    let text = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? ""
    let name = text.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
    let distribution = name.map { $0.dropFirst("PRETTY_NAME=".count).trimmingCharacters(in: ["\""]) }
    return [distribution, ProcessInfo.processInfo.operatingSystemVersionString].compactMap(\.self)
      .joined(separator: ", ")
  }

  private static var architecture: String {
    #if arch(x86_64)
      "x86-64"
    #elseif arch(arm64)
      "arm64"
    #else
      "other"
    #endif
  }
}

/// Takes what is private out of texts that may name it: paths under the home folder, addresses of people, parameters
/// and users in URLs.
struct Redaction {
  private let home: String?

  init(environment: [String: String]) {
    home = environment["HOME"].flatMap { $0.count > 1 ? $0 : nil }
  }

  func apply(_ text: String) -> String {
    var text = text
    if let home { text = text.replacing(home, with: "~") }
    text = text.replacing(/[^\s@\/"]+@[^\s@\/"]+\.[A-Za-z]{2,}/, with: "(address)")
    text = text.replacing(/:\/\/[^\s\/@]+@/, with: "://(hidden)@")
    text = text.replacing(/\?[^\s"]*=[^\s"]*/, with: "?(hidden)")
    // Folders and clips of somebody.
    return text.replacing(/[^\s"~\/]*\.(mp4|mov|m4v|mkv|avi|mts|ts|webm)\b/.ignoresCase(), with: "(clip)")
  }
}
