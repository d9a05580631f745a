import ClipModel
import DurableFiles
import Foundation
import ShareEngine

extension Explanation {
  /// For somebody who named this input: files as they wrote them, and what lies beside them alike.
  func naming(_ subject: String) -> Explanation {
    // What is written is another file than what was named, perhaps with the same last part.
    var named = isOfOutput ? self : naming(subject, absolutePath: absolutePath(subject))
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
    var told = self
    told.what = Address.without(what, arguments)
    told.why = Address.without(why, arguments)
    told.next = next.map { Address.without($0, arguments) }
    return told
  }

  /// Where there is no file because of what was typed for one.
  var ofWrongName: Explanation {
    guard category == .noInput, why == "there is no such file" else { return self }
    if Address.isIn(what) { return Address.failure.explanation }
    guard let place = what.range(of: "cannot read "), what.contains("\u{FFFD}") else { return self }
    return Explanation(
      what: "cannot read \(what[place.upperBound...])",
      why: "its name is not UTF-8, and cannot be given on a command line",
      next: "name the folder that it is in, or rename it", category: .noInput)
  }
}

/// As people would write it here: without what leads to the current folder, where it lies in that.
func shownPath(_ path: String) -> String {
  let here = FileManager.default.currentDirectoryPath
  guard here != "/", path.hasPrefix(here + "/"), path.count > here.count + 1 else { return path }
  return String(path.dropFirst(here.count + 1))
}
