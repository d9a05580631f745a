import ClipModel
import DurableFiles
import Synchronization

/// A file that is uploaded while another thread writes it.
///
/// The writer reports how many bytes at the start of the file are final, and whether the file is complete. The upload
/// sends only final bytes, and the end of the file only after `complete()`. The file may be renamed during the upload.
/// Before an upload resumes, report all bytes that an earlier run may have sent, because the upload rejects further ones.
public final class GrowingFileSource: UploadSource {
  private struct State {
    /// The number of bytes at the start of the file that don't change anymore.
    var finalByteCount: Int64 = 0
    /// The complete file.
    var complete: FileIdentity?
    var failure: (any Error)?
    var waiters: [Int: Waiter] = [:]
    var nextWaiter = 0

    /// The number of bytes that can be read, if that is enough.
    func available(upTo end: Int64) throws -> Int64? {
      if let failure { throw failure }
      return complete != nil || finalByteCount >= end ? finalByteCount : nil
    }

    /// Removes the waiters that can continue.
    mutating func removeReadyWaiters() -> [(Waiter, Result<Int64, any Error>)] {
      waiters.compactMap { number, waiter in
        let result = Result { try available(upTo: waiter.end) }
        guard case .success(nil) = result else {
          waiters[number] = nil
          return (waiter, result.map { $0 ?? 0 })
        }
        return nil
      }
    }
  }

  private struct Waiter {
    var end: Int64
    var continuation: CheckedContinuation<Int64, any Error>
  }

  private let file: UploadFile
  private let state = Mutex(State())

  /// Opens a file that may be empty.
  /// - Throws: `UploadError.sourceUnreadable` if the file can't be opened.
  public init(path: String) throws(UploadError) { file = try UploadFile(path: path) }

  // MARK: Writer

  /// Reports that the first `byteCount` bytes don't change anymore. Can be called on any thread.
  public func extend(to byteCount: Int64) { update { $0.finalByteCount = max($0.finalByteCount, byteCount) } }

  /// Reports that the whole file is final, so that its end can be sent.
  /// - Throws: `UploadError.sourceChanged` if the file is shorter than the bytes that were final before.
  public func complete() throws {
    let identity = try readIdentity()
    let isShorter = state.withLock { identity.byteCount < $0.finalByteCount }
    guard !isShorter else { throw UploadError.sourceChanged("became shorter during the upload") }
    update {
      $0.finalByteCount = identity.byteCount
      $0.complete = identity
    }
  }

  /// Ends the upload with an error, because the file will never be complete.
  public func fail(_ error: any Error) { update { $0.failure = $0.failure ?? error } }

  private func update(_ change: (inout State) -> Void) {
    let ready = state.withLock { state in
      change(&state)
      return state.removeReadyWaiters()
    }
    for (waiter, result) in ready { waiter.continuation.resume(with: result) }
  }

  // MARK: Upload

  public var byteCount: Int64? { state.withLock { $0.complete?.byteCount } }

  public func waitForBytes(upTo end: Int64) async throws -> Int64 {
    let number = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<Int64, any Error>? = state.withLock { state in
          if Task.isCancelled { return .failure(CancellationError()) }
          let result = Result { try state.available(upTo: end) }
          if case .success(nil) = result {
            state.waiters[number] = Waiter(end: end, continuation: continuation)
            return nil
          }
          return result.map { $0 ?? 0 }
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }

  public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    unsafe try file.read(into: buffer, at: offset)
  }

  public func checkUnchanged() throws {
    let (finalByteCount, complete, failure) = state.withLock { ($0.finalByteCount, $0.complete, $0.failure) }
    if let failure { throw failure }
    let identity = try readIdentity()
    guard identity.byteCount >= finalByteCount else {
      throw UploadError.sourceChanged("became shorter during the upload")
    }
    if let complete, complete != identity { throw UploadError.sourceChanged("changed during the upload") }
  }

  private func readIdentity() throws(UploadError) -> FileIdentity {
    do throws(DurableFileError) {
      return try file.identity()
    } catch {
      throw .sourceUnreadable("cannot be read: \(error.explanation.why)")
    }
  }
}
