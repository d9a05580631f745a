import ClipModel
import Foundation
package import Highlights

extension ShareSession {
  /// Loads a highlight's database row.
  /// - Parameter text: the highlight's ID, or the first characters of the ID.
  /// - Throws: `ShareEngineError` with the ID `highlight.not-found`.
  package func loadRow(_ text: String) async throws -> HighlightRow {
    let highlight = try await backend.findHighlight(text)
    guard let row = try await backend.highlightRow(highlight.id) else {
      throw ShareEngineError(.highlightNotFound, ["highlight": text])
    }
    return row
  }

  /// Loads all highlights of the user, most recent first.
  package func loadOwnRows() async throws -> [HighlightRow] {
    let author = try await connection.author
    let pageSize = 100
    var (rows, seen, offset): ([HighlightRow], Set<UUID>, Int) = ([], [], 0)
    while true {
      let page = try await backend.highlightRows(limit: pageSize, offset: offset, author: author)
      // New highlights can shift rows to the next page, so skip rows that were already loaded.
      rows += page.filter { seen.insert($0.highlight.id).inserted }
      if page.count < pageSize { return rows }
      offset += page.count
    }
  }

  /// Exports a highlight to files.
  package func export(_ row: HighlightRow, _ export: HighlightExport) async throws -> HighlightExport.ExportedFiles {
    let downloads = try await connection.downloadURLs(of: row.highlight)
    let drafts = downloads.videos.count > 1 ? try await backend.uploadedDrafts(of: row.highlight.id) : []
    return try await export.write(row, videos: downloads.videos, poster: downloads.poster, drafts: drafts)
  }
}
