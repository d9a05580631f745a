import ArgumentParser
import ClipModel
import Foundation
import ShareEngine

/// Shell completions that depend on the settings or the stored jobs.
enum Completions {
  /// Job IDs.
  static let jobs = CompletionKind.custom { _, _, prefix in
    let ids = try? await JobRegistry.jobIDs(in: findFolders())
    return abbreviateIDs(ids ?? [], prefix)
  }

  /// The IDs of highlights that were shared from this machine. Other IDs are known only to the backend.
  static let highlights = CompletionKind.custom { _, _, prefix in
    let ids = try? await JobRegistry.registeredHighlightIDs(in: findFolders())
    return abbreviateIDs(ids ?? [], prefix)
  }

  private static func findFolders() throws -> ApplicationFolders {
    try ApplicationFolders(environment: ProcessInfo.processInfo.environment)
  }

  private static func abbreviateIDs(_ ids: [UUID], _ prefix: String) -> [String] {
    let names = ids.map { $0.uuidString.lowercased() }
    return names.map { prefix.count > 8 ? $0 : String($0.prefix(8)) }.filter { $0.hasPrefix(prefix.lowercased()) }
  }

  /// The possible values for the setting in `bsc config set NAME`.
  static let settingValues = CompletionKind.custom { words, _, prefix in
    guard let index = words.firstIndex(of: "set"), words.indices.contains(index + 1) else { return [] }
    return ConfigurationEntry.possibleValues(of: words[index + 1]).filter { $0.hasPrefix(prefix) }
  }

  static let settings = CompletionKind.custom { _, _, prefix in
    ShareEngine.Configuration().entries.map(\.key).filter { $0.hasPrefix(prefix) }
  }

  static let rules = CompletionKind.custom { _, _, prefix in
    RuleCatalog.rules.map(\.id).filter { $0.hasPrefix(prefix) }
  }
}
