import ClipModel

/// Lays out a table on pages: the heading, then the rows below a header that every page repeats.
///
/// A row that is at most half as high as a page is not divided. A higher one continues on the next pages.
final class TablePages {
  let canvas: PDFCanvas
  private let table: TableDocument
  private let sheet: Sheet
  private let columns: [ColumnFrame]
  private let context: TextContext
  private let footer: TextLayout

  /// The current page, counted from 1, and the position of the next row on it.
  private var page = 1
  private var y = 0.0
  /// The number of pages, and nothing is drawn while it is `nil`.
  private var pageCount: Int?

  private static let margin = 36.0
  private static let padding = 3.0

  private struct ColumnFrame {
    let left: Double
    let title: TextLayout
    let cell: TextLayout
  }

  init(_ table: TableDocument, _ sheet: Sheet) {
    self.table = table
    self.sheet = sheet
    canvas = PDFCanvas(
      width: sheet.width, height: sheet.height, title: PrintableText.cleanLine(table.title), createdAt: table.createdAt)
    let context = TextContext(for: canvas.cairo)
    self.context = context
    footer = TextLayout(context, "Sans 7", width: (sheet.width - 2 * Self.margin) * 0.75, lineLimit: 1)
    let unit = (sheet.width - 2 * Self.margin) / table.columns.reduce(0) { $0 + $1.weight }
    var left = Self.margin
    columns = table.columns.map { column in
      let width = column.weight * unit
      defer { left += width }
      let inner = width - 2 * Self.padding
      return ColumnFrame(
        left: left, title: TextLayout(context, "Sans Bold 8", width: inner),
        cell: TextLayout(context, "Sans 8", width: inner))
    }
  }

  private var width: Double { sheet.width - 2 * Self.margin }
  private var bottom: Double { sheet.height - Self.margin }
  private var isDrawing: Bool { pageCount != nil }

  /// Lays out all pages, and draws them if their number is known.
  /// - Returns: the number of pages.
  func layOut(pageCount: Int?, _ checkCancellation: () throws -> Void) throws -> Int {
    self.pageCount = pageCount
    (page, y) = (1, Self.margin)
    placeHeading()
    placeHeader()
    if table.rows.isEmpty {
      place(table.emptyText, in: TextLayout(context, "Sans 9", width: width), x: Self.margin + Self.padding)
    }
    for row in table.rows {
      try checkCancellation()
      try place(row)
    }
    try endPage()
    return page
  }

  // MARK: Heading

  private func placeHeading() {
    place(table.title, in: TextLayout(context, "Sans Bold 16", width: width, lineLimit: 2), x: Self.margin)
    y += 6
    let labelWidth = 80.0
    let label = TextLayout(context, "Sans Bold 9", width: labelWidth, lineLimit: 1)
    let value = TextLayout(context, "Sans 9", width: width - labelWidth, lineLimit: 2)
    for fact in table.facts {
      let start = y
      place(fact.label, in: label, x: Self.margin)
      y = start
      place(fact.value, in: value, x: Self.margin + labelWidth)
      y += 2
    }
    y += 8
    placeFigures()
  }

  private func placeFigures() {
    guard !table.figures.isEmpty else { return }
    let (boxWidth, boxHeight, gap) = (96.0, 38.0, 8.0)
    let number = TextLayout(context, "Sans Bold 13", width: boxWidth - 16, lineLimit: 1)
    let label = TextLayout(context, "Sans 8", width: boxWidth - 16, lineLimit: 1)
    let top = y
    for (index, figure) in table.figures.enumerated() {
      let left = Self.margin + Double(index) * (boxWidth + gap)
      if isDrawing { canvas.fill(left, top, boxWidth, boxHeight, gray: 0.94) }
      y = top + 4
      place(figure.value, in: number, x: left + 8)
      place(figure.label, in: label, x: left + 8)
    }
    y = top + boxHeight + 12
  }

  /// Draws a text without its line breaks at the current position, and moves below it.
  private func place(_ text: String, in layout: TextLayout, x: Double) {
    let lines = layout.lines(of: PrintableText.cleanLine(text))[...]
    if isDrawing { canvas.draw(lines, x: x, y: y) }
    y += lines.height
  }

  // MARK: Rows

  private func placeHeader() {
    let titles = zip(columns, table.columns).map { $0.title.lines(of: $1.title)[...] }
    let height = titles.height + 2 * Self.padding
    if isDrawing { canvas.fill(Self.margin, y, width, height, gray: 0.88) }
    draw(titles, height)
  }

  /// Draws the parts of a row, and moves below them.
  private func draw(_ cells: [ArraySlice<TextLine>], _ height: Double) {
    if isDrawing {
      canvas.clipped(Self.margin, y, width, height) {
        for (column, lines) in zip(columns, cells) {
          canvas.draw(lines, x: column.left + Self.padding, y: y + Self.padding)
        }
      }
      canvas.fill(Self.margin, y + height - 0.5, width, 0.5, gray: 0.75)
    }
    y += height
  }

  private func place(_ row: [String]) throws(TablePDFError) {
    var rest = zip(columns, row).map { $0.cell.lines(of: $1)[...] }
    if rest.height + 2 * Self.padding > bottom - y, rest.height <= sheet.height / 2 { try startPage() }
    // A page contains at least one line of each cell, whatever its height.
    var lineCount = 0
    while true {
      let parts = rest.map { $0.prefix(height: bottom - y - 2 * Self.padding, atLeast: lineCount) }
      if parts.contains(where: { !$0.isEmpty }) { draw(parts, parts.height + 2 * Self.padding) }
      rest = zip(rest, parts).map { $0.dropFirst($1.count) }
      if rest.allSatisfy(\.isEmpty) { return }
      try startPage()
      lineCount = 1
    }
  }

  private func startPage() throws(TablePDFError) {
    try endPage()
    page += 1
    y = Self.margin
    placeHeader()
  }

  private func endPage() throws(TablePDFError) {
    guard let pageCount else { return }
    canvas.setGray(0.35)
    let y = bottom + 8
    canvas.draw(footer.lines(of: PrintableText.cleanLine(table.title))[...], x: Self.margin, y: y)
    let number = footer.lines(of: "Page \(page) of \(pageCount)")
    canvas.draw(number[...], x: Self.margin + width - (number.first?.width ?? 0), y: y)
    canvas.setGray(0)
    try canvas.endPage()
  }
}

extension ArraySlice<TextLine> {
  /// The height of the lines in points.
  fileprivate var height: Double { (last?.bottom ?? 0) - (first?.top ?? 0) }

  /// The first lines whose height is at most `height`, or `count` lines if these are more.
  fileprivate func prefix(height: Double, atLeast count: Int) -> ArraySlice<TextLine> {
    let top = first?.top ?? 0
    let fitting = prefix { $0.bottom - top <= height }
    return fitting.count >= count ? fitting : prefix(count)
  }
}

extension [ArraySlice<TextLine>] {
  /// The height of the highest part.
  fileprivate var height: Double { map(\.height).max() ?? 0 }
}
