import DurableFiles
import Foundation

/// What an undo would do, for somebody who looks first. Nothing is changed.
extension Undo {
  package struct Preview: Sendable, Equatable {
    /// Of the source, in the folder.
    package var name: String
    /// Bytes of the source.
    package var byteCount: Int64
    /// The result that would go for it, in the folder; `nil` where none is there, or where it was changed and stays.
    package var result: String?
    /// Why the source would stay in the trash.
    package var obstacle: String?
  }

  /// - Parameters:
  ///   - root: the folder that was compressed, an absolute path.
  ///   - isWanted: asked with the name of each source in that folder.
  /// - Returns: in the order in which they would come back.
  /// - Throws: as `run`.
  package static func preview(
    root: String, isWanted: @escaping @Sendable (String) -> Bool
  ) async throws -> [Preview] {
    try await WorkerThread.run("bsc undo") { flag in
      let (ledger, trash) = (try Ledger(root: root, kind: .beside), Trash(root: root))
      return try trash.places().filter { isWanted($0.name) }.map { place in
        try flag.check()
        return try preview(of: place, ledger, trash) { try flag.check() }
      }
    }
  }

  private static func preview(
    of place: Trash.Place, _ ledger: Ledger, _ trash: Trash, check: () throws -> Void
  ) throws -> Preview {
    let (aside, source) = (trash.absolutePath(of: place), "\(ledger.root)/\(place.name)")
    var preview = Preview(name: place.name, byteCount: try FileIdentity.of(aside).byteCount)
    guard let entry = ledger.replacement(place) else {
      if try FileMove.isThere(source) { preview.obstacle = "a file is there, and nobody remembers whose" }
      return preview
    }
    func has(_ path: String, _ sha256: String?) throws -> Bool {
      guard try FileMove.isThere(path), !FileMove.isLink(path) else { return false }
      return try FileDigest.sha256(ofFileAt: path, check: check) == sha256
    }
    let result = "\(ledger.root)/\(entry.output)"
    if try has(result, entry.result?.sha256) { preview.result = entry.output }
    let isFree = try preview.result == place.name || !FileMove.isThere(source) || has(source, entry.key.sha256)
    if !isFree { preview.obstacle = "another file is there now" }
    return preview
  }
}
