import ArgumentParser
import ClipModel
import Foundation
import ShareEngine

/// What shells offer behind TAB that only a running bsc knows.
enum Completions {
  /// Ids of jobs, as `bsc jobs` shows them.
  static let jobs = CompletionKind.custom { _, _, prefix in
    // A look must not make a journal.
    guard let places = try? Places(environment: ProcessInfo.processInfo.environment),
      FileManager.default.fileExists(atPath: places.journalFile),
      let ids = try? await Journal.open(places).identifiers()
    else { return [] }
    let names = ids.map { $0.uuidString.lowercased() }
    return names.map { prefix.count > 8 ? $0 : String($0.prefix(8)) }.filter { $0.hasPrefix(prefix.lowercased()) }
  }

  /// Ids of highlights that were made from here; those of others only a backend knows, and TAB asks none.
  static let highlights = CompletionKind.custom { _, _, prefix in
    guard let places = try? Places(environment: ProcessInfo.processInfo.environment),
      FileManager.default.fileExists(atPath: places.journalFile),
      let jobs = try? await Journal.open(places).readable()
    else { return [] }
    let names = Set(jobs.filter(\.stage.isRegistered).map { $0.highlightID.uuidString.lowercased() }).sorted()
    return names.map { prefix.count > 8 ? $0 : String($0.prefix(8)) }.filter { $0.hasPrefix(prefix.lowercased()) }
  }

  /// What stands behind the name of a setting.
  static let settingValues = CompletionKind.custom { words, _, prefix in
    guard let place = words.firstIndex(of: "set"), words.indices.contains(place + 1) else { return [] }
    return ConfigurationEntry.words(of: words[place + 1]).filter { $0.hasPrefix(prefix) }
  }

  /// Names of settings.
  static let settings = CompletionKind.custom { _, _, prefix in
    ShareEngine.Configuration().entries.map(\.key).filter { $0.hasPrefix(prefix) }
  }

  /// Ids of rules.
  static let rules = CompletionKind.custom { _, _, prefix in
    RuleCatalog.rules.map(\.id).filter { $0.hasPrefix(prefix) }
  }
}
