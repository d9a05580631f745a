import ClipModel
import Foundation
import TestSupport
import Testing

@testable import TablePDF

/// Documents are read back with poppler.
@Suite(.timeLimit(.minutes(5))) struct TablePDFTests {
  private static func table(
    _ rows: [[String]], title: String = "Contacts – Möller", columns: [TableDocument.Column]? = nil
  ) -> TableDocument {
    TableDocument(
      title: title, facts: [.init("Family", "Möller"), .init("Time zone", "Asia/Tokyo")],
      figures: [.init("Total", "\(rows.count)"), .init("Outbound", "7")],
      columns: columns ?? [.init("Date", weight: 1), .init("Notes", weight: 3)], rows: rows, emptyText: "Nothing here",
      createdAt: "2026-11-27T17:30:00Z")
  }

  private static func read(_ table: TableDocument, on paper: TableDocument.Paper = .letter) throws -> PDFReader {
    let document = try TablePDF.render(table, on: paper)
    let reader = try PDFReader(document.bytes)
    #expect(reader.problems.isEmpty)
    #expect(reader.pages.count == document.pageCount && reader.info["Pages"] == "\(document.pageCount)")
    return reader
  }

  @Test(arguments: [(TableDocument.Paper.letter, 792.0, 612.0), (.a4, 841.89, 595.276)])
  func headingAndMetadata(paper: TableDocument.Paper, width: Double, height: Double) throws {
    let reader = try Self.read(Self.table([["Feb 3", "First camp"], ["Feb 4", "Call back"]]), on: paper)
    let page = try #require(reader.pages.first)
    for text in [
      "Contacts – Möller", "Family", "Asia/Tokyo", "Total", "Outbound", "Date", "Notes", "First camp", "Call back",
      "Page 1 of 1",
    ] {
      #expect(page.contains(text), "\(text)")
    }
    #expect(reader.info["Title"] == "Contacts – Möller" && reader.info["Creator"] == "bsc")
    #expect(reader.info["CreationDate"]?.contains("2026") == true)
    let size = try #require(reader.info["Page size"]?.split(separator: " ").compactMap { Double($0) })
    #expect(abs(size[0] - width) < 0.5 && abs(size[1] - height) < 0.5)
  }

  @Test func everyPageRepeatsTheHeader() throws {
    let rows = (1...200).map { ["Day\($0)", "Left\($0)\nmiddle\nRight\($0)"] }
    let reader = try Self.read(Self.table(rows))
    #expect(reader.pages.count > 5)
    for (index, page) in reader.pages.enumerated() {
      #expect(page.contains("Date Notes") && page.contains("Page \(index + 1) of \(reader.pages.count)"))
    }
    // In order, and none of them divided.
    let numbers = reader.pages.flatMap { $0.matches(of: /Left(\d+)/).compactMap { Int($0.output.1) } }
    #expect(numbers == Array(1...200))
    let words = reader.pages.map { Set($0.split(whereSeparator: \.isWhitespace)) }
    for number in 1...200 {
      #expect(words.contains { $0.isSuperset(of: ["Day\(number)", "Left\(number)", "Right\(number)"]) }, "\(number)")
    }
  }

  /// A row that is higher than a page continues on the next pages, in all its cells, and the next row follows it.
  @Test func longRowsContinue() throws {
    let left = (1...90).map { "a\($0)." }.joined(separator: "\n")
    let right = (1...150).map { "b\($0)." }.joined(separator: "\n")
    let reader = try Self.read(Self.table([["before", ""], [left, right], ["after", "end"]]))
    let text = reader.pages.joined()
    for number in 1...90 { #expect(text.contains("a\(number).")) }
    for number in 1...150 { #expect(text.contains("b\(number).")) }
    #expect(reader.pages.count == 4 || reader.pages.count == 3)
    #expect(reader.pages.first?.contains("before") == true && reader.pages.last?.contains("after") == true)
    #expect(reader.pages.allSatisfy { $0.contains("Date Notes") })
  }

  @Test func aTableWithoutRowsHasASentence() throws {
    let reader = try Self.read(Self.table([]))
    #expect(reader.pages.count == 1 && reader.pages[0].contains("Nothing here") && reader.pages[0].contains("Notes"))
  }

  // MARK: Hostile text

  @Test(arguments: [
    String(repeating: "x", count: 100_000), String(repeating: "word ", count: 20_000),
    String(repeating: "<b>&amp;\"'</b>", count: 7_000),
  ])
  func longTextsAreComplete(text: String) throws {
    let reader = try Self.read(Self.table([["first", text], ["second", "last"]]))
    let words = try reader.words().filter { $0.left > 210 && $0.text != "Notes" }.map(\.text).joined()
    let unescaped = words.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
      .replacing("&#39;", with: "'").replacing("&apos;", with: "'").replacing("&amp;", with: "&")
    let expected = text.filter { $0 != " " } + "last"
    // The end of each page has its number, on the right.
    let found = unescaped.replacing(/Page\d+of\d+/, with: "").replacing(/Page|of/, with: "")
    let isComplete = found.filter { !$0.isNumber } == expected
    #expect(isComplete, "\(found.count) of \(expected.count)")
  }

  @Test func controlCharactersAndOverridesAreRemoved() throws {
    let text = "a\u{0}b\u{1B}[31mc\u{202E}d\u{2067}e\u{7F}f\u{9B}g\th\r\ni\u{2028}\u{2028}\n\n\nj"
    #expect(PrintableText.clean(text) == "ab[31mcdefg h\ni\n\nj")
    let reader = try Self.read(Self.table([["\u{202E}left", text], ["", "end"]], title: "A\u{0}\n\u{202E}B"))
    #expect(reader.info["Title"] == "A B")
    #expect(reader.pages[0].contains("ab[31mcdefg h") && reader.pages[0].contains("left"))
  }

  @Test func rightToLeftTextIsOnTheRight() throws {
    let hebrew = "שלום מאמן"
    let reader = try Self.read(Self.table([["x", hebrew], ["y", "plain"]]))
    let words = try reader.words()
    // poppler reads right-to-left words letter by letter.
    let right = words.filter { $0.text.unicodeScalars.allSatisfy { (0x590...0x5FF).contains($0.value) } }.map(\.right)
    let plain = try #require(words.first { $0.text == "plain" })
    // The column of 540 points begins at 216.
    #expect(right.count == 8 && (right.max() ?? 0) > 740 && plain.left < 230)
  }

  /// Fonts for these scripts may be missing, but the text around them remains.
  @Test func textsOfAllScripts() throws {
    let marks = String(repeating: "\u{0301}", count: 3_000)
    let rows = [
      ["1", "before 選手 after"], ["2", "before 🏐👩‍👩‍👧🇧🇷 after"], ["3", "before مرحبا after"],
      ["4", "before e\(marks) after"],
      ["5", "before \u{F0000}\u{FFFE}\u{10FFFF} after"], ["6", "ΑΩ жя ñß"],
    ]
    let page = try #require(try Self.read(Self.table(rows)).pages.first)
    #expect(page.matches(of: /before/).count == 5 && page.matches(of: /after/).count == 5)
    #expect(page.contains("ΑΩ жя ñß"))
  }

  /// The accents of a cell don't cover the row above it.
  @Test func stackedAccentsStayInTheirRow() throws {
    let marks = "e" + String(repeating: "\u{0301}", count: 200)
    let (width, plain) = try Self.read(Self.table([["", ""], ["", "e"]])).pixels(ofPage: 1)
    let (_, stacked) = try Self.read(Self.table([["", ""], ["", marks]])).pixels(ofPage: 1)
    let differing = zip(plain, stacked).enumerated().filter { $0.element.0 != $0.element.1 }.map { $0.offset / width }
    #expect((differing.max() ?? 0) - (differing.min() ?? 0) <= 16)
  }

  // MARK: Failures

  @Test func renderingStopsWhenItIsCanceled() {
    struct Stop: Error {}
    var rowCount = 0
    #expect(throws: Stop.self) {
      try TablePDF.render(Self.table(Array(repeating: ["a", "b"], count: 50)), on: .a4) {
        rowCount += 1
        if rowCount == 10 { throw Stop() }
      }
    }
    #expect(rowCount == 10)
  }

  @Test func documentsAreRenderedOnSeveralThreads() async throws {
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...4 {
        group.addTask {
          let rows = (1...(100 * number)).map { ["\($0)", "選手 \($0)"] }
          return try TablePDF.render(Self.table(rows), on: .a4).pageCount
        }
      }
      return try await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(Set(counts).count == 4)
  }
}
