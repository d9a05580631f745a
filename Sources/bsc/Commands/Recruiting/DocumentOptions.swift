#if Recruiting
import ArgumentParser
import ClipModel
import DurableFiles
import TablePDF

/// The PDF file of a list.
struct DocumentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Write the list and its figures to this PDF file.", valueName: "file"), completion: .file())
  var pdf: String?

  @Option(help: "Paper of the PDF: letter or a4. (default: letter)")
  var paper: TableDocument.Paper?

  @Flag(name: .shortAndLong, help: "Replace an existing PDF file.")
  var force = false

  private var policy: ReplacePolicy { force ? .replace : .keepExisting }

  func validate() throws {
    if pdf == nil, force || paper != nil { throw ValidationError("--paper and --force require --pdf.") }
  }

  /// Fails before rows are requested if no PDF can be created, or if the file exists.
  func prepare() throws {
    guard let pdf else { return }
    try StagedFile.checkDestination(pdf, replacing: policy)
    try TablePDF.load()
  }

  /// Writes the file, which appears when it is complete, and prints its page count.
  func write(_ table: TableDocument, _ output: OutputOptions) async throws {
    guard let pdf else { return }
    let (paper, policy) = (paper ?? .letter, policy)
    let pageCount = try await WorkerThread.run("pdf") { flag in
      let document = try TablePDF.render(table, on: paper) { try flag.check() }
      try DurableFile.write(document.bytes, to: pdf, policy: policy)
      return document.pageCount
    }
    output.write(
      RecruitingExportDocument(file: absolutePath(pdf), interactions: table.rows.count, pages: pageCount),
      text: "\(whole: pdf): \(table.rows.count.withNoun("interaction")) on \(pageCount.withNoun("page"))\n")
  }
}

extension TableDocument.Paper: ExpressibleByArgument {}

/// The JSON document that describes the PDF file of a list.
struct RecruitingExportDocument: Encodable {
  var schema = "bsc.recruiting-export/1"
  /// The absolute path.
  var file: String
  /// The number of rows.
  var interactions: Int
  var pages: Int
}
#endif
