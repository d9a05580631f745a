import ClipModel
import DurableFiles
import Foundation

/// Determines the destinations of results that replace their sources, and the trash folders for these sources.
extension OutputTargets {
  /// Creates the input for a file to replace. An MP4 file keeps its name; any other file gets the new extension. The
  /// root path contains no symbolic links, so that each folder has exactly one ledger, regardless of the path that the
  /// user entered.
  func makeReplacementInput(
    for entry: MediaFolder.MediaPath, in path: String, named name: String, displayPath: String
  ) -> Input {
    let root = Self.replacementRoot(of: path)
    let isMP4 = (name as NSString).pathExtension.lowercased() == naming.fileExtension
    func resultPath(_ path: String) -> String {
      isMP4 ? path : fileName((path as NSString).deletingPathExtension, like: path as NSString)
    }
    // If `..` follows a symbolic link in a path, the kernel can open a different file than the path suggests.
    let isPlain = realPath(FilePathParts.folder(of: entry.path)) == FilePathParts.folder(of: "\(root)/\(name)")
    return Input(
      source: isPlain ? entry.path : "\(root)/\(name)", name: name, displayPath: displayPath,
      destination: "\(root)/\(resultPath(name))", displayDestination: resultPath(displayPath), root: root)
  }

  /// Returns the folder whose trash receives an input's sources.
  static func replacementRoot(of path: String) -> String {
    realPath(Folder.exists(path) ? path : FilePathParts.folder(of: path))
  }

  /// Selects the outer folder's trash for all nested input folders.
  mutating func mergeNestedRoots() {
    let roots = Set(inputs.compactMap(\.root))
    for index in inputs.indices {
      guard let root = inputs[index].root,
        let outer = roots.filter({ root.hasPrefix(joinPath($0, "")) }).min(by: { $0.count < $1.count })
      else { continue }
      inputs[index].root = outer
      inputs[index].name = String("\(root)/\(inputs[index].name)".dropFirst(joinPath(outer, "").count))
    }
  }

  /// Checks that the sources of each folder are in a single trash.
  /// - Throws: `ShareEngineError` if sources in a folder were already replaced during a run on a different folder.
  func checkTrashFolders() throws {
    for root in Set(inputs.compactMap(\.root)).sorted() {
      if let parent = Self.findParentWithTrash(of: root) {
        throw ShareEngineError(.replacedByParent, ["folder": root, "parent": parent])
      }
      // Clips in a subfolder may have been replaced in a separate run.
      for folder in Set(inputs.filter { $0.root == root }.map { FilePathParts.folder(of: "\(root)/\($0.name)") }) {
        guard folder != root, Ledger.hasReplacements(in: folder) else { continue }
        throw ShareEngineError(.replacedSeparately, ["folder": folder])
      }
    }
  }

  /// Returns the nearest parent folder whose trash contains sources from `root`.
  static func findParentWithTrash(of root: String) -> String? {
    var parent = root
    while parent != "/" {
      parent = FilePathParts.folder(of: parent)
      let inside = root.dropFirst(joinPath(parent, "").count)
      if Ledger.hasReplacements(in: parent, under: inside + "/") { return parent }
    }
    return nil
  }
}
