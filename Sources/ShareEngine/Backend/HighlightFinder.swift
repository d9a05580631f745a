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
      throw UsageFailure(
        what: "cannot find \(text)", why: "fewer than four characters say too little",
        next: "run \"bsc highlights list\" and give more of the id")
    }
    let matches = try await api.highlights(withPrefix: text)
    guard let match = matches.first else { throw try await missing(text) }
    guard matches.count == 1 else {
      throw UsageFailure(
        what: "cannot find \(text)", why: "\(matches.count) highlights begin like this",
        next: "give more of the id: \"bsc highlights list\" shows them")
    }
    return match
  }

  /// With the one whose id begins most alike.
  private func missing(_ text: String) async throws -> NoSuchHighlight {
    var ids: [String] = []
    do {
      ids = try await api.highlights(limit: 1000, offset: 0).map { $0.id.uuidString.lowercased() }
    } catch is any ExplainedError {
      // A guess is no reason to fail.
    }
    return NoSuchHighlight(
      id: text,
      nearest: SpellingSuggestion.nearest(to: text.lowercased(), among: ids.map { String($0.prefix(text.count)) }))
  }
}

package struct NoSuchHighlight: ExplainedError {
  package var id: String
  /// One that there is, as long as what was written.
  package var nearest: String?
  package var explanation: Explanation {
    let all = "run \"bsc highlights list\" to see yours"
    return Explanation(
      what: "cannot find the highlight \(id)", why: "there is none with this id",
      next: nearest.map { "did you mean \($0)? \(all)" } ?? all, category: .noInput)
  }
}
