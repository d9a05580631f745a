package import ClipModel
import DurableFiles
import Foundation

/// What one run shares: files, and what is asked for.
package struct ShareOrder: Sendable {
  /// As they were named.
  package var files: [String]
  /// Of all clips.
  package var request: ShareRequest
  /// A caption of its own for each clip, which is a highlight of its own then.
  package var captions: CaptionList?
  /// All clips become one highlight.
  package var isTogether = false
  /// The privacy level is the user's, whatever an export contains.
  package var isPrivacyGiven = false
  /// What was shared before is shared again.
  package var isNewAnyway = false
  /// Pictures are written beside the clip.
  package var keepsPictures = false

  package init(files: [String], request: ShareRequest) { (self.files, self.request) = (files, request) }

  // MARK: Highlights

  /// The files of each highlight, in its order.
  func groups(backend: BackendKind) -> [[String]] {
    guard captions == nil, backend != .mux else { return files.map { [$0] } }
    let exported = exportedGroups()
    guard isTogether else { return exported }
    // An exported post has an order of its own.
    return exported.count == 1 ? exported : [files]
  }

  /// The clips of an exported post, if all of them are named, are one highlight again.
  private func exportedGroups() -> [[String]] {
    var posts: [UUID: [Int: String]] = [:]
    var groups: [(file: String, post: (id: UUID, place: PostPlace)?)] = []
    for file in files {
      let options = exportedOptions(file)
      guard let place = options.post, let id = options.highlightID, posts[id]?[place.part] == nil else {
        groups.append((file, nil))
        continue
      }
      posts[id, default: [:]][place.part] = file
      groups.append((file, (id, place)))
    }
    return groups.compactMap { file, post in
      guard let (id, place) = post, let parts = posts[id], (2...HighlightDraft.mostParts).contains(place.count),
        parts.keys.sorted() == Array(0..<place.count)
      else { return [file] }
      return parts.values.contains(file) && place.part == 0 ? (0..<place.count).compactMap { parts[$0] } : nil
    }
  }

  /// The clip was exported from a highlight.
  func isExported(_ file: String) -> Bool { exportedOptions(file).highlightID != nil }

  private func exportedOptions(_ file: String) -> ExportedShareOptions {
    ExportedShareOptions.read(request.metadata, clipPath: absolutePath(file))
  }

  // MARK: One highlight

  /// What is asked for of the clips of one highlight. It has one caption, that of the first clip which has any, and no
  /// clip is shown to more people than its export allows.
  func request(of group: [String]) -> ShareRequest {
    var own = request
    own.caption = caption(of: group)
    return group.map(exportedOptions).reduce(own) { $1.applied(to: $0, isPrivacyGiven: isPrivacyGiven) }
  }

  private func caption(of group: [String]) -> String? {
    (group.count == 1 ? captions?[group[0]] : nil) ?? request.caption
  }

  /// The question for the journal and the backend.
  /// - Parameters:
  ///   - group: the clips of one highlight as they were named, in order.
  ///   - source: reads a clip's identity.
  /// - Throws: `ShareEngineError` for a folder, and for a clip that is named twice in one highlight.
  func admission(
    of group: [String], source: (_ path: String) async throws -> SourceFile
  ) async throws -> ShareAdmission.Order {
    let shared = request(of: group)
    var clips: [ShareClip] = []
    for name in group {
      try Self.requireFile(name)
      let source = try await source(absolutePath(name))
      var request = shared
      if keepsPictures { request.pictureBase = (source.path as NSString).deletingPathExtension }
      clips.append(ShareClip(source, request))
    }
    var order = ShareAdmission.Order(clips)
    // A part of an exported clip is another clip.
    order.exportedID = request.cut == nil ? exportedID(of: clips.map(\.source), group.map(exportedOptions)) : nil
    // What was one highlight can be one again, whatever it was made of.
    if order.exportedID == nil { try Self.requireDistinct(group, clips) }
    order.isNewAnyway = isNewAnyway
    order.explicit.caption = caption(of: group)
    order.explicit.privacy = isPrivacyGiven ? request.privacy : nil
    order.explicit.hideLikes = request.hideLikes
    return order
  }

  /// A folder stands for all clips in it elsewhere; here each clip would become a highlight of its own.
  static func requireFile(_ path: String) throws {
    let values = try? URL(filePath: absolutePath(path)).resourceValues(forKeys: [.isDirectoryKey])
    guard values?.isDirectory == true else { return }
    let folder = path.hasSuffix("/") ? path : path + "/"
    throw ShareEngineError(.folderAsClip, ["file": path, "word": shellWord(folder)])
  }

  private static func requireDistinct(_ files: [String], _ clips: [ShareClip]) throws {
    for (place, clip) in clips.enumerated() {
      guard let first = clips.firstIndex(where: { $0.source.sha256 == clip.source.sha256 }), first != place
      else { continue }
      throw ShareEngineError(.sameClips, ["file": files[place], "other": files[first]])
    }
  }

  /// The highlight that exported clips were, together in this order.
  private func exportedID(of sources: [SourceFile], _ options: [ExportedShareOptions]) -> UUID? {
    if sources.count == 1 { return options[0].highlightID(of: sources[0]) }
    let places = options.indices.map { PostPlace(part: $0, count: sources.count) }
    guard options.map(\.post) == places, let id = options.first?.highlightID,
      zip(sources, options).allSatisfy({ $1.highlightID == id && $1.clipSHA256 == $0.sha256 })
    else { return nil }
    return id
  }
}
