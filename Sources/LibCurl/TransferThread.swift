import CCurl
import Foundation
import Synchronization

/// Runs HTTP transfers with libcurl on a separate thread, to avoid blocking the cooperative thread pool.
///
/// Transfers run concurrently and share open connections. If the calling task is canceled, `send` throws
/// `CancellationError` immediately. The thread ends when the last reference to this object is released.
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
    let cancellation = TransferCancellation()
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

/// A cancellation flag, which is set by the canceled task and read by the transfer thread and libcurl's progress
/// callback.
final class TransferCancellation: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .acquiring) }

  func set() { flag.store(true, ordering: .releasing) }
}

/// A request, and the continuation of the task that is waiting for the response.
struct TransferJob: Sendable {
  let request: HTTPRequest
  let progress: @Sendable (Int64) -> Void
  let cancellation: TransferCancellation
  let continuation: CheckedContinuation<HTTPResponse, any Error>

  var isCanceled: Bool { cancellation.isSet }
}

/// A queue that passes jobs from the callers to the transfer thread.
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

/// The loop of the transfer thread, which starts new transfers, continues running transfers, and completes finished
/// transfers.
private struct TransferLoop {
  let queue: TransferQueue
  let options: TransferOptions
  var running: [UnsafeMutableRawPointer: Transfer] = [:]

  consuming func run() {
    while true {
      let (jobs, isClosed) = queue.removeAll()
      for job in jobs { startTransfer(job) }
      for (handle, result) in queue.multi.performTransfers() { completeTransfer(handle, result) }
      // Check for cancellation here, because libcurl doesn't call the progress callback during name lookups and
      // connection attempts.
      for transfer in running.values where transfer.job.isCanceled {
        completeTransfer(transfer.handle.pointer, CURLE_ABORTED_BY_CALLBACK)
      }
      // Each running call to `send` retains the owner of the queue, so a closed queue has no running transfers.
      if isClosed, running.isEmpty { return }
      queue.multi.wait(milliseconds: 1000)
    }
  }

  private mutating func startTransfer(_ job: TransferJob) {
    if job.isCanceled { return job.continuation.resume(throwing: CancellationError()) }
    do {
      let transfer = try Transfer(job, options: options)
      guard queue.multi.add(transfer.handle) else { throw CurlError.setupFailed }
      running[transfer.handle.pointer] = transfer
      distributeSpeedLimit()
    } catch {
      job.continuation.resume(throwing: error)
    }
  }

  /// Divides the speed limit equally among the uploads.
  private func distributeSpeedLimit() {
    guard let limit = options.maximumBytesPerSecond else { return }
    let uploads = running.values.filter(\.isUpload)
    for upload in uploads { upload.setSpeedLimit(bytesPerSecond: max(limit / uploads.count, 1)) }
  }

  private mutating func completeTransfer(_ handle: UnsafeMutableRawPointer, _ code: CURLcode) {
    guard let transfer = running.removeValue(forKey: handle) else { return }
    let result = transfer.result(code)
    queue.multi.remove(transfer.handle)
    distributeSpeedLimit()
    transfer.job.continuation.resume(with: result)
  }
}
