import Foundation

/// A PDF as poppler reads it.
public struct PDFReader: Sendable {
  /// The text of each page, in the order in which it was drawn.
  public let pages: [String]
  /// The values that pdfinfo prints, by their names: `Title`, `Page size`.
  public let info: [String: String]
  /// What poppler reports about the file.
  public let problems: String
  private let folder: ScratchFolder

  /// - Throws: an error if a program is missing, or rejects the file.
  public init(_ bytes: some Sequence<UInt8>) throws {
    folder = try ScratchFolder()
    let path = folder.path("document.pdf")
    try Data(bytes).write(to: URL(filePath: path))
    let text = String(decoding: try Tool.run("pdftotext", ["-raw", "-enc", "UTF-8", path, "-"]), as: UTF8.self)
    // A form feed ends every page.
    pages = text.split(separator: "\u{0C}", omittingEmptySubsequences: false).dropLast().map(String.init)
    let lines = String(decoding: try Tool.run("pdfinfo", ["-enc", "UTF-8", path]), as: UTF8.self).split(separator: "\n")
    info = Dictionary(
      lines.compactMap { line in
        line.firstIndex(of: ":").map {
          (String(line[..<$0]), line[line.index(after: $0)...].trimmingCharacters(in: .whitespaces))
        }
      }
    ) { $1 }
    problems = try Tool.errors("pdftotext", [path, "-"]) + Tool.errors("pdfinfo", [path])
  }

  /// All words with their left and right edges in points, in the order in which they were drawn.
  public func words() throws -> [(text: String, left: Double, right: Double)] {
    let boxes = String(
      decoding: try Tool.run("pdftotext", ["-bbox", "-enc", "UTF-8", folder.path("document.pdf"), "-"]), as: UTF8.self)
    return boxes.matches(of: /<word xMin="([\d.]+)" yMin="[\d.]+" xMax="([\d.]+)"[^>]*>([^<]*)</).map {
      (String($0.3), Double($0.1) ?? 0, Double($0.2) ?? 0)
    }
  }

  /// The gray values of a rendered page, 0 for black, in rows from top to bottom; one pixel is a point.
  public func pixels(ofPage page: Int) throws -> (width: Int, gray: [UInt8]) {
    let image = try Tool.run(
      "pdftoppm", ["-gray", "-r", "72", "-f", "\(page)", "-l", "\(page)", folder.path("document.pdf")])
    // P5, the width and the height, and the highest value, each with a line break.
    let lines = image.split(separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
    let size = String(decoding: lines[1], as: UTF8.self).split(separator: " ").compactMap { Int($0) }
    return (size[0], Array(lines[3]))
  }
}
