import ClipModel
import Foundation
package import Highlights

extension ShareSession {
  /// The row of one highlight.
  /// - Parameter text: its id, or the beginning of it.
  /// - Throws: `ShareEngineError` with the id `highlight.not-found`.
  package func row(_ text: String) async throws -> HighlightRow {
    let known = try await HighlightFinder(api: api).find(text)
    guard let row = try await api.row(known.id) else { throw ShareEngineError(.highlightNotFound, ["highlight": text]) }
    return row
  }

  /// All highlights of the user, newest first. New shares move the pages in the meantime: each row counts once.
  package func ownRows() async throws -> [HighlightRow] {
    let author = try await link.author
    let size = 100
    var (rows, seen, offset): ([HighlightRow], Set<UUID>, Int) = ([], [], 0)
    while true {
      let page = try await api.rows(limit: size, offset: offset, author: author)
      rows += page.filter { seen.insert($0.highlight.id).inserted }
      if page.count < size { return rows }
      offset += page.count
    }
  }

  /// Writes a highlight as files.
  package func export(_ row: HighlightRow, _ export: HighlightExport) async throws -> HighlightExport.Files {
    let source = try await link.source(of: row.highlight)
    let drafts = source.videos.count > 1 ? try await api.drafts(of: row.highlight.id) : []
    return try await export.write(row, videos: source.videos, poster: source.poster, drafts: drafts)
  }
}
