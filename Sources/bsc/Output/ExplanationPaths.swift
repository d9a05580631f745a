import ClipModel
import DurableFiles
import Foundation
import ShareEngine

extension Explanation {
  /// The explanation with paths as the user wrote this input.
  func naming(_ subject: String) -> Explanation {
    let named = naming(subject, absolutePath: absolutePath(subject))
    return subject.hasPrefix("/") ? named : named.withRelativePaths
  }

  /// The explanation of an error that is not about any of the inputs, with paths as written on this command line.
  func naming(asIn arguments: [String]) -> Explanation {
    let folder = FileManager.default.currentDirectoryPath
    return arguments.contains { $0.contains("\(folder)/") } ? self : withRelativePaths
  }

  private var withRelativePaths: Explanation {
    let folder = FileManager.default.currentDirectoryPath
    var named = self
    if folder != "/" { named.what = what.replacing(" \(folder)/", with: " ") }
    return named
  }

  /// The explanation without the URLs on a command line, which may be upload URLs.
  func withoutAddresses(_ arguments: [String]) -> Explanation {
    var redacted = self
    redacted.what = AddressRedaction.redacted(what, arguments)
    redacted.why = AddressRedaction.redacted(why, arguments)
    redacted.facts = facts.mapValues { AddressRedaction.redacted($0, arguments) }
    return redacted
  }

  /// Replaces "no such file" where the argument can't be the name of a file.
  var withCauseOfMissingFile: Explanation {
    guard id == "file.not-found", let file = facts["file"] else { return self }
    if AddressRedaction.containsAddress(what) { return AddressRedaction.error.explanation }
    return file.contains("\u{FFFD}") ? Explanation(.nameNotUTF8, ["file": file]) : self
  }
}

/// The path relative to the current folder, if it is inside that folder.
func shownPath(_ path: String) -> String {
  let folder = FileManager.default.currentDirectoryPath
  guard folder != "/", path.hasPrefix(folder + "/"), path.count > folder.count + 1 else { return path }
  return String(path.dropFirst(folder.count + 1))
}
