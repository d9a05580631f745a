package import ClipModel
package import Foundation
package import Highlights

extension HighlightBackend {
  /// Finds a highlight by its ID or by the first characters of its ID. At least four characters are required.
  package func findHighlight(_ text: String) async throws -> Highlight {
    if let id = UUID(uuidString: text) {
      guard let highlight = try await highlight(id) else { throw await makeNotFoundError(text) }
      return highlight
    }
    guard text.count >= 4 else {
      throw ShareEngineError(.highlightShort, ["highlight": text])
    }
    let matches = try await highlights(withPrefix: text)
    guard let match = matches.first else { throw await makeNotFoundError(text) }
    guard matches.count == 1 else {
      throw ShareEngineError(.highlightAmbiguous, ["highlight": text, "count": "\(matches.count)"])
    }
    return match
  }

  /// Changes a highlight, unless the new caption is too long.
  /// - Parameter text: the highlight's ID, or the first characters of its ID.
  /// - Returns: the highlight's ID, and the changed highlight, or `nil` if the user doesn't have this highlight.
  package func changeHighlight(
    matching text: String, _ change: HighlightChange
  ) async throws -> (id: UUID, changed: Highlight?) {
    if let count = HighlightDraft.excessiveLength(ofCaption: change.caption) {
      throw ShareEngineError(
        .captionTooLong,
        ["highlight": text, "count": "\(count)", "limit": "\(HighlightDraft.maximumCaptionLength)"])
    }
    let id = try await findHighlight(text).id
    return (id, try await changeHighlight(id, change))
  }

  /// Returns the error for an unknown ID, including the most similar existing ID.
  private func makeNotFoundError(_ text: String) async -> ShareEngineError {
    // Ignore errors, because the suggestion is optional.
    let ids = ((try? await highlights(limit: 1000, offset: 0)) ?? []).map { $0.id.uuidString.lowercased() }
    let nearest = SpellingSuggestion.nearestWord(
      to: text.lowercased(), among: ids.map { String($0.prefix(text.count)) })
    return ShareEngineError(.highlightNotFound, ["highlight": text, "nearest": nearest])
  }
}
