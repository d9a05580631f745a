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

  /// Names of settings.
  static let settings = CompletionKind.custom { _, _, prefix in
    ShareEngine.Configuration().entries.map(\.key).filter { $0.hasPrefix(prefix) }
  }

  /// Ids of rules.
  static let rules = CompletionKind.custom { _, _, prefix in
    RuleCatalog.rules.map(\.id).filter { $0.hasPrefix(prefix) }
  }
}
