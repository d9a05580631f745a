import ClipModel
import Foundation
import LibCurl
import Synchronization
import TestSupport
import Upload

/// A file of random bytes, an upload of it, and everything that the upload reported.
final class UploadFixture: Sendable {
  let bytes: [UInt8]
  let clock = FaultClock()
  private let folder: URL
  private let reports = Mutex((saved: [Int64](), progress: [UploadProgress]()))

  init(byteCount: Int, seed: UInt64 = 7) throws {
    var generator = SeededGenerator(seed: seed)
    let words = (0..<byteCount / 8 + 1).map { _ in generator.next() }
    bytes = words.withUnsafeBytes { Array($0.prefix(byteCount)) }
    folder = FileManager.default.temporaryDirectory.appending(path: "upload-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var file: URL { folder.appending(path: "clip.mp4") }

  /// The saved offsets, in order.
  var saved: [Int64] { reports.withLock { $0.saved } }

  var progress: [UploadProgress] { reports.withLock { $0.progress } }

  /// The default chunk size of 256 KiB gives a small file several chunks.
  func upload(
    to url: String, confirmedOffset: Int64 = 0, start: DirectUpload.StartMode = .fresh,
    chunkByteCount: Int64 = ChunkLayout.unit, adaptsToLink: Bool = false, expiresAt: Int64 = .max,
    deadline: DirectUpload.ExpirationPolicy = .kept, now: WallClock = WallClock { 0 },
    policy: RetryPolicy = RetryPolicy(), responseTimeout: Duration = .seconds(30),
    options: TransferOptions = TransferOptions(), source: (any UploadSource)? = nil,
    onSave: @Sendable (UploadSession) async throws -> Void = { _ in }
  ) async throws -> UploadReceipt {
    var upload = DirectUpload(
      transport: try TransferThread(options: options), policy: policy,
      layout: ChunkLayout(chunkByteCount: chunkByteCount, isFixed: !adaptsToLink),
      deadline: deadline)
    upload.clock = clock
    upload.generator = SeededGenerator(seed: 11)
    upload.now = now.seconds
    upload.responseTimeout = responseTimeout
    let session = UploadSession(
      uploadID: "u1", byteCount: Int64(bytes.count), confirmedOffset: confirmedOffset, expiresAt: expiresAt)
    let source: any UploadSource = try source ?? FileSource(path: file.path)
    return try await upload.upload(
      source, session: session, start: start, resolveURL: { url },
      save: { session in
        self.reports.withLock { $0.saved.append(session.confirmedOffset) }
        try await onSave(session)
      },
      progress: { progress in self.reports.withLock { $0.progress.append(progress) } })
  }
}

/// The time according to a test.
struct WallClock: Sendable {
  var seconds: @Sendable () -> Int64
}

/// Returns at most `limit` bytes per call.
struct ShortReadSource: UploadSource {
  var bytes: [UInt8]
  var limit: Int

  var byteCount: Int64? { Int64(bytes.count) }

  func waitForBytes(upTo end: Int64) -> Int64 { min(end, Int64(bytes.count)) }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    let count = min(buffer.count, limit, bytes.count - Int(offset))
    buffer.copyBytes(from: bytes[Int(offset)..<(Int(offset) + count)])
    return count
  }

  func checkUnchanged() {}
}

let unit = 262_144
