import ArgumentParser
import ClipModel
import DurableFiles
import Foundation
import ShareEngine
import Upload

struct UploadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upload",
    abstract: "Send a file to a direct-upload URL, so that nothing can interrupt it.",
    discussion: """
      EXAMPLES:
        bsc upload clip.mp4 --url-file url.txt
        pass mux/upload | bsc upload clip.mp4 --url-file -
        BSC_UPLOAD_URL=https://… bsc upload clip.mp4 --limit-rate 500KB

      The URL is one of Mux's direct uploads, or a resumable session of Google Cloud Storage. It is the credential, so \
      it is no argument: others would see it. Nothing of it is kept or printed.

      Run it again after a break, with the same URL: the server is asked how much it holds, and the rest is sent. \
      Another file is refused then.
      Nothing is made of the file: what it tells is sent along (bsc strip, bsc compress).
      """)

  @Argument(help: "The file.", completion: .file())
  var file: String

  @Option(
    help: "A file with the URL; - reads it from stdin. (default: the variable BSC_UPLOAD_URL)", completion: .file())
  var urlFile: String?

  @Option(help: "What the server is told the file is. (default: by its name)")
  var contentType: String?

  @OptionGroup(title: "Network") var transfer: TransferFlags

  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let environment = try EngineEnvironment(flags: transfer.flags)
    let upload = try FileUpload(file: file, url: url(), contentType: contentType)
    let clock = ContinuousClock.now
    // It is the only command that publishes a video as it is.
    if !output.quiet, await upload.hasLocation() {
      Console.note(
        "\(file) tells where it was filmed, and is sent as it is; a copy without that: bsc strip \(shellWord(file))")
    }
    let reporter = Reporter(output)
    let id = UUID()
    reporter.begin((file as NSString).lastPathComponent, as: id)
    defer { reporter.end(id) }
    let receipt = try await upload.run(environment) { progress in
      if let note = progress.note { reporter.take(.noted(id, note)) }
      reporter.take(.upload(id, progress))
    }
    reporter.end(id)
    let seconds = (ContinuousClock.now - clock).seconds
    if output.json {
      Console.writeJSON(UploadDocument(file: file, receipt: receipt, seconds: seconds))
    } else if !output.quiet {
      // Its size is all that a server reveals of what it has.
      let text =
        receipt.requestCount == 0
        ? "nothing was sent of \(file): the upload to this URL was finished before, with \(ByteCount.text(upload.byteCount))"
        : "sent \(file): \(ByteCount.text(upload.byteCount)) in \(decimal(seconds)) s"
      Console.write(text + "\n")
    }
  }

  private func url() throws -> Secret {
    let text: String
    if let urlFile {
      if Address.isOne(urlFile) {
        throw CommandFailure(.exposedUploadURL)
      }
      let bytes =
        urlFile == "-" ? try Self.standardInput() : try DurableFile.read(absolutePath(urlFile), limit: 64 << 10)
      text = String(decoding: bytes, as: UTF8.self)
    } else if let value = ProcessInfo.processInfo.environment["BSC_UPLOAD_URL"], !value.isEmpty {
      text = value
    } else {
      throw CommandFailure(.noUploadURL, ["file": file])
    }
    let url = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let parts = URLComponents(string: url), ["http", "https"].contains(parts.scheme?.lowercased()),
      parts.host?.isEmpty == false,
      !url.contains(where: \.isWhitespace)
    else {
      throw CommandFailure(.wrongUploadURL, ["file": file])
    }
    return Secret(url)
  }

  private static func standardInput() throws -> Data {
    try FileHandle.standardInput.read(upToCount: 64 << 10) ?? Data()
  }
}

struct UploadDocument: Encodable {
  var schema = "bsc.upload/1"
  var file: String
  var byteCount: Int64
  /// Requests with a body, and bytes sent in them: more than the file has when parts went twice.
  var requestCount: Int
  var sentByteCount: Int64
  /// The upload to this URL was finished before, by an earlier run or another program.
  var wasThere: Bool
  /// Wall clock.
  var seconds: Double

  init(file: String, receipt: UploadReceipt, seconds: Double) {
    self.file = file
    byteCount = receipt.byteCount
    requestCount = receipt.requestCount
    sentByteCount = receipt.sentByteCount
    wasThere = receipt.requestCount == 0
    self.seconds = seconds
  }
}
