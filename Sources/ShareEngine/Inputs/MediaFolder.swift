package import ClipModel
import DurableFiles
import Foundation

/// Videos in a folder, or the one file that is named.
package struct MediaFolder {
  package struct File: Equatable {
    /// What opens it.
    package var path: String
    /// Under the folder that was named, with `/` between; of a file that was named, what was said.
    package var name: String
  }

  /// Which files of a folder are wanted.
  package struct Filter {
    /// One of them has to match; empty for all videos.
    package var includes: [Glob] = []
    /// None of them may match, for a file or for a folder on its way.
    package var excludes: [Glob] = []
    /// Where links to names are made that are not UTF-8; `nil` tells them as lost.
    package var aliases: String?
    /// Folders of our results are left aside.
    package var skipsResults = false
    /// So are those in which a batch of their own replaced the sources.
    package var skipsReplaced = false

    package init() {}

    fileprivate func isExcluded(_ name: String) -> Bool { excludes.contains { $0.matches(name) } }

    fileprivate func isIncluded(_ name: String) -> Bool {
      includes.isEmpty || includes.contains { $0.matches(name) }
    }
  }

  package private(set) var entries: [File] = []
  /// Every folder that was looked at.
  package private(set) var folders: [String] = []
  /// In order of their paths.
  package var files: [String] { entries.map(\.path) }
  /// Files and folders of which nobody can say what is in them.
  package private(set) var lost: [any ExplainedError] = []
  /// Entries that are not named like videos, or hidden.
  package private(set) var otherCount = 0
  /// Symbolic links to folders: they are not followed, because they may lead anywhere, also back.
  package private(set) var linkCount = 0
  /// Folders that hold our results.
  package private(set) var resultCount = 0
  /// Whether a folder was named, and not a file.
  package private(set) var isFolder = false

  private let filter: Filter

  /// What cameras and editors write.
  private static let extensions: Set = [
    "mp4", "mov", "m4v", "qt", "f4v", "3gp", "3gpp", "3g2", "mkv", "webm", "avi", "mts", "m2ts", "m2t", "ts", "tod",
    "mpg", "mpeg", "mod", "vob", "dv", "mxf", "wmv", "asf", "insv", "360", "osv", "lrv", "lrf", "glv",
  ]

  package static func isNamedLikeVideo(_ path: String) -> Bool {
    extensions.contains((path as NSString).pathExtension.lowercased())
  }

  /// A shell's `*` names the rally metadata beside each clip, too.
  package static func isSidecar(_ path: String) -> Bool {
    guard path.lowercased().hasSuffix(".json") else { return false }
    let stem = (path as NSString).deletingPathExtension
    return extensions.contains { kind in
      [kind, kind.uppercased()].contains { FileManager.default.fileExists(atPath: "\(stem).\($0)") }
    }
  }

  /// The named file as it is, or the folder with all folders in it.
  /// - Parameter leavesSidecars: metadata that was named among clips is left aside.
  package init(_ path: String, filter: Filter = Filter(), leavesSidecars: Bool = false) {
    self.filter = filter
    if leavesSidecars, Self.isSidecar(path) {
      otherCount = 1
      return
    }
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
      if Address.isOne(path) { lost.append(Address.failure) } else { entries = [File(path: path, name: path)] }
      return
    }
    self.isFolder = true
    var folders = [File(path: path, name: "")]
    while let folder = folders.popLast() {
      self.folders.append(folder.path)
      do throws(DurableFileError) {
        let all = try Folder.entries(in: folder.path)
        for entry in all { try add(entry, among: all, in: folder, folders: &folders) }
      } catch  where error.code == ENOENT {
        // Gone since its parent was listed: somebody renames, or the disk was unplugged. There is nothing to lose in it.
        continue
      } catch {
        lost.append(error)
      }
    }
    entries.sort { ($0.path, $0.name) < ($1.path, $1.name) }
  }

  private mutating func add(
    _ entry: FolderEntry, among all: [FolderEntry], in folder: File, folders: inout [File]
  ) throws(DurableFileError) {
    let isVideo = Self.extensions.contains((entry.name as NSString).pathExtension.lowercased())
    let name = (folder.name.isEmpty ? "" : folder.name + "/") + entry.escapedName
    if entry.name.hasPrefix(".") {
      otherCount += 1
    } else if entry.kind == .linkToFolder {
      linkCount += 1
    } else if filter.isExcluded(name) || (entry.kind == .file && !filter.isIncluded(name)) {
      otherCount += 1
    } else if isVideo || entry.kind == .folder {
      guard let path = try path(of: entry, among: all, in: folder) else {
        return lost.append(entry.unreachable(in: folder.path))
      }
      let file = File(path: path, name: name)
      if entry.kind == .file {
        entries.append(file)
      } else if filter.skipsResults, Ledger.marksResults(path) {
        resultCount += 1
      } else if filter.skipsReplaced, Ledger.hasReplacements(in: path) {
        lost.append(
          ShareEngineError(.replacedSeparately, ["folder": path], category: .unjudged))
      } else {
        folders.append(file)
      }
    } else {
      otherCount += 1
    }
  }

  private func path(
    of entry: FolderEntry, among all: [FolderEntry], in folder: File
  ) throws(DurableFileError) -> String? {
    guard !entry.isReachable else { return (folder.path.hasSuffix("/") ? folder.path : folder.path + "/") + entry.name }
    guard let aliases = filter.aliases else { return nil }
    let stem = entry.bytes.prefix(upTo: entry.bytes.lastIndex(of: UInt8(ascii: ".")) ?? entry.bytes.endIndex)
    let sidecar = all.first { $0.bytes == stem + Array(".json".utf8) }
    return try Folder.alias(of: entry, sidecar: sidecar, in: absolutePath(folder.path), at: aliases)
  }
}

extension [MediaFolder] {
  /// What is named on a command line.
  /// - Parameters:
  ///   - verb: what is to be done with it, for the message.
  ///   - mayBeEmpty: nothing to do it with is no error: more may come.
  /// - Throws: `ShareEngineError` when there is nothing to do it with.
  package init(
    _ paths: [String], to verb: String, filter: MediaFolder.Filter = MediaFolder.Filter(), mayBeEmpty: Bool = false
  ) throws {
    self = paths.map { MediaFolder($0, filter: filter, leavesSidecars: paths.count > 1) }
    guard mayBeEmpty || contains(where: { !$0.files.isEmpty || !$0.lost.isEmpty }) else {
      let isFiltered = !filter.includes.isEmpty || !filter.excludes.isEmpty
      throw ShareEngineError(
        isFiltered ? .noSelectedVideos : .noVideos, ["verb": verb, "file": paths.joined(separator: ", ")])
    }
  }

  /// What was skipped, in a line for people; `nil` when nothing was.
  package var leftAside: String? {
    let others = reduce(0) { $0 + $1.otherCount }
    let links = reduce(0) { $0 + $1.linkCount }
    let results = reduce(0) { $0 + $1.resultCount }
    var parts: [String] = []
    if others > 0 { parts.append(others.counting("other file")) }
    if links > 0 { parts.append("\(links) \(links == 1 ? "link to a folder" : "links to folders")") }
    if results > 0 { parts.append("\(results) \(results == 1 ? "folder" : "folders") of bsc's results") }
    guard !parts.isEmpty else { return nil }
    return "skipped " + parts.joined(separator: " and ")
  }
}
