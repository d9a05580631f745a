import Foundation
import Hummingbird

/// Brings a request's body into the part file, whatever happens to the connection on the way.
struct ChunkReceiver: Sendable {
  enum Outcome: Equatable, Sendable {
    /// Every announced byte arrived.
    case whole(stored: Int64)
    /// The body ended early or failed; the prefix is kept.
    case broken(stored: Int64)
    /// The upload was cancelled while its bytes came.
    case cancelled
  }

  /// After this many bytes what came so far is made durable, so that a killed server loses little.
  static let checkpointBytes: Int64 = 8 << 20

  let store: ServerStore
  let uploadID: String
  let path: String
  let transfer: ChunkTransfer

  /// Writes `chunk` to the file as it comes, then makes it durable and records it.
  /// - Throws: `PartFile.Failure` when the disk refuses.
  func receive(_ body: RequestBody, chunk: ChunkDecision.Chunk) async throws -> Outcome {
    let file = try await blocking { [path] in
      let file = try PartFile(path: path)
      // Shorter than recorded: someone else's hand was in it. Never fill a hole with zeros.
      guard try file.byteCount() >= chunk.writing.lowerBound else { throw PartFile.Failure(code: EIO) }
      try file.truncate(to: chunk.writing.lowerBound)
      return file
    }
    var offset = chunk.writing.lowerBound
    var recorded = offset
    var skip = chunk.skipping
    // A broken connection shows as an error or, depending on how it broke, as an early end: only the count is proof.
    defer { transfer.endPause() }
    do {
      transfer.beginPause(at: offset, of: file)
      for try await var buffer in body {
        transfer.endPause()
        defer { transfer.beginPause(at: offset, of: file) }
        let ignored = Int(min(skip, Int64(buffer.readableBytes)))
        buffer.moveReaderIndex(forwardBy: ignored)
        skip -= Int64(ignored)
        let room = Int(clamping: chunk.writing.upperBound - offset)
        guard let piece = buffer.readSlice(length: min(room, buffer.readableBytes)), piece.readableBytes > 0 else {
          continue
        }
        let position = offset
        try await blocking { try file.write(piece, at: position) }
        offset += Int64(piece.readableBytes)
        if offset - recorded >= Self.checkpointBytes {
          guard try await record(file, offset, chunk.total) else { return .cancelled }
          recorded = offset
        }
      }
      transfer.endPause()
    } catch let failure as PartFile.Failure {
      throw failure
    } catch {
      transfer.endPause()
      guard try await record(file, offset, nil) else { return .cancelled }
      return .broken(stored: offset)
    }
    let isWhole = offset == chunk.writing.upperBound
    guard try await record(file, offset, isWhole ? chunk.total : nil) else { return .cancelled }
    return isWhole ? .whole(stored: offset) : .broken(stored: offset)
  }

  /// First the disk, then the database: what is recorded is stored.
  private func record(_ file: PartFile, _ offset: Int64, _ total: Int64?) async throws -> Bool {
    try await blocking { try file.synchronize() }
    return try await uncancelled { [store, uploadID] in
      try await store.recordStoredBytes(offset, total: total, ofUpload: uploadID)
    }
  }
}
