import ClipMedia
import ClipModel
import DurableFiles
import Foundation
import LibCurl

/// Performs the checks of `bsc doctor`. A failed check doesn't prevent other checks from running.
package struct SystemDiagnostics {
  /// The environment variables of the process.
  private let variables: [String: String]
  private let readSettings: () throws -> EngineEnvironment

  package init(variables: [String: String], readSettings: @escaping () throws -> EngineEnvironment) {
    (self.variables, self.readSettings) = (variables, readSettings)
  }

  package func runChecks() async -> [DoctorCheck] {
    var checks = await checkMedia() + [network]
    checks += await DoctorCheck.catchingErrors("settings", "folders") {
      let places = try ApplicationFolders(environment: variables)
      return await checkDisk(places) + [localClock]
        + DoctorCheck.catchingErrors("settings", "files") {
          let environment = try readSettings()
          return [checkSettings(environment)] + findMisspelledVariables(environment)
            + (await BackendDiagnostics(environment: environment).runChecks())
        } + checkSecrets(places) + checkJournal(places)
    }
    // Show the checks of each group together.
    let order = ["media", "network", "disk", "clock", "settings", "journal", "backend"]
    return order.flatMap { group in checks.filter { $0.group == group } }
  }

  // MARK: Libraries

  private func checkMedia() async -> [DoctorCheck] {
    let parts = MediaCapabilities.current.map { part in
      if part.isAvailable { return DoctorCheck("media", part.name, part.detail) }
      return DoctorCheck(
        "media", part.name, part.neededFor == nil ? .problem : .warning,
        part.detail + (part.neededFor.map { "; needed for \($0)" } ?? ""),
        problem: part.kind == .library ? .libraryMissing : .codecMissing, facts: ["codec": part.name])
    }
    return await parts
      + DoctorCheck.catchingErrors("media", "hardware encoders") {
        try await MediaCapabilities.testHardwareEncoders().map {
          DoctorCheck("media", $0.name, $0.isAvailable ? .fine : .absent, $0.detail)
        }
      }
  }

  private var network: DoctorCheck {
    let curl = CurlVersionInfo.current
    guard let tls = curl.tls else {
      return DoctorCheck("network", "libcurl", .problem, "\(curl.version), without TLS", problem: .tlsMissing)
    }
    return DoctorCheck("network", "libcurl", "\(curl.version), \(tls), HTTP/\(curl.hasHTTP2 ? "2" : "1.1 only")")
  }

  // MARK: Machine

  /// The minimum free space. It is enough for one minute of phone video and its processed copy.
  private static let minimumFreeByteCount: Int64 = 1 << 30

  private func checkDisk(_ places: ApplicationFolders) async -> [DoctorCheck] {
    await DoctorCheck.catchingErrors("disk", "state") {
      try places.createStateFolders()
      let folders = [
        ("state", places.stateFolder), ("local backend", places.localBackendFolder), ("cache", places.cacheFolder),
      ]
      return try folders.map { name, folder in
        let free = try FreeSpace.availableBytes(at: folder)
        let detail = "\(ByteCount.text(free)) free in \(folder)"
        if free > Self.minimumFreeByteCount { return DoctorCheck("disk", name, detail) }
        return DoctorCheck("disk", name, .problem, detail, problem: .diskAlmostFull)
      }
    }
  }

  private var localClock: DoctorCheck {
    let now = Date()
    // The clock is wrong if it shows a date before this code was written.
    let isPlausible = now > Date(timeIntervalSince1970: 1_790_000_000)
    return DoctorCheck(
      "clock", "this machine", isPlausible ? .fine : .problem, now.formatted(.iso8601),
      problem: isPlausible ? nil : .clockWrong)
  }

  // MARK: Settings and state

  private func checkSettings(_ environment: EngineEnvironment) -> DoctorCheck {
    let entries = environment.configuration.entries.filter { $0.origin != "default" }
    let file = environment.places.configurationFile
    let missing = FileManager.default.fileExists(atPath: file) ? "" : " (missing)"
    let groups = Dictionary(grouping: entries, by: \.origin).sorted { $0.key < $1.key }.map { origin, entries in
      let keys = entries.map(\.key).joined(separator: ", ")
      return "\(entries.count) set\(origin == file ? "" : " by \(origin)"): \(keys)"
    }
    return DoctorCheck(
      "settings", "files", "\(file)\(missing), \(groups.isEmpty ? "all defaults" : groups.joined(separator: "; "))")
  }

  /// Warns about misspelled environment variables: names that are similar to a setting's variable but have no effect.
  private func findMisspelledVariables(_ environment: EngineEnvironment) -> [DoctorCheck] {
    let known = environment.configuration.entries.compactMap(\.environment)
    return variables.keys.sorted().compactMap { name in
      guard name.hasPrefix("BSC_"), !known.contains(name) else { return nil }
      // Other variables that bsc uses differ from these names in more than two letters.
      let nearest = known.min { SpellingSuggestion.distance(name, $0) < SpellingSuggestion.distance(name, $1) }
      guard let nearest, SpellingSuggestion.distance(name, nearest) <= 2 else { return nil }
      return DoctorCheck(
        "settings", "environment", .warning, "\(name) is not a known setting",
        problem: .variableUnknown, facts: ["nearest": nearest])
    }
  }

  private func checkSecrets(_ places: ApplicationFolders) async -> [DoctorCheck] {
    await DoctorCheck.catchingErrors("settings", "secrets") {
      let (count, exposed) = try SecretStore(places: places).checkProtection()
      guard let first = exposed.first?.explanation else {
        return [DoctorCheck("settings", "secrets", "\(count.withNoun("file")), readable only by you")]
      }
      var check = DoctorCheck(
        "settings", "secrets", .problem, first.why + (exposed.count > 1 ? ", and \(exposed.count - 1) more" : ""))
      check.failure = first
      return [check]
    }
  }

  private func checkJournal(_ places: ApplicationFolders) async -> [DoctorCheck] {
    await DoctorCheck.catchingErrors("journal", "file") {
      let health = try await Journal.open(places).checkHealth(places)
      var checks = [DoctorCheck("journal", "file", "intact, \(health.jobCount.withNoun("job"))")]
      if let damage = health.damage.first {
        checks = [
          DoctorCheck(
            "journal", "file", .problem, "damaged: \(damage)",
            problem: .journalDamaged, facts: ["path": places.journalFile])
        ]
      }
      if health.unfinishedCount > 0 {
        checks.append(
          DoctorCheck(
            "journal", "jobs", .warning, "\(health.unfinishedCount.withNoun("unfinished job"))",
            problem: .jobsUnfinished))
      }
      checks += health.unreadable.map { DoctorCheck("journal", "jobs", $0.explanation) }
      let stray = health.strayPaths
      if !stray.isEmpty {
        checks.append(
          DoctorCheck(
            "journal", "left-overs", .warning, "\(stray.count.withNoun("file")) from jobs that are not in the journal",
            problem: .filesLeftOver,
            facts: ["paths": stray.prefix(3).joined(separator: " ") + (stray.count > 3 ? " …" : "")]))
      }
      return checks
    }
  }
}
