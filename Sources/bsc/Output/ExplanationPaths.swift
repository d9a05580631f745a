import ClipModel
import DurableFiles
import Foundation
import ShareEngine

extension Explanation {
  /// For somebody who named this input: files as they wrote them, and what lies beside them alike.
  func naming(_ subject: String) -> Explanation {
    var named = naming(subject, absolutePath: absolutePath(subject))
    let folder = FileManager.default.currentDirectoryPath
    // Whoever writes relative paths reads them too.
    if !subject.hasPrefix("/"), folder != "/" {
      named.what = named.what.replacing(" \(folder)/", with: " ")
    }
    return named
  }

  /// For an error about none of the inputs: files as this command line names files.
  func naming(asIn arguments: [String]) -> Explanation {
    let folder = FileManager.default.currentDirectoryPath
    guard folder != "/", !arguments.contains(where: { $0.contains("\(folder)/") }) else { return self }
    var named = self
    named.what = named.what.replacing(" \(folder)/", with: " ")
    return named
  }

  /// An address on the command line may be an upload URL, wherever it stands there.
  func withoutAddresses(_ arguments: [String]) -> Explanation {
    var redacted = self
    redacted.what = Address.without(what, arguments)
    redacted.why = Address.without(why, arguments)
    redacted.facts = facts.mapValues { Address.without($0, arguments) }
    return redacted
  }

  /// Where there is no file because of what was typed for one.
  var ofWrongName: Explanation {
    guard id == "file.not-found", let file = facts["file"] else { return self }
    if Address.isIn(what) { return Address.failure.explanation }
    return file.contains("\u{FFFD}") ? Explanation(.nameNotUTF8, ["file": file]) : self
  }
}

/// As people would write it here: without what leads to the current folder, where it lies in that.
func shownPath(_ path: String) -> String {
  let here = FileManager.default.currentDirectoryPath
  guard here != "/", path.hasPrefix(here + "/"), path.count > here.count + 1 else { return path }
  return String(path.dropFirst(here.count + 1))
}
