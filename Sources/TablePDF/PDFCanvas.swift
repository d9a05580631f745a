import CPango

/// Owns a PDF surface of cairo and its drawing context, and collects the bytes that cairo writes.
final class PDFCanvas {
  let cairo: OpaquePointer
  private let surface: OpaquePointer
  private let output: Output

  private final class Output {
    var bytes: [UInt8] = []
  }

  /// - Parameters:
  ///   - width: the width of the pages in points.
  ///   - title: one line of text.
  ///   - createdAt: ISO 8601 without fractions of a second.
  init(width: Double, height: Double, title: String, createdAt: String) {
    output = Output()
    // cairo writes until the surface is finished, which happens before `output` is released.
    surface = bsc_cairo_pdf_surface_create_for_stream(
      { closure, data, length in
        guard let closure else { return bsc_CAIRO_STATUS_SUCCESS }
        let output = Unmanaged<Output>.fromOpaque(closure).takeUnretainedValue()
        output.bytes += UnsafeBufferPointer(start: data, count: Int(length))
        return bsc_CAIRO_STATUS_SUCCESS
      }, Unmanaged.passUnretained(output).toOpaque(), width, height)
    bsc_cairo_pdf_surface_set_metadata(surface, bsc_CAIRO_PDF_METADATA_TITLE, title)
    bsc_cairo_pdf_surface_set_metadata(surface, bsc_CAIRO_PDF_METADATA_CREATOR, "bsc")
    bsc_cairo_pdf_surface_set_metadata(surface, bsc_CAIRO_PDF_METADATA_CREATE_DATE, createdAt)
    cairo = bsc_cairo_create(surface)
  }

  deinit {
    bsc_cairo_destroy(cairo)
    bsc_cairo_surface_finish(surface)
    bsc_cairo_surface_destroy(surface)
  }

  /// Fills a rectangle with a gray between 0 (black) and 1.
  func fill(_ x: Double, _ y: Double, _ width: Double, _ height: Double, gray: Double) {
    setGray(gray)
    bsc_cairo_rectangle(cairo, x, y, width, height)
    bsc_cairo_fill(cairo)
    setGray(0)
  }

  func setGray(_ gray: Double) { bsc_cairo_set_source_rgb(cairo, gray, gray, gray) }

  /// Draws lines of one layout so that the first one starts at `y`.
  func draw(_ lines: ArraySlice<TextLine>, x: Double, y: Double) {
    let top = lines.first?.top ?? 0
    for line in lines {
      bsc_cairo_move_to(cairo, x + line.left, y + line.baseline - top)
      bsc_pango_cairo_show_layout_line(cairo, line.pointer)
    }
  }

  /// Draws inside of a rectangle, so that stacked accents cover nothing else.
  func clipped(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ body: () -> Void) {
    bsc_cairo_save(cairo)
    bsc_cairo_rectangle(cairo, x, y, width, height)
    bsc_cairo_clip(cairo)
    body()
    bsc_cairo_restore(cairo)
  }

  func endPage() throws(TablePDFError) {
    bsc_cairo_show_page(cairo)
    try check(bsc_cairo_status(cairo))
  }

  /// Writes the end of the document.
  /// - Returns: all bytes.
  func finish() throws(TablePDFError) -> [UInt8] {
    try check(bsc_cairo_status(cairo))
    bsc_cairo_surface_finish(surface)
    try check(bsc_cairo_surface_status(surface))
    return output.bytes
  }

  private func check(_ status: UInt32) throws(TablePDFError) {
    if status != bsc_CAIRO_STATUS_SUCCESS {
      throw .failed(reason: String(cString: bsc_cairo_status_to_string(status)))
    }
  }
}
