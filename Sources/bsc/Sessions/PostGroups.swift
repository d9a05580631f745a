import ClipModel
import Foundation
import ShareEngine

/// Which clips of one command become one highlight.
enum PostGroups {
  /// - Parameters:
  ///   - files: as they were named.
  ///   - together: all of them.
  ///   - hasCaptions: each has a caption of its own, so each is a highlight of its own.
  ///   - request: where metadata is looked for.
  /// - Returns: the files of each highlight, in its order.
  static func of(
    _ files: [String], together: Bool, hasCaptions: Bool, request: ShareRequest, backend: BackendKind
  ) -> [[String]] {
    guard !hasCaptions, backend != .mux else { return files.map { [$0] } }
    let known = exported(files, request)
    guard together else { return known }
    // An exported post knows its own order.
    return known.count == 1 ? known : [files]
  }

  /// What was exported from one post, if it is all there, is one again.
  private static func exported(_ files: [String], _ request: ShareRequest) -> [[String]] {
    var posts: [UUID: [Int: String]] = [:]
    var groups: [(file: String, post: (id: UUID, place: PostPlace)?)] = []
    for file in files {
      let wishes = ExportedShareOptions.read(request.metadata, clipPath: absolutePath(file))
      guard let place = wishes.post, let id = wishes.highlightID, posts[id]?[place.part] == nil else {
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
}
