import ClipModel
import Foundation
package import Highlights

extension ShareSession {
  /// The row of one highlight.
  /// - Parameter text: the highlight's ID or the first characters of it.
  /// - Throws: `ShareEngineError` with the ID `highlight.not-found`.
  package func row(_ text: String) async throws -> HighlightRow {
    let highlight = try await backend.findHighlight(text)
    guard let row = try await backend.row(highlight.id) else {
      throw ShareEngineError(.highlightNotFound, ["highlight": text])
    }
    return row
  }

  /// All highlights of the user, newest first.
  package func ownRows() async throws -> [HighlightRow] {
    let author = try await connection.author
    let pageSize = 100
    var (rows, seen, offset): ([HighlightRow], Set<UUID>, Int) = ([], [], 0)
    while true {
      let page = try await backend.rows(limit: pageSize, offset: offset, author: author)
      // Highlights that are created in the meantime move rows to the next page.
      rows += page.filter { seen.insert($0.highlight.id).inserted }
      if page.count < pageSize { return rows }
      offset += page.count
    }
  }

  /// Writes a highlight as files.
  package func export(_ row: HighlightRow, _ export: HighlightExport) async throws -> HighlightExport.Files {
    let downloads = try await connection.downloads(of: row.highlight)
    let drafts = downloads.videos.count > 1 ? try await backend.drafts(of: row.highlight.id) : []
    return try await export.write(row, videos: downloads.videos, poster: downloads.poster, drafts: drafts)
  }
}
