import DurableFiles
import Foundation

/// Where sources go whose results take their places: `.bsc/trash/17/day 1/IMG_7.MOV`, with a number for each, and the
/// path under which it was. So everything can be put back without any other record.
struct Trash: Sendable {
  struct Place: Hashable, Sendable {
    /// Higher ones were put there later.
    var number: Int
    /// Where the source was, relative to the root.
    var name: String
  }

  /// Of the batch: an absolute path.
  let root: String

  private static let folderName = "\(Ledger.folderName)/trash"
  /// Of a result that is being taken away.
  private static let resultName = ".bsc-result"
  private var folder: String { "\(root)/\(Self.folderName)" }

  /// Relative to the root.
  static func path(of place: Place) -> String { "\(folderName)/\(place.number)/\(place.name)" }

  func absolutePath(of place: Place) -> String { "\(root)/\(Self.path(of: place))" }

  func resultPath(of place: Place) -> String { "\(folder)/\(place.number)/\(Self.resultName)" }

  /// A place of its own, whoever else takes one at the same time. Blocks.
  /// - Parameter last: a number that was given before, although its folder may be gone.
  func take(for name: String, after last: Int) throws -> Place {
    try Folder.create(folder, permissions: 0o755)
    var number = last + 1
    if try !Folder.createExclusively("\(folder)/\(number)", permissions: 0o755) {
      repeat {
        number = max(number, try numbers().max() ?? 0) + 1
      } while try !Folder.createExclusively("\(folder)/\(number)", permissions: 0o755)
    }
    let place = Place(number: number, name: name)
    try Folder.create((absolutePath(of: place) as NSString).deletingLastPathComponent, permissions: 0o755)
    return place
  }

  /// What lies there, latest first. Blocks.
  func places() throws -> [Place] {
    try numbers().sorted(by: >).flatMap { number in
      try files("\(folder)/\(number)", under: "").map { Place(number: number, name: $0) }
    }
  }

  /// A place that nothing lies in.
  func giveUp(_ place: Place) {
    var path = (absolutePath(of: place) as NSString).deletingLastPathComponent
    while path.hasPrefix(folder + "/"), Folder.removeEmpty(path) {
      path = (path as NSString).deletingLastPathComponent
    }
  }

  /// Places that nothing lies in go, and a trash without places does. Nobody may take a place meanwhile.
  func removeEmpty() {
    for number in (try? numbers()) ?? [] { Self.removeEmpty("\(folder)/\(number)") }
    Folder.removeEmpty(folder)
  }

  private static func removeEmpty(_ folder: String) {
    for entry in (try? Folder.entries(in: folder)) ?? [] where entry.kind == .folder {
      removeEmpty("\(folder)/\(entry.name)")
    }
    Folder.removeEmpty(folder)
  }

  private func numbers() throws -> [Int] {
    guard try FileMove.exists(folder) else { return [] }
    return try Folder.names(in: folder).compactMap { Int($0) }
  }

  private func files(_ folder: String, under prefix: String) throws -> [String] {
    // What file browsers leave behind is not ours.
    let entries = try Folder.entries(in: folder).filter { entry in
      ![Self.resultName, ".DS_Store"].contains(entry.name) && !entry.name.hasPrefix("._")
    }
    return try entries.sorted { $0.name < $1.name }.flatMap { entry in
      entry.kind == .folder
        ? try files("\(folder)/\(entry.name)", under: "\(prefix)\(entry.name)/") : [prefix + entry.name]
    }
  }
}
