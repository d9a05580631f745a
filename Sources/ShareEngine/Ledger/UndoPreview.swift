import ClipModel
import DurableFiles
import Foundation

/// What an undo would do, for somebody who looks first. Nothing is changed, and nobody is kept waiting: what another
/// process does meanwhile is not seen.
extension Undo {
  package struct Preview: Sendable, Equatable {
    /// Of the source, in the folder.
    package var name: String
    /// Bytes of the source; `nil` when it cannot be looked at.
    package var byteCount: Int64?
    /// The result that would go for it, in the folder; `nil` where none is there, or where it was changed and stays.
    package var result: String?
    /// Why the source would stay in the trash.
    package var obstacle: String?
  }

  /// - Parameters:
  ///   - root: the folder that was compressed, an absolute path.
  ///   - isWanted: asked with the name of each source in that folder.
  /// - Returns: in the order in which they would come back.
  /// - Throws: `DurableFileError` when the folder cannot be looked at, `CancellationError`.
  package static func preview(
    root: String, isWanted: @escaping @Sendable (String) -> Bool
  ) async throws -> [Preview] {
    try await WorkerThread.run("bsc undo") { flag in
      var look = UndoLook(root: root) { try flag.check() }
      return try look.trash.places().filter { isWanted($0.name) }.map { place in
        try flag.check()
        do {
          return try look.preview(of: place)
        } catch let error as any ExplainedError {
          return Preview(name: place.name, obstacle: error.explanation.why)
        }
      }
    }
  }
}

/// The folder as it would be after each step: a later one may find what an earlier one brought back.
private struct UndoLook {
  let root: String
  let trash: Trash
  private var known = LedgerState()
  /// Digests of what would be at a path; `nil` inside for what would be gone.
  private var changed: [String: String?] = [:]
  private let check: () throws -> Void

  init(root: String, check: @escaping () throws -> Void) {
    self.root = root
    trash = Trash(root: root)
    self.check = check
    // Without a ledger, the trash alone tells.
    for entry in (try? Ledger.entries(in: root, kind: .beside).entries) ?? [] { known.take(entry) }
  }

  mutating func preview(of place: Trash.Place) throws -> Undo.Preview {
    let (aside, source) = (trash.absolutePath(of: place), "\(root)/\(place.name)")
    var preview = Undo.Preview(name: place.name, byteCount: try FileIdentity.of(aside).byteCount)
    let there = try digest(source)
    guard let entry = known.replacements[place] else {
      if there != nil { preview.obstacle = "a file is there, and nobody remembers whose" }
      if there == nil { changed[source] = .some(try digest(aside)) }
      return preview
    }
    guard try digest(aside) == entry.key.sha256 else {
      preview.obstacle = "it was changed in the trash"
      return preview
    }
    let result = "\(root)/\(entry.output)"
    if try digest(result) == entry.result?.sha256 { preview.result = entry.output }
    let isInTheWay = there != nil && there != entry.key.sha256 && preview.result != place.name
    guard !isInTheWay else {
      preview.result = nil
      preview.obstacle = "another file is there now"
      return preview
    }
    if preview.result != nil { changed[result] = .some(nil) }
    changed[source] = .some(entry.key.sha256)
    return preview
  }

  /// - Returns: `nil` when nothing is there.
  private func digest(_ path: String) throws -> String? {
    if let digest = changed[path] { return digest }
    guard try FileMove.exists(path) else { return nil }
    // Never one of ours.
    guard !FileMove.isLink(path) else { return "link" }
    return try known.digests[FileIdentity.of(path)] ?? FileDigest.sha256(ofFileAt: path, check: check)
  }
}
