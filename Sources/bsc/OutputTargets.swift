import ClipModel
import DurableFiles
import Foundation

/// Which file is written for which input.
struct OutputTargets {
  struct Input: Equatable {
    var source: String
    var destination: String
  }

  /// How a command names what it makes.
  struct Naming {
    /// What it does, for messages: `strip`.
    var verb: String
    /// Behind the name of a result beside its source: `-stripped`.
    var mark: String
    /// Of every result; `nil` keeps the source's.
    var fileExtension: String?
    /// It has --in-place.
    var replaces = false
    /// Results carry the mark in an output folder too.
    var marksInFolders = false

    static let stripped = Naming(verb: "strip", mark: "-stripped", replaces: true)
    static let compressed = Naming(verb: "compress", mark: "-compressed", fileExtension: "mp4")
  }

  private(set) var inputs: [Input] = []
  /// What could not be looked at.
  private(set) var lost: [any ExplainedError] = []
  /// What was left aside, for people.
  private(set) var notes: [String] = []

  private let naming: Naming
  private let output: String?
  private let inPlace: Bool

  /// - Throws: `UsageFailure` when there is nothing to do, or when one file would be written over another input.
  init(_ paths: [String], naming: Naming, output: String?, inPlace: Bool = false) throws {
    self.naming = naming
    self.output = output
    self.inPlace = inPlace
    let folders = try [MediaFolder](paths, to: naming.verb)
    lost = folders.flatMap(\.lost)
    var earlierCount = 0
    for (path, folder) in zip(paths, folders) {
      let all = Set(folder.files)
      let sources = folder.isFolder ? folder.files.filter { !isEarlierResult($0, among: all, in: path) } : folder.files
      earlierCount += folder.files.count - sources.count
      inputs += sources.map { source in
        Input(
          source: source,
          destination: destination(
            of: source, in: folder.isFolder ? path : nil, isMany: folder.isFolder || paths.count > 1))
      }
    }
    if earlierCount > 0 {
      notes.append(earlierCount.counting("result") + " of an earlier run left aside")
    }
    if let leftAside = folders.leftAside { notes.append(leftAside) }
    guard !inputs.isEmpty || !lost.isEmpty else {
      throw UsageFailure(
        what: "cannot \(naming.verb) \(paths.joined(separator: ", "))", why: "only results of an earlier run are in it",
        next: "name the folder of the sources, or one of the files")
    }
    try checkDestinations()
  }

  /// In a folder: `clip-stripped.mp4` beside `clip.mp4`, and everything in an output folder further inside.
  private func isEarlierResult(_ file: String, among files: Set<String>, in folder: String) -> Bool {
    guard !inPlace else { return false }
    if let inside = output.map(realPath), inside.hasPrefix(realPath(folder) + "/"),
      realPath(file).hasPrefix(inside + "/")
    {
      return true
    }
    let name = file as NSString
    let stem = name.deletingPathExtension
    guard stem.hasSuffix(naming.mark) else { return false }
    let source = String(stem.dropLast(naming.mark.count))
    // Results can have another extension than their sources.
    guard naming.fileExtension == nil else {
      // Pictures are not taken for clips in the first place.
      guard !naming.marksInFolders else { return false }
      return files.contains { $0 != file && ($0 as NSString).deletingPathExtension == source }
    }
    return files.contains(source + (name.pathExtension.isEmpty ? "" : "." + name.pathExtension))
  }

  /// Nothing is written over an input, by whatever name, unless that was asked for; and no two become one.
  private func checkDestinations() throws {
    let twice = Dictionary(grouping: inputs) { absolutePath($0.destination) }.first { $0.value.count > 1 }
    if let twice {
      throw UsageFailure(
        what: "cannot \(naming.verb) \(twice.value.map(\.source).joined(separator: " and "))",
        why: "both would become \(twice.key)", next: "write them to different folders")
    }
    guard !inPlace else { return }
    let sources = Dictionary(grouping: inputs.compactMap { try? FileIdentity.of($0.source) }, by: \.inode)
    for input in inputs {
      guard let identity = try? FileIdentity.of(input.destination),
        sources[identity.inode]?.contains(where: identity.isSameFile) == true
      else { continue }
      throw UsageFailure(
        what: "cannot \(naming.verb) \(input.source)", why: "\(input.destination) is itself a file to \(naming.verb)",
        next: naming.replaces ? "name another output, or replace the files with --in-place" : "name another output")
    }
  }

  /// Beside the source as `clip-stripped.mp4`, the file that was named, or in a folder under the same name.
  private func destination(of file: String, in folder: String?, isMany: Bool) -> String {
    // Replacing a symbolic link would leave the file itself as it is.
    if inPlace { return realPath(file) }
    let name = file as NSString
    guard let output else {
      return named(name.deletingPathExtension + naming.mark, like: name)
    }
    var isFolder: ObjCBool = false
    let exists = unsafe FileManager.default.fileExists(atPath: output, isDirectory: &isFolder)
    guard isMany || output.hasSuffix("/") || (exists && isFolder.boolValue) else { return output }
    let relative = folder.map { folder in String(file.dropFirst(folder.count).drop { $0 == "/" }) }
    let inside = (relative ?? name.lastPathComponent) as NSString
    return (output.hasSuffix("/") ? output : output + "/")
      + named(inside.deletingPathExtension + (naming.marksInFolders ? naming.mark : ""), like: name)
  }

  private func named(_ stem: String, like source: NSString) -> String {
    let ending = naming.fileExtension ?? source.pathExtension
    return ending.isEmpty ? stem : stem + "." + ending
  }

  static func makeFolder(of input: Input) throws {
    let folder = (absolutePath(input.destination) as NSString).deletingLastPathComponent
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw UsageFailure(
        what: "cannot write \(input.destination)", why: error.localizedDescription, next: "name another folder with -o")
    }
  }
}

/// Absolute, with every symbolic link on the way followed, and no slash at the end.
private func realPath(_ path: String) -> String {
  let real = URL(filePath: absolutePath(path)).resolvingSymlinksInPath().path(percentEncoded: false)
  return real.count > 1 && real.hasSuffix("/") ? String(real.dropLast()) : real
}
