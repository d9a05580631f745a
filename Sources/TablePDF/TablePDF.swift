import CPango
package import ClipModel

/// Renders tables as PDF with Pango and cairo, which are loaded when the first document is rendered.
package enum TablePDF {
  /// A finished document.
  package struct Document: Sendable {
    package let bytes: [UInt8]
    package let pageCount: Int
  }

  /// Loads the libraries if they aren't loaded yet.
  package static func load() throws(TablePDFError) {
    if let reason = bsc_pango_load() { throw .libraryMissing(reason: String(cString: reason)) }
  }

  /// Renders a table. Blocks the calling thread; a thousand rows take about a second.
  /// - Parameter checkCancellation: called for each row; throws an error to stop.
  package static func render(
    _ table: TableDocument, on paper: TableDocument.Paper, checkCancellation: () throws -> Void = {}
  ) throws -> Document {
    try load()
    // The first pass counts the pages, because every page contains their number.
    let pages = TablePages(table, paper.sheet)
    let pageCount = try pages.layOut(pageCount: nil, checkCancellation)
    _ = try pages.layOut(pageCount: pageCount, checkCancellation)
    return Document(bytes: try pages.canvas.finish(), pageCount: pageCount)
  }
}

/// The size of a page in points.
struct Sheet {
  let width, height: Double
}

extension TableDocument.Paper {
  var sheet: Sheet {
    switch self {
    case .letter: Sheet(width: 792, height: 612)
    case .a4: Sheet(width: 841.89, height: 595.276)
    }
  }
}
