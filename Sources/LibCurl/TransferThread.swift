import CCurl
import Foundation
import Synchronization

/// Runs HTTP transfers with libcurl on a separate thread, so that nothing blocks the cooperative pool.
///
/// Transfers run concurrently and share open connections. A canceled call throws `CancellationError` at once. The thread
/// ends with the last reference.
public final class TransferThread: HTTPTransport {
  private let queue: TransferQueue

  /// - Throws: `CurlError` if libcurl cannot be initialized.
  public init(options: TransferOptions = TransferOptions(), name: String = "transfers") throws(CurlError) {
    let queue = TransferQueue(multi: try MultiHandle())
    self.queue = queue
    let thread = Thread { TransferLoop(queue: queue, options: options).run() }
    thread.name = name
    thread.start()
  }

  deinit { queue.close() }

  public func send(_ request: HTTPRequest, progress: @escaping @Sendable (Int64) -> Void) async throws -> HTTPResponse {
    let cancellation = CancellationFlag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.add(
          TransferJob(request: request, progress: progress, cancellation: cancellation, continuation: continuation))
      }
    } onCancel: {
      cancellation.set()
      queue.multi.wakeUp()
    }
  }
}

/// A flag that the canceling task sets, and that libcurl's progress callback and the transfer thread read.
final class CancellationFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .acquiring) }

  func set() { flag.store(true, ordering: .releasing) }
}

/// A request with the task that waits for its response.
struct TransferJob: Sendable {
  let request: HTTPRequest
  let progress: @Sendable (Int64) -> Void
  let cancellation: CancellationFlag
  let continuation: CheckedContinuation<HTTPResponse, any Error>

  var isCancelled: Bool { cancellation.isSet }
}

/// Passes jobs from the callers to the transfer thread.
final class TransferQueue: Sendable {
  let multi: MultiHandle
  private let state = Mutex((jobs: [TransferJob](), isClosed: false))

  init(multi: MultiHandle) { self.multi = multi }

  func add(_ job: TransferJob) {
    state.withLock { $0.jobs.append(job) }
    multi.wakeUp()
  }

  func close() {
    state.withLock { $0.isClosed = true }
    multi.wakeUp()
  }

  func removeAll() -> (jobs: [TransferJob], isClosed: Bool) {
    state.withLock { state in
      defer { state.jobs = [] }
      return state
    }
  }
}

/// The transfer thread's loop: starts new transfers, continues running ones, and ends finished ones.
private struct TransferLoop {
  let queue: TransferQueue
  let options: TransferOptions
  var running: [UnsafeMutableRawPointer: Transfer] = [:]

  consuming func run() {
    while true {
      let (jobs, isClosed) = queue.removeAll()
      for job in jobs { start(job) }
      for (handle, result) in queue.multi.advance() { finish(handle, result) }
      // libcurl doesn't call the progress callback during name lookups and connection attempts.
      for transfer in running.values where transfer.job.isCancelled {
        finish(transfer.handle.pointer, CURLE_ABORTED_BY_CALLBACK)
      }
      // Each running call of `send` keeps the owner alive, so a closed queue has no running transfers.
      if isClosed, running.isEmpty { return }
      queue.multi.wait(milliseconds: 1000)
    }
  }

  private mutating func start(_ job: TransferJob) {
    if job.isCancelled { return job.continuation.resume(throwing: CancellationError()) }
    do {
      let transfer = try Transfer(job, options: options)
      guard queue.multi.add(transfer.handle) else { throw CurlError.setupFailed }
      running[transfer.handle.pointer] = transfer
      distributeLimit()
    } catch {
      job.continuation.resume(throwing: error)
    }
  }

  /// Gives each upload an equal part of the speed limit.
  private func distributeLimit() {
    guard let limit = options.maximumBytesPerSecond else { return }
    let uploads = running.values.filter(\.isUpload)
    for upload in uploads { upload.setLimit(bytesPerSecond: max(limit / uploads.count, 1)) }
  }

  private mutating func finish(_ handle: UnsafeMutableRawPointer, _ code: CURLcode) {
    guard let transfer = running.removeValue(forKey: handle) else { return }
    let result = transfer.result(code)
    queue.multi.remove(transfer.handle)
    distributeLimit()
    transfer.job.continuation.resume(with: result)
  }
}
