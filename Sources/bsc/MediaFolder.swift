import ClipModel
import DurableFiles
import Foundation

/// Videos in a folder, or the one file that is named.
struct MediaFolder {
  /// In order of their paths.
  private(set) var files: [String] = []
  /// Files and folders of which nobody can say what is in them.
  private(set) var lost: [any ExplainedError] = []
  /// Entries that are not named like videos, or hidden.
  private(set) var otherCount = 0
  /// Symbolic links to folders: they are not followed, because they may lead anywhere, also back.
  private(set) var linkCount = 0
  /// Whether a folder was named, and not a file.
  private(set) var isFolder = false

  /// What cameras and editors write.
  private static let extensions: Set = [
    "mp4", "mov", "m4v", "qt", "f4v", "3gp", "3gpp", "3g2", "mkv", "webm", "avi", "mts", "m2ts", "m2t", "ts", "tod",
    "mpg", "mpeg", "mod", "vob", "dv", "mxf", "wmv", "asf", "insv", "360", "osv", "lrv", "lrf", "glv",
  ]

  /// The named file as it is, or the folder with all folders in it.
  init(_ path: String) {
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
      files = [path]
      return
    }
    self.isFolder = true
    var folders = [path]
    while let folder = folders.popLast() {
      do throws(DurableFileError) {
        for entry in try Folder.entries(in: folder) { add(entry, in: folder, folders: &folders) }
      } catch {
        lost.append(error)
      }
    }
    files.sort()
  }

  private mutating func add(_ entry: FolderEntry, in folder: String, folders: inout [String]) {
    let isVideo = Self.extensions.contains((entry.name as NSString).pathExtension.lowercased())
    let path = (folder.hasSuffix("/") ? folder : folder + "/") + entry.name
    if entry.name.hasPrefix(".") {
      otherCount += 1
    } else if entry.kind == .linkToFolder {
      linkCount += 1
    } else if !entry.isReachable, isVideo || entry.kind == .folder {
      lost.append(entry.unreachable(in: folder))
    } else if entry.kind == .folder {
      folders.append(path)
    } else if isVideo {
      files.append(path)
    } else {
      otherCount += 1
    }
  }
}

extension [MediaFolder] {
  /// What is named on a command line.
  /// - Parameter verb: what is to be done with it, for the message.
  /// - Throws: `UsageFailure` when there is nothing to do it with.
  init(_ paths: [String], to verb: String) throws {
    self = paths.map(MediaFolder.init)
    guard contains(where: { !$0.files.isEmpty || !$0.lost.isEmpty }) else {
      throw UsageFailure(
        what: "cannot \(verb) \(paths.joined(separator: ", "))", why: "there is no video in it",
        next: "name a folder with .mp4 or .mov files")
    }
  }

  /// What nobody looked at, in a line for people; `nil` when everything was looked at.
  var leftAside: String? {
    let others = reduce(0) { $0 + $1.otherCount }
    let links = reduce(0) { $0 + $1.linkCount }
    var parts: [String] = []
    if others > 0 { parts.append(others.counting("other file")) }
    if links > 0 { parts.append("\(links) \(links == 1 ? "link to a folder" : "links to folders")") }
    guard !parts.isEmpty else { return nil }
    return parts.joined(separator: " and ") + " \(others + links == 1 ? "was" : "were") not looked at"
  }
}
