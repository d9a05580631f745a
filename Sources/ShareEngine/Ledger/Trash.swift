import DurableFiles
import Foundation

/// The folder of replaced sources: `.bsc/trash/17/day 1/IMG_7.MOV`. Each source has a number and keeps its relative
/// path, so that it can be restored even without the ledger.
struct Trash: Sendable {
  struct Slot: Hashable, Sendable {
    /// Increases with every replaced source.
    var number: Int
    /// The path of the source, relative to the root.
    var name: String
  }

  /// The absolute path of the batch's folder.
  let root: String

  private static let folderName = "\(Ledger.folderName)/trash"
  /// The temporary name of a result while it is being removed.
  private static let resultName = ".bsc-result"
  private var folder: String { "\(root)/\(Self.folderName)" }

  /// The path of a slot, relative to the root.
  static func path(of slot: Slot) -> String { "\(folderName)/\(slot.number)/\(slot.name)" }

  func absolutePath(of slot: Slot) -> String { "\(root)/\(Self.path(of: slot))" }

  func resultPath(of slot: Slot) -> String { "\(folder)/\(slot.number)/\(Self.resultName)" }

  /// Reserves a new slot, even if other processes do so at the same time. Blocks.
  /// - Parameter last: a number that was used before, even if its folder is gone.
  func reserve(for name: String, after last: Int) throws -> Slot {
    try Folder.create(folder, permissions: 0o755)
    var number = last + 1
    while try !Folder.createExclusively("\(folder)/\(number)", permissions: 0o755) {
      number = max(number, try numbers().max() ?? 0) + 1
    }
    let slot = Slot(number: number, name: name)
    try Folder.create((absolutePath(of: slot) as NSString).deletingLastPathComponent, permissions: 0o755)
    return slot
  }

  /// The slots with files, latest first. Blocks.
  func slots() throws -> [Slot] {
    try numbers().sorted(by: >).flatMap { number in
      try files("\(folder)/\(number)", under: "").map { Slot(number: number, name: $0) }
    }
  }

  /// Moves a source back to its original path.
  func restore(_ slot: Slot) throws {
    let source = "\(root)/\(slot.name)"
    try Folder.create((source as NSString).deletingLastPathComponent, permissions: 0o755)
    try FileMove.move(absolutePath(of: slot), to: source)
  }

  /// Removes the folders of an empty slot.
  func release(_ slot: Slot) {
    var path = (absolutePath(of: slot) as NSString).deletingLastPathComponent
    while path.hasPrefix(folder + "/"), Folder.removeEmpty(path) {
      path = (path as NSString).deletingLastPathComponent
    }
  }

  /// Removes all empty slots, and the trash if it is empty. No slot may be reserved at the same time.
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
    // Ignores files that file browsers create.
    let entries = try Folder.entries(in: folder).filter { entry in
      ![Self.resultName, ".DS_Store"].contains(entry.name) && !entry.name.hasPrefix("._")
    }
    return try entries.sorted { $0.name < $1.name }.flatMap { entry in
      entry.kind == .folder
        ? try files("\(folder)/\(entry.name)", under: "\(prefix)\(entry.name)/") : [prefix + entry.name]
    }
  }
}
