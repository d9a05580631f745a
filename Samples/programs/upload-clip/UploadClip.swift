import ClipModel
import Foundation
import LibCurl
import Synchronization
import Upload

/// Uploads a file to a direct-upload URL: `upload-clip FILE`, with the URL in UPLOAD_URL or on stdin.
///
/// The URL is a credential. If it were an argument, other processes could read it.
@main
enum UploadClip {
  static func main() async {
    guard let file = CommandLine.arguments.dropFirst().first, CommandLine.arguments.count == 2 else {
      fail("usage: UPLOAD_URL=… upload-clip FILE", status: 64)
    }
    guard let url = ProcessInfo.processInfo.environment["UPLOAD_URL"] ?? readLine(), url.hasPrefix("http") else {
      fail(
        "error: cannot upload \(file): no upload URL\nnext: set UPLOAD_URL, or write the URL to stdin",
        status: 64)
    }
    do {
      try await upload(file, to: url)
    } catch let error as UploadError {
      // Without a job of bsc, other advice applies.
      let explanation = error.explanation(forFile: file)
      fail("error: \(explanation.what): \(explanation.why)\nnext: see \(explanation.id) in Docs/errors.md")
    } catch {
      fail("error: \(error)")
    }
  }

  /// After a dropped connection, run it again: it queries the server's offset and sends the rest.
  static func upload(_ file: String, to url: String) async throws {
    let uploader = DirectUpload(transport: try TransferThread())
    let shown = Mutex("")
    let receipt = try await uploader.upload(try FileSource(path: file), to: url) { progress in
      let text = "\(progress.percent) %" + (progress.pause.map { ", waiting: \($0.reason)" } ?? "")
      // Called on other threads, and very often.
      shown.withLock { last in
        if text != last { note(text) }
        last = text
      }
    }
    print("sent \(receipt.byteCount) bytes in \(receipt.requestCount) requests")
  }

  static func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

  static func fail(_ text: String, status: Int32 = 1) -> Never {
    note(text)
    exit(status)
  }
}

extension UploadProgress {
  /// 100 only after the server has confirmed every byte.
  var percent: Int {
    guard let total = totalByteCount, total > 0 else { return 0 }
    return isComplete ? 100 : min(Int((confirmedByteCount + sentByteCount) * 100 / total), 99)
  }
}
