import DurableFiles
import Foundation

/// The folder that contains replaced sources, for example `.bsc/trash/17/day 1/IMG_7.MOV`. Each source has a number and
/// keeps its relative path, so that it can be restored even without the ledger.
struct Trash: Sendable {
  struct Slot: Hashable, Sendable {
    /// The slot's number, which increases with each replaced source.
    var number: Int
    /// The source's path, relative to the root folder.
    var name: String
  }

  /// The absolute path of the batch's root folder.
  let root: String

  private static let folderName = "\(Ledger.folderName)/trash"
  /// The temporary name of a result during its removal.
  private static let resultName = ".bsc-result"
  private var folder: String { "\(root)/\(Self.folderName)" }

  /// Returns the path of a slot's source, relative to the root folder.
  static func relativePath(of slot: Slot) -> String { "\(folderName)/\(slot.number)/\(slot.name)" }

  func absolutePath(of slot: Slot) -> String { "\(root)/\(Self.relativePath(of: slot))" }

  func resultPath(of slot: Slot) -> String { "\(folder)/\(slot.number)/\(Self.resultName)" }

  /// Reserves a new slot. Other processes can reserve slots at the same time. Blocks.
  /// - Parameter last: the highest slot number used so far, even if its folder no longer exists.
  func reserveSlot(for name: String, after last: Int) throws -> Slot {
    try Folder.create(folder, permissions: 0o755)
    var number = last + 1
    while try !Folder.createExclusively("\(folder)/\(number)", permissions: 0o755) {
      number = max(number, try listNumbers().max() ?? 0) + 1
    }
    let slot = Slot(number: number, name: name)
    try Folder.create((absolutePath(of: slot) as NSString).deletingLastPathComponent, permissions: 0o755)
    return slot
  }

  /// Returns the slots that contain files, latest first. Blocks.
  func listSlots() throws -> [Slot] {
    try listNumbers().sorted(by: >).flatMap { number in
      try listFiles("\(folder)/\(number)", under: "").map { Slot(number: number, name: $0) }
    }
  }

  /// Moves a source back to its original path.
  func restoreSource(from slot: Slot) throws {
    let source = "\(root)/\(slot.name)"
    try Folder.create((source as NSString).deletingLastPathComponent, permissions: 0o755)
    try FileMove.move(absolutePath(of: slot), to: source)
  }

  /// Removes the empty folders of a slot.
  func removeEmptyFolders(of slot: Slot) {
    var path = (absolutePath(of: slot) as NSString).deletingLastPathComponent
    while path.hasPrefix(folder + "/"), Folder.removeIfEmpty(path) {
      path = (path as NSString).deletingLastPathComponent
    }
  }

  /// Removes all empty slots, and the trash folder if it is empty. No slots may be reserved at the same time.
  func removeEmptySlots() {
    for number in (try? listNumbers()) ?? [] { Self.removeEmptySubfolders("\(folder)/\(number)") }
    Folder.removeIfEmpty(folder)
  }

  private static func removeEmptySubfolders(_ folder: String) {
    for entry in (try? Folder.entries(in: folder)) ?? [] where entry.kind == .folder {
      removeEmptySubfolders("\(folder)/\(entry.name)")
    }
    Folder.removeIfEmpty(folder)
  }

  private func listNumbers() throws -> [Int] {
    guard try FileMove.exists(folder) else { return [] }
    return try Folder.names(in: folder).compactMap { Int($0) }
  }

  private func listFiles(_ folder: String, under prefix: String) throws -> [String] {
    // Ignore files that file managers create.
    let entries = try Folder.entries(in: folder).filter { entry in
      ![Self.resultName, ".DS_Store"].contains(entry.name) && !entry.name.hasPrefix("._")
    }
    return try entries.sorted { $0.name < $1.name }.flatMap { entry in
      entry.kind == .folder
        ? try listFiles("\(folder)/\(entry.name)", under: "\(prefix)\(entry.name)/") : [prefix + entry.name]
    }
  }
}
