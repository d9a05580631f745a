import ClipMedia
import ClipModel
import DurableFiles
import Foundation
import LibCurl

/// The checks of `bsc doctor`. A failed check doesn't prevent the others.
package struct SystemDiagnostics {
  /// The environment variables of the process.
  private let variables: [String: String]
  private let readSettings: () throws -> EngineEnvironment

  package init(variables: [String: String], readSettings: @escaping () throws -> EngineEnvironment) {
    (self.variables, self.readSettings) = (variables, readSettings)
  }

  package func run() async -> [DoctorCheck] {
    var checks = await media() + [network]
    checks += await DoctorCheck.catching("settings", "folders") {
      let places = try Places(environment: variables)
      return await disk(places) + [localClock]
        + DoctorCheck.catching("settings", "files") {
          let environment = try readSettings()
          return [settings(environment)] + misspelledVariables(environment)
            + (await BackendDiagnostics(environment: environment).run())
        } + secrets(places) + journal(places)
    }
    // The checks in a group are shown together.
    let order = ["media", "network", "disk", "clock", "settings", "journal", "backend"]
    return order.flatMap { group in checks.filter { $0.group == group } }
  }

  // MARK: Libraries

  private func media() async -> [DoctorCheck] {
    let parts = MediaCapabilities.current.map { part in
      if part.isAvailable { return DoctorCheck("media", part.name, part.detail) }
      return DoctorCheck(
        "media", part.name, part.neededFor == nil ? .problem : .warning,
        part.detail + (part.neededFor.map { "; needed for \($0)" } ?? ""), next: part.remedy)
    }
    return await parts
      + DoctorCheck.catching("media", "hardware encoders") {
        try await MediaCapabilities.testHardwareEncoders().map {
          DoctorCheck("media", $0.name, $0.isAvailable ? .fine : .absent, $0.detail)
        }
      }
  }

  private var network: DoctorCheck {
    let curl = LoadedCurl.current
    guard let tls = curl.tls else {
      return DoctorCheck(
        "network", "libcurl", .problem, "\(curl.version), without TLS",
        next: "install a libcurl with TLS: on Debian, Scripts/bootstrap")
    }
    return DoctorCheck("network", "libcurl", "\(curl.version), \(tls), HTTP/\(curl.hasHTTP2 ? "2" : "1.1 only")")
  }

  // MARK: Machine

  /// Enough for a minute of video from a phone and its processed copy.
  private static let minimumFreeByteCount: Int64 = 1 << 30

  private func disk(_ places: Places) async -> [DoctorCheck] {
    await DoctorCheck.catching("disk", "state") {
      try places.createStateFolders()
      let folders = [
        ("state", places.stateFolder), ("local backend", places.localBackendFolder), ("cache", places.cacheFolder),
      ]
      return try folders.map { name, folder in
        let free = try FreeSpace.bytes(at: folder)
        let detail = "\(ByteCount.text(free)) free in \(folder)"
        if free > Self.minimumFreeByteCount { return DoctorCheck("disk", name, detail) }
        return DoctorCheck("disk", name, .problem, detail, next: "free at least 1 GB there")
      }
    }
  }

  private var localClock: DoctorCheck {
    let now = Date()
    // The date on which this code was written.
    let isPlausible = now > Date(timeIntervalSince1970: 1_790_000_000)
    return DoctorCheck(
      "clock", "this machine", isPlausible ? .fine : .problem, now.formatted(.iso8601),
      next: isPlausible ? nil : DoctorCheck.setClock)
  }

  // MARK: Settings and state

  private func settings(_ environment: EngineEnvironment) -> DoctorCheck {
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

  /// Warns about environment variables whose names are similar to those of settings, because they have no effect.
  private func misspelledVariables(_ environment: EngineEnvironment) -> [DoctorCheck] {
    let known = environment.configuration.entries.compactMap(\.environment)
    return variables.keys.sorted().compactMap { name in
      guard name.hasPrefix("BSC_"), !known.contains(name) else { return nil }
      // bsc's other variables differ from these names in more than two letters.
      let nearest = known.min { SpellingSuggestion.distance(name, $0) < SpellingSuggestion.distance(name, $1) }
      guard let nearest, SpellingSuggestion.distance(name, nearest) <= 2 else { return nil }
      return DoctorCheck(
        "settings", "environment", .warning, "\(name) is not a setting", next: "rename it to \(nearest), or unset it")
    }
  }

  private func secrets(_ places: Places) async -> [DoctorCheck] {
    await DoctorCheck.catching("settings", "secrets") {
      let (count, exposed) = try SecretStore(places: places).check()
      guard let first = exposed.first?.explanation else {
        return [DoctorCheck("settings", "secrets", "\(count.counting("file")), readable only by you")]
      }
      var check = DoctorCheck(
        "settings", "secrets", .problem, first.why + (exposed.count > 1 ? ", and \(exposed.count - 1) more" : ""))
      check.failure = first
      return [check]
    }
  }

  private func journal(_ places: Places) async -> [DoctorCheck] {
    await DoctorCheck.catching("journal", "file") {
      let health = try await Journal.open(places).health(places)
      var checks = [DoctorCheck("journal", "file", "intact, \(health.jobCount.counting("job"))")]
      if let damage = health.damage.first {
        checks = [
          DoctorCheck(
            "journal", "file", .problem, "damaged: \(damage)",
            next: "move \(places.journalFile) elsewhere; unfinished clips must be shared again")
        ]
      }
      if health.unfinishedCount > 0 {
        checks.append(
          DoctorCheck(
            "journal", "jobs", .warning, "\(health.unfinishedCount.counting("unfinished job"))", next: "bsc resume"))
      }
      checks += health.unreadable.map { DoctorCheck("journal", "jobs", $0.explanation) }
      let stray = health.strayPaths
      if !stray.isEmpty {
        checks.append(
          DoctorCheck(
            "journal", "left-overs", .warning, "\(stray.count.counting("file")) of jobs that are not in the journal",
            next: "rm -r " + stray.prefix(3).joined(separator: " ") + (stray.count > 3 ? " …" : "")))
      }
      return checks
    }
  }
}
