package import ClipModel
import DurableFiles
import Foundation

/// Which file is written for which input.
package struct OutputTargets {
  package struct Input: Equatable {
    package var source: String
    /// In the folder that was named; what was said, of a file.
    package var name: String
    /// For people: as they said it, whatever opens it.
    package var shown: String
    package var destination: String
    /// For people, where that is another path.
    package var shownDestination: String?
    /// The folder whose tree the result is part of; `nil` for a single file.
    package var root: String?
    /// Found in a folder, not named by itself.
    package var isOfFolder = false
  }

  /// How a command names what it makes.
  package struct Naming {
    /// What it does, for messages: `strip`.
    package var verb: String
    /// Behind the name of a result beside its source: `-stripped`.
    package var mark: String
    /// Of every result; `nil` keeps the source's.
    package var fileExtension: String?
    /// It has --in-place.
    package var replaces = false
    /// Results carry the mark in an output folder too.
    package var marksInFolders = false
    /// Results take their sources' places.
    package var takesPlaces = false

    package static let stripped = Naming(verb: "strip", mark: "-stripped", replaces: true)
    package static let compressed = Naming(verb: "compress", mark: "-compressed", fileExtension: "mp4")
    package static let replaced = Naming(verb: "compress", mark: "-compressed", fileExtension: "mp4", takesPlaces: true)
  }

  package var inputs: [Input] = []
  /// Every folder that was looked at.
  package private(set) var folders: [String] = []
  /// What could not be looked at.
  package var lost: [any ExplainedError] = []
  /// What was left aside, and what got another name, for people.
  package private(set) var notes: [String] = []

  package let naming: Naming
  private let output: String?
  private let inPlace: Bool

  /// - Parameters:
  ///   - listed: paths that stand in a list: relative ones keep their folders under the output folder.
  ///   - shard: the part of the files that is wanted; no other is opened.
  ///   - mayBeEmpty: nothing to do is no error: more may come.
  /// - Throws: `ShareEngineError` when there is nothing to do, or when one file would be written over another input.
  package init(
    _ paths: [String], listed: [String] = [], naming: Naming, output: String?, inPlace: Bool = false,
    shard: Shard? = nil, filter: MediaFolder.Filter = MediaFolder.Filter(), mayBeEmpty: Bool = false
  ) throws {
    self.naming = naming
    self.output = output
    self.inPlace = inPlace
    if let output, Address.isOne(output) {
      throw ShareEngineError(.outputAddress, ["verb": naming.verb])
    }
    let all = paths + listed
    let folders = try [MediaFolder](all, to: naming.verb, filter: filter, mayBeEmpty: mayBeEmpty)
    lost = folders.flatMap(\.lost)
    self.folders = folders.flatMap(\.folders)
    // Metadata that was named among clips is none of them.
    let isMany =
      folders.count { $0.isFolder || !$0.entries.isEmpty } > 1 || folders.contains(where: \.isFolder) || !listed.isEmpty
      || isFolderNamed
    var earlierCount = 0
    for (number, (path, folder)) in zip(all, folders).enumerated() {
      let files = Set(folder.files)
      let entries =
        folder.isFolder ? folder.entries.filter { !isEarlierResult($0.path, among: files, in: path) } : folder.entries
      earlierCount += folder.entries.count - entries.count
      let isListed = number >= paths.count
      inputs += entries.map { entry in
        let inside = folder.isFolder || isListed && Self.isInside(entry.name) ? entry.name : lastPart(entry.name)
        if naming.takesPlaces {
          return replaced(
            entry, in: path, under: folder.isFolder ? entry.name : lastPart(path), isFolder: folder.isFolder)
        }
        return Input(
          source: entry.path,
          name: entry.name,
          shown: shown(entry, in: path, isFolder: folder.isFolder),
          destination: destination(of: entry.path, under: inside, isMany: isMany),
          root: isMany ? root(of: path, isFolder: folder.isFolder) : nil,
          isOfFolder: folder.isFolder)
      }
    }
    if earlierCount > 0 {
      notes.append(earlierCount.counting("result") + " of an earlier run left aside")
    }
    if let leftAside = folders.leftAside { notes.append(leftAside) }
    guard mayBeEmpty || !inputs.isEmpty || !lost.isEmpty else {
      throw ShareEngineError(.onlyResults, ["verb": naming.verb, "file": paths.joined(separator: ", ")])
    }
    try checkOutputName(isMany: isMany)
    if naming.takesPlaces { joinPlaces() }
    nameEachOnce()
    giveNamesOfTheirOwn()
    if let shard { inputs.removeAll { !shard.owns($0.name) } }
    try checkDestinations()
  }

  /// Whoever names a film wants one: a folder of that name would look like it.
  private func checkOutputName(isMany: Bool) throws {
    guard isMany, let output, !isFolder(output), MediaFolder.isNamedLikeVideo(output) else { return }
    throw ShareEngineError(
      .outputNamedLikeVideo,
      ["output": output, "folder": shellWord((output as NSString).deletingPathExtension) + "/"])
  }

  func shown(_ entry: MediaFolder.File, in path: String, isFolder: Bool) -> String {
    isFolder ? (path.hasSuffix("/") ? path : path + "/") + entry.name : path
  }

  /// A clip that is named by itself and by its folder is one clip: the folder's; of two folders the first.
  private mutating func nameEachOnce() {
    let folders = Set(inputs.filter(\.isOfFolder).map { absolutePath($0.source) })
    // By bytes: names that look the same can be two files.
    var seen: Set<[UInt8]> = []
    inputs.removeAll { input in
      let path = absolutePath(input.source)
      if !input.isOfFolder, folders.contains(path) { return true }
      return !seen.insert(Array(path.utf8)).inserted
    }
  }

  /// `-o` says that it is a folder.
  private var isFolderNamed: Bool { naming.fileExtension != nil && output.map(isFolder) == true }

  private func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    let exists = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return path.hasSuffix("/") || (exists && isFolder.boolValue)
  }

  /// A relative path that stays where it is.
  private static func isInside(_ name: String) -> Bool {
    !name.hasPrefix("/") && !name.split(separator: "/").contains("..")
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

  /// `clip.mov` and `clip.avi` of one folder would both become `clip.mp4`: the source's extension stays in the name then,
  /// `clip.mov.mp4`, but for a source that is called `clip.mp4` itself. Case does not count: the results may go to a disk
  /// where it does not.
  private mutating func giveNamesOfTheirOwn() {
    guard let ending = naming.fileExtension else { return }
    let groups = Dictionary(grouping: inputs.indices) { index in
      absolutePath(inputs[index].destination).precomposedStringWithCanonicalMapping.lowercased()
    }
    var renamedCount = 0
    for members in groups.values where members.count > 1 {
      // What differs in more than its extension is for the user to sort out.
      let stems = Set(members.map { (inputs[$0].source as NSString).deletingPathExtension.lowercased() })
      guard stems.count == 1 else { continue }
      for index in members {
        let own = (inputs[index].source as NSString).pathExtension
        guard own.lowercased() != ending else { continue }
        let stem = (inputs[index].destination as NSString).deletingPathExtension
        inputs[index].destination = "\(stem).\(own).\(ending)"
        inputs[index].shownDestination = inputs[index].shownDestination.map { shown in
          "\((shown as NSString).deletingPathExtension).\(own).\(ending)"
        }
        renamedCount += 1
      }
    }
    if renamedCount > 0 {
      notes.append(
        "\(renamedCount.counting("result")) \(renamedCount == 1 ? "keeps" : "keep") the source's extension in the name "
          + "(clip.mov.\(ending)), because another one is called the same")
    }
  }

  /// Nothing is written over an input, by whatever name, unless that was asked for; and no two become one.
  private mutating func checkDestinations() throws {
    let groups = Dictionary(grouping: inputs) { absolutePath($0.destination) }.filter { $0.value.count > 1 }
    if naming.fileExtension != nil, inputs.count > groups.values.reduce(0, { $0 + $1.count }) {
      // Of a whole batch those are told, and the others go through.
      for (path, members) in groups.sorted(by: { $0.key < $1.key }) {
        lost += members.map { input in
          ShareEngineError(.sameOutputOfMany, ["verb": naming.verb, "file": input.shown, "output": path])
        }
        inputs.removeAll { members.contains($0) }
      }
    } else if let twice = groups.first {
      throw ShareEngineError(
        .sameOutput,
        [
          "verb": naming.verb, "file": twice.value.map(\.source).joined(separator: " and "), "output": twice.key,
        ])
    }
    guard !inPlace, !naming.takesPlaces else { return }
    let sources = Dictionary(grouping: inputs.compactMap { try? FileIdentity.of($0.source) }, by: \.inode)
    for input in inputs {
      guard let identity = try? FileIdentity.of(input.destination),
        sources[identity.inode]?.contains(where: identity.isSameFile) == true
      else { continue }
      throw ShareEngineError(
        .outputIsOtherInput,
        [
          "verb": naming.verb, "file": input.source, "output": input.destination,
          "replacing": naming.replaces ? "--in-place" : nil,
        ])
    }
  }

  /// Beside the source as `clip-stripped.mp4`, the file that was named, or in a folder under the same name.
  private func destination(of file: String, under name: String, isMany: Bool) -> String {
    // Replacing a symbolic link would leave the file itself as it is.
    if inPlace { return realPath(file) }
    guard let output else {
      let path = file as NSString
      return named(path.deletingPathExtension + naming.mark, like: path)
    }
    guard isMany || isFolder(output) else { return output }
    let inside = name as NSString
    return (output.hasSuffix("/") ? output : output + "/")
      + named(inside.deletingPathExtension + (naming.marksInFolders ? naming.mark : ""), like: inside)
  }

  private func root(of path: String, isFolder: Bool) -> String? {
    (output ?? (isFolder ? path : nil)).map(absoluteFolder)
  }

  func named(_ stem: String, like source: NSString) -> String {
    let ending = naming.fileExtension ?? source.pathExtension
    return ending.isEmpty ? stem : stem + "." + ending
  }

  package static func makeFolder(of input: Input) throws {
    let folder = (absolutePath(input.destination) as NSString).deletingLastPathComponent
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw ShareEngineError(
        .outputFolder, ["output": input.destination, "reason": error.localizedDescription])
    }
  }
}

private func lastPart(_ path: String) -> String { (path as NSString).lastPathComponent }

/// Absolute, without a slash at the end.
private func absoluteFolder(_ path: String) -> String {
  let path = absolutePath(path)
  return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
}
