import ClipModel
import DurableFiles
import Foundation
import ShareEngine

extension Explanation {
  /// Returns the explanation with paths as the user entered this input.
  func withPathsAsEntered(for subject: String) -> Explanation {
    let named = replacingPath(subject, absolutePath: absolutePath(subject))
    return subject.hasPrefix("/") ? named : named.withRelativePaths
  }

  /// Returns the explanation of an error that isn't about a single input, with paths as the user entered them.
  func withPathsAsEntered(in arguments: [String]) -> Explanation {
    let folder = FileManager.default.currentDirectoryPath
    return arguments.contains { $0.contains("\(folder)/") } ? self : withRelativePaths
  }

  private var withRelativePaths: Explanation {
    let folder = FileManager.default.currentDirectoryPath
    var named = self
    if folder != "/" { named.what = what.replacing(" \(folder)/", with: " ") }
    return named
  }

  /// Returns the explanation without the URLs on the command line, which may be secret upload URLs.
  func withoutURLs(_ arguments: [String]) -> Explanation {
    var redacted = self
    redacted.what = AddressRedaction.redactURLs(what, arguments)
    redacted.why = AddressRedaction.redactURLs(why, arguments)
    redacted.facts = facts.mapValues { AddressRedaction.redactURLs($0, arguments) }
    return redacted
  }

  /// A more specific explanation than "no such file" if the argument can't be a file name.
  var withCauseOfMissingFile: Explanation {
    guard id == "file.not-found", let file = facts["file"] else { return self }
    if AddressRedaction.containsAddress(file) { return AddressRedaction.error.explanation }
    return file.contains("\u{FFFD}") ? Explanation(.nameNotUTF8, ["file": file]) : self
  }
}

/// Returns the path relative to the current folder if it is inside that folder; otherwise, the unchanged path.
func displayPath(_ path: String) -> String {
  let folder = FileManager.default.currentDirectoryPath
  guard folder != "/", path.hasPrefix(folder + "/"), path.count > folder.count + 1 else { return path }
  return String(path.dropFirst(folder.count + 1))
}
