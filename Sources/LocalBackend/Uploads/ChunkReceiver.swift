import Foundation
import Hummingbird

/// Stores a request's body in the part file. The received bytes are kept even if the connection is lost.
struct ChunkReceiver: Sendable {
  /// The number of received bytes between two checkpoints, at which the server flushes the bytes to disk and records
  /// them. A server that is killed loses at most this much data.
  static let checkpointBytes: Int64 = 8 << 20

  let store: ServerStore
  let uploadID: String
  let path: String
  let transfer: ChunkTransfer

  /// Writes a chunk to the file as it arrives, flushes it to disk and records it.
  /// - Returns: the number of bytes stored in the file, or `nil` if the upload was canceled during the transfer. The
  ///   number is less than the chunk's end if the body ended early or failed.
  /// - Throws: `PartFile.Failure` if writing to the file fails.
  func receive(_ body: RequestBody, chunk: ChunkDecision.Chunk) async throws -> Int64? {
    let file = try await runBlocking { [path] in
      let file = try PartFile(path: path)
      // A file that is shorter than recorded was changed by another program. Never fill the gap with zeros.
      guard try file.byteCount() >= chunk.writing.lowerBound else { throw PartFile.Failure(code: EIO) }
      try file.truncate(to: chunk.writing.lowerBound)
      return file
    }
    var offset = chunk.writing.lowerBound
    var recorded = offset
    var skip = chunk.skipping
    // Depending on the cause, a lost connection appears as an error or as an early end. Only the byte count is
    // reliable.
    do {
      defer { transfer.pause = nil }
      transfer.pause = .init(at: offset, of: file)
      for try await var buffer in body {
        transfer.pause = nil
        defer { transfer.pause = .init(at: offset, of: file) }
        let ignored = Int(min(skip, Int64(buffer.readableBytes)))
        buffer.moveReaderIndex(forwardBy: ignored)
        skip -= Int64(ignored)
        let room = Int(clamping: chunk.writing.upperBound - offset)
        guard let piece = buffer.readSlice(length: min(room, buffer.readableBytes)), piece.readableBytes > 0 else {
          continue
        }
        let position = offset
        try await runBlocking { try file.write(piece, at: position) }
        offset += Int64(piece.readableBytes)
        if offset - recorded >= Self.checkpointBytes {
          guard try await record(file, offset, chunk.total) else { return nil }
          recorded = offset
        }
      }
    } catch let failure as PartFile.Failure {
      throw failure
    } catch {
      return try await record(file, offset, nil) ? offset : nil
    }
    return try await record(file, offset, offset == chunk.writing.upperBound ? chunk.total : nil) ? offset : nil
  }

  private func record(_ file: PartFile, _ offset: Int64, _ total: Int64?) async throws -> Bool {
    try await store.recordStoredBytes(offset, of: file, total: total, ofUpload: uploadID)
  }
}
