import ClipModel
import DurableFiles
import Foundation

/// Where results take the places of their sources: which folder's trash gets those.
extension OutputTargets {
  /// An MP4 keeps its name to the letter; anything else gets the extension. By real paths: one folder has one ledger,
  /// however it was named.
  func replaced(_ entry: MediaFolder.File, in path: String, under name: String, isFolder: Bool) -> Input {
    let root = Self.place(of: path)
    let isMP4 = (name as NSString).pathExtension.lowercased() == naming.fileExtension
    func output(_ path: String) -> String {
      isMP4 ? path : named((path as NSString).deletingPathExtension, like: path as NSString)
    }
    let shown = shown(entry, in: path, isFolder: isFolder)
    // What the kernel finds under the name that was given; a link in the middle of `..` leads elsewhere than it looks.
    let isPlain = realPath(FilePathParts.folder(of: entry.path)) == FilePathParts.folder(of: "\(root)/\(name)")
    return Input(
      source: isPlain ? entry.path : "\(root)/\(name)", name: name, shown: shown,
      destination: "\(root)/\(output(name))",
      shownDestination: output(shown), root: root)
  }

  /// The folders whose trash gets the sources, when results take their places.
  static func places(of paths: [String]) -> Set<String> { Set(paths.map(place)) }

  private static func place(of path: String) -> String {
    var isFolder: ObjCBool = false
    let exists = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return realPath(exists && isFolder.boolValue ? path : FilePathParts.folder(of: path))
  }

  /// One folder in another has no trash of its own: the outer one's is for both.
  mutating func joinPlaces() {
    let roots = Set(inputs.compactMap(\.root))
    for index in inputs.indices {
      guard let root = inputs[index].root,
        let outer = roots.filter({ root.hasPrefix($0 == "/" ? "/" : $0 + "/") }).min(by: { $0.count < $1.count })
      else { continue }
      inputs[index].root = outer
      inputs[index].name = String("\(root)/\(inputs[index].name)".dropFirst(outer == "/" ? 1 : outer.count + 1))
    }
  }

  /// Where results take their sources' places, nothing may be in the trash of two folders.
  /// - Throws: `ShareEngineError` for a folder in another one, where sources of this one were replaced before.
  package func checkPlaces() throws {
    for root in Set(inputs.compactMap(\.root)).sorted() {
      if let parent = Self.outerTrash(of: root) {
        throw ShareEngineError(.replacedByParent, ["folder": root, "parent": parent])
      }
      // A clip of a folder inside that was named by itself.
      for folder in Set(inputs.filter { $0.root == root }.map { FilePathParts.folder(of: "\(root)/\($0.name)") }) {
        guard folder != root, Ledger.hasReplacements(in: folder) else { continue }
        throw ShareEngineError(.replacedSeparately, ["folder": folder])
      }
    }
  }

  /// A folder around this one whose trash has sources of it.
  static func outerTrash(of root: String) -> String? {
    var parent = root
    while parent != "/" {
      parent = FilePathParts.folder(of: parent)
      let inside = root.dropFirst(parent == "/" ? 1 : parent.count + 1)
      if Ledger.hasReplacements(in: parent, under: inside + "/") { return parent }
    }
    return nil
  }
}
