import ArgumentParser
import ClipModel
import DurableFiles
import Foundation
import ShareEngine
import Upload

struct UploadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upload",
    abstract: "Upload a file, resuming automatically after interruptions",
    discussion: """
      EXAMPLES:
        bsc upload clip.mp4 --url-file url.txt
        pass mux/upload | bsc upload clip.mp4 --url-file -
        BSC_UPLOAD_URL=https://… bsc upload clip.mp4 --limit-rate 500kB

      The URL is a direct upload URL from Mux, or a resumable session URL from Google Cloud Storage. The URL is a \
      credential. It cannot be passed as an argument, because other users of this machine could see it. bsc neither \
      stores nor prints it.

      To continue an interrupted upload, run the command again with the same file and URL. The file is sent unchanged, \
      including its location data; to remove location data first, use bsc strip or bsc compress.
      """)

  @Argument(help: "File to upload.", completion: .file())
  var file: String

  @Option(
    help: "File that contains the URL, or - for stdin. (default: the environment variable BSC_UPLOAD_URL)",
    completion: .file())
  var urlFile: String?

  @Option(help: "Content type of the file. (default: based on the file name)")
  var contentType: String?

  @OptionGroup(title: "Network") var transfer: NetworkOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let environment = try EngineEnvironment(flags: transfer.flags)
    let upload = try FileUpload(file: file, url: readURL(), contentType: contentType)
    let start = ContinuousClock.now
    // Unlike all other commands, `upload` sends a video unchanged.
    if !output.quiet, await upload.hasLocation() {
      Console.writeNote(
        "\(file) is sent unchanged, with its location data; to remove it first: bsc strip \(quoteForShell(file))"
      )
    }
    let reporter = Reporter(output)
    let id = UUID()
    reporter.begin((file as NSString).lastPathComponent, as: id)
    defer { reporter.end(id) }
    let receipt = try await upload.run(environment) { progress in
      if let note = progress.note { reporter.showEvent(ShareEvent.note(id, note)) }
      reporter.showEvent(ShareEvent.upload(id, progress))
    }
    reporter.end(id)
    let seconds = (ContinuousClock.now - start).seconds
    // A server reports only the size of a finished upload.
    let size = ByteCount.text(upload.byteCount)
    output.write(
      UploadDocument(file: file, receipt: receipt, seconds: seconds),
      text: receipt.requestCount == 0
        ? "nothing was sent: the upload to this URL was already complete, with \(size)\n"
        : "sent \(file): \(size) in \(decimal(seconds)) s\n")
  }

  private func readURL() throws -> Secret {
    let text: String
    if let urlFile {
      if AddressRedaction.isURL(urlFile) { throw CommandFailure(.exposedUploadURL) }
      let limit = 64 << 10
      let bytes =
        urlFile == "-"
        ? try FileHandle.standardInput.read(upToCount: limit) ?? Data()
        : try DurableFile.read(absolutePath(urlFile), limit: limit)
      text = String(decoding: bytes, as: UTF8.self)
    } else if let value = ProcessInfo.processInfo.environment["BSC_UPLOAD_URL"], !value.isEmpty {
      text = value
    } else {
      throw CommandFailure(.noUploadURL, ["file": file])
    }
    let url = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let parts = URLComponents(string: url), ["http", "https"].contains(parts.scheme?.lowercased()),
      parts.host?.isEmpty == false, !url.contains(where: \.isWhitespace)
    else { throw CommandFailure(.wrongUploadURL, ["file": file]) }
    return Secret(url)
  }
}

struct UploadDocument: Encodable {
  var schema = "bsc.upload/1"
  var file: String
  var byteCount: Int64
  /// The number of requests with a body, and the total number of bytes in these bodies. This total exceeds the file's
  /// size if parts were sent twice.
  var requestCount: Int
  var sentByteCount: Int64
  /// Whether the upload was already complete.
  var wasThere: Bool
  /// The elapsed time in seconds.
  var seconds: Double

  init(file: String, receipt: UploadReceipt, seconds: Double) {
    (self.file, self.seconds) = (file, seconds)
    (byteCount, requestCount, sentByteCount) = (receipt.byteCount, receipt.requestCount, receipt.sentByteCount)
    wasThere = receipt.requestCount == 0
  }
}
