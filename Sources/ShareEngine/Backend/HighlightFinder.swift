package import ClipModel
import Foundation
package import Highlights

/// Finds a highlight by its id or the beginning of it.
package struct HighlightFinder {
  private let api: any HighlightBackend

  package init(api: any HighlightBackend) { self.api = api }

  package func find(_ text: String) async throws -> Highlight {
    if let id = UUID(uuidString: text) {
      guard let highlight = try await api.highlight(id) else { throw try await missing(text) }
      return highlight
    }
    guard text.count >= 4 else {
      throw ShareEngineError(.highlightShort, ["highlight": text])
    }
    let matches = try await api.highlights(withPrefix: text)
    guard let match = matches.first else { throw try await missing(text) }
    guard matches.count == 1 else {
      throw ShareEngineError(.highlightAmbiguous, ["highlight": text, "count": "\(matches.count)"])
    }
    return match
  }

  /// With the one whose id begins most alike.
  private func missing(_ text: String) async throws -> ShareEngineError {
    var ids: [String] = []
    do {
      ids = try await api.highlights(limit: 1000, offset: 0).map { $0.id.uuidString.lowercased() }
    } catch is any ExplainedError {
      // A guess is no reason to fail.
    }
    let nearest = SpellingSuggestion.nearest(to: text.lowercased(), among: ids.map { String($0.prefix(text.count)) })
    return ShareEngineError(.highlightNotFound, ["highlight": text, "nearest": nearest])
  }
}
