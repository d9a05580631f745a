import CCurl
import Foundation
import Synchronization

/// Carries out HTTP transfers with libcurl on a thread of its own, so that nothing blocks in the cooperative pool.
///
/// Transfers run side by side and share kept-alive connections. Every call may be cancelled; it then throws
/// `CancellationError` at once. The thread ends when the last reference is gone.
public final class TransferThread: HTTPTransport {
  private let queue: TransferQueue

  /// - Throws: `CurlError` when libcurl cannot be set up.
  public init(options: TransferOptions = TransferOptions(), name: String = "transfers") throws(CurlError) {
    guard let multi = MultiHandle() else {
      throw CurlError(code: .outOfMemory, host: "", message: "libcurl could not be set up")
    }
    let queue = TransferQueue(multi: multi)
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

/// Set by whoever cancels, polled by libcurl's progress callback and by the transfer thread.
final class CancellationFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .acquiring) }

  func set() { flag.store(true, ordering: .releasing) }
}

/// A request with the task that waits for its answer.
struct TransferJob: Sendable {
  let request: HTTPRequest
  let progress: @Sendable (Int64) -> Void
  let cancellation: CancellationFlag
  let continuation: CheckedContinuation<HTTPResponse, any Error>

  var isCancelled: Bool { cancellation.isSet }
}

/// The way from the callers to the transfer thread.
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

  func take() -> (jobs: [TransferJob], isClosed: Bool) {
    state.withLock { state in
      defer { state.jobs = [] }
      return state
    }
  }
}

/// What the thread does: start what is new, move what runs, finish what ended, sleep.
private struct TransferLoop {
  let queue: TransferQueue
  let options: TransferOptions
  var running: [UnsafeMutableRawPointer: Transfer] = [:]

  init(queue: TransferQueue, options: TransferOptions) {
    self.queue = queue
    self.options = options
  }

  consuming func run() {
    while true {
      let (jobs, isClosed) = queue.take()
      for job in jobs { start(job) }
      for (handle, result) in queue.multi.advance() { finish(handle, result) }
      // libcurl's own callback is not called while it waits for a name or a connection, so cancelled ones are ended here.
      for transfer in running.values where transfer.job.isCancelled {
        finish(transfer.handle.pointer, CURLE_ABORTED_BY_CALLBACK)
      }
      // A caller in `send` keeps the owner alive, so nothing is running any more when the owner closes the queue.
      if isClosed, running.isEmpty { return }
      queue.multi.wait(milliseconds: 1000)
    }
  }

  private mutating func start(_ job: TransferJob) {
    if job.isCancelled { return job.continuation.resume(throwing: CancellationError()) }
    do {
      let transfer = try Transfer(job, options: options)
      guard queue.multi.add(transfer.handle) else {
        throw CurlError(code: .outOfMemory, host: "", message: "libcurl did not take the transfer")
      }
      running[transfer.handle.pointer] = transfer
      shareLimit()
    } catch {
      job.continuation.resume(throwing: error)
    }
  }

  /// All uploads together keep the limit, and each gets the same part of it.
  private func shareLimit() {
    guard let limit = options.highestBytesPerSecond else { return }
    let uploads = running.values.filter(\.isUpload)
    for upload in uploads { upload.limit(to: max(limit / uploads.count, 1)) }
  }

  private mutating func finish(_ handle: UnsafeMutableRawPointer, _ code: CURLcode) {
    guard let transfer = running.removeValue(forKey: handle) else { return }
    let result = transfer.result(code)
    queue.multi.remove(transfer.handle)
    shareLimit()
    transfer.job.continuation.resume(with: result)
  }
}
