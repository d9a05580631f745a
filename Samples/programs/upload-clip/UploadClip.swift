import ClipModel
import Foundation
import LibCurl
import Synchronization
import Upload

/// Sends a file to a direct-upload URL: `upload-clip FILE`, with the URL in UPLOAD_URL or on stdin.
///
/// The URL is the credential. As an argument every other process of the machine could read it.
@main
enum UploadClip {
  static func main() async {
    guard let file = CommandLine.arguments.dropFirst().first, CommandLine.arguments.count == 2 else {
      fail("usage: UPLOAD_URL=… upload-clip FILE", status: 64)
    }
    guard let url = ProcessInfo.processInfo.environment["UPLOAD_URL"] ?? readLine(), url.hasPrefix("http") else {
      fail(
        "error: cannot upload \(file): nobody said where to\nnext: set UPLOAD_URL, or write the URL to stdin",
        status: 64)
    }
    do {
      try await upload(file, to: url)
    } catch let error as UploadError {
      // The same error has other advice for those who have no job of bsc.
      let explanation = error.explanation(for: .file(name: file))
      fail("error: \(explanation.what): \(explanation.why)\nnext: see \(explanation.id) in Docs/errors.md")
    } catch {
      fail("error: \(error)")
    }
  }

  /// Run again after a break, it asks the server what it holds and sends the rest.
  static func upload(_ file: String, to url: String) async throws {
    let uploader = DirectUpload(transport: try TransferThread())
    let shown = Mutex("")
    let receipt = try await uploader.upload(try FileSource(path: file), to: url) { progress in
      let text = "\(progress.percent) %" + (progress.pause.map { ", waiting: \($0.reason)" } ?? "")
      // Called on other threads, and far more often than anybody can read.
      shown.withLock { last in
        if text != last { tell(text) }
        last = text
      }
    }
    print("sent \(receipt.byteCount) bytes in \(receipt.requestCount) requests")
  }

  static func tell(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

  static func fail(_ text: String, status: Int32 = 1) -> Never {
    tell(text)
    exit(status)
  }
}

extension UploadProgress {
  /// 100 only when the server has said that it has everything.
  var percent: Int {
    guard let total = totalByteCount, total > 0 else { return 0 }
    return isComplete ? 100 : min(Int((confirmedByteCount + sentByteCount) * 100 / total), 99)
  }
}
