import ClipMedia
import ClipModel
import DurableFiles
import Foundation
import LibCurl

/// What `bsc doctor` looks at, in order. What is wrong with one thing keeps it from none of the others.
package struct SystemDiagnostics {
  /// Environment variables of the process.
  private let variables: [String: String]
  /// Reads the settings.
  private let open: () throws -> EngineEnvironment

  package init(variables: [String: String], open: @escaping () throws -> EngineEnvironment) {
    (self.variables, self.open) = (variables, open)
  }

  package func run() async -> [DoctorCheck] {
    var checks = await media() + [network]
    do {
      let places = try Places(environment: variables)
      checks += disk(places)
      checks.append(localClock)
      do {
        let environment = try open()
        checks.append(settings(environment))
        checks += misspelt(environment)
        checks += await BackendDiagnostics(environment: environment).run()
      } catch {
        checks += DoctorCheck.each("settings", "files", error)
      }
      checks.append(secrets(places))
      checks += await journal(places)
    } catch {
      checks.append(DoctorCheck("settings", "folders", error))
    }
    // Clock and settings are each looked at in two places; people read them as one.
    let order = ["media", "network", "disk", "clock", "settings", "journal", "backend"]
    return order.flatMap { group in checks.filter { $0.group == group } }
  }

  // MARK: Libraries

  private func media() async -> [DoctorCheck] {
    var checks = MediaCapabilities.current.map { part in
      DoctorCheck(
        "media", part.name, part.isAvailable ? .fine : part.neededFor == nil ? .problem : .warning,
        part.detail + (part.isAvailable ? "" : part.neededFor.map { "; needed for \($0)" } ?? ""),
        next: part.isAvailable ? nil : part.remedy)
    }
    do {
      checks += try await MediaCapabilities.hardware().map {
        DoctorCheck("media", $0.name, $0.isAvailable ? .fine : .absent, $0.detail)
      }
    } catch {
      checks.append(DoctorCheck("media", "hardware encoders", error))
    }
    return checks
  }

  private var network: DoctorCheck {
    let curl = LoadedCurl.current
    guard let tls = curl.tls else {
      return DoctorCheck(
        "network", "libcurl", .problem, "\(curl.version), without TLS",
        next: "install a libcurl with TLS: on Debian, Scripts/bootstrap")
    }
    return DoctorCheck(
      "network", "libcurl", .fine, "\(curl.version), \(tls), HTTP/\(curl.hasHTTP2 ? "2" : "1.1 only")")
  }

  // MARK: Machine

  /// A clip of a minute at a phone's bit rate, its copy, and some room.
  private static let leastFreeByteCount: Int64 = 1 << 30

  private func disk(_ places: Places) -> [DoctorCheck] {
    do {
      try places.createStateFolders()
    } catch {
      return [DoctorCheck("disk", "state", error)]
    }
    let folders = [
      ("state", places.stateFolder), ("local backend", places.localBackendFolder), ("cache", places.cacheFolder),
    ]
    return folders.map { name, folder in
      do {
        let free = try FreeSpace.bytes(at: folder)
        let isEnough = free > Self.leastFreeByteCount
        return DoctorCheck(
          "disk", name, isEnough ? .fine : .problem, "\(ByteCount.text(free)) free at \(folder)",
          next: isEnough ? nil : "make room there: a gigabyte at least")
      } catch {
        return DoctorCheck("disk", name, error)
      }
    }
  }

  /// No clock that goes is before the day on which this was written.
  private static let earliest = Date(timeIntervalSince1970: 1_790_000_000)

  private var localClock: DoctorCheck {
    let now = Date()
    let isPlausible = now > Self.earliest
    return DoctorCheck(
      "clock", "this machine", isPlausible ? .fine : .problem, now.formatted(.iso8601),
      next: isPlausible ? nil : "set the clock: timedatectl set-ntp true")
  }

  // MARK: Files of ours

  private func settings(_ environment: EngineEnvironment) -> DoctorCheck {
    let set = environment.configuration.entries.filter { $0.origin != "default" }
    let file = environment.places.configurationFile
    let isThere = FileManager.default.fileExists(atPath: file)
    var origins: [String] = []
    for entry in set where !origins.contains(entry.origin) { origins.append(entry.origin) }
    let told = origins.map { origin in
      let keys = set.filter { $0.origin == origin }.map(\.key)
      return "\(keys.count) set\(origin == file ? "" : " by \(origin)"): \(keys.joined(separator: ", "))"
    }
    return DoctorCheck(
      "settings", "files", .fine,
      "\(file)\(isThere ? "" : " (there is none)"), \(told.isEmpty ? "all defaults" : told.joined(separator: "; "))")
  }

  /// A variable that is nearly a setting's is heard by nobody.
  private func misspelt(_ environment: EngineEnvironment) -> [DoctorCheck] {
    let known = environment.configuration.entries.compactMap(\.environment)
    return variables.keys.sorted().compactMap { name in
      guard name.hasPrefix("BSC_"), !known.contains(name) else { return nil }
      // Others of ours have names of their own, which are far from these.
      let meant = known.min { SpellingSuggestion.distance(name, $0) < SpellingSuggestion.distance(name, $1) }
      guard let meant, SpellingSuggestion.distance(name, meant) <= 2 else { return nil }
      return DoctorCheck(
        "settings", "environment", .warning, "\(name) is no setting", next: "rename it to \(meant), or unset it")
    }
  }

  private func secrets(_ places: Places) -> DoctorCheck {
    do {
      let (count, wrong) = try SecretStore(places: places).check()
      guard let first = wrong.first else {
        return DoctorCheck("settings", "secrets", .fine, "\(count.counting("file")), readable by you alone")
      }
      var check = DoctorCheck(
        "settings", "secrets", .problem,
        first.explanation.why + (wrong.count > 1 ? ", and \(wrong.count - 1) more like it" : ""))
      check.failure = first.explanation
      return check
    } catch {
      return DoctorCheck("settings", "secrets", error)
    }
  }

  private func journal(_ places: Places) async -> [DoctorCheck] {
    do {
      let health = try await Journal.open(places).health(places)
      var checks = [
        DoctorCheck(
          "journal", "file", health.damage.isEmpty ? .fine : .problem,
          health.damage.first.map { "damaged: \($0)" } ?? "sound, \(health.jobCount.counting("job"))",
          next: health.damage.isEmpty
            ? nil : "move \(places.journalFile) away; unfinished clips have to be shared again")
      ]
      if health.unfinishedCount > 0 {
        checks.append(
          DoctorCheck(
            "journal", "jobs", .warning, "\(health.unfinishedCount.counting("job")) not finished", next: "bsc resume"))
      }
      checks += health.unreadable.map { DoctorCheck("journal", "jobs", $0) }
      let stray = health.strayFolders + health.strayFiles
      if !stray.isEmpty {
        checks.append(
          DoctorCheck(
            "journal", "left-overs", .warning, "\(stray.count.counting("file")) of jobs that are not in the journal",
            next: "rm -r " + stray.prefix(3).joined(separator: " ") + (stray.count > 3 ? " …" : "")))
      }
      return checks
    } catch {
      return [DoctorCheck("journal", "file", error)]
    }
  }
}
