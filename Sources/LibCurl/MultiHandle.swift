import CCurl
import CLazyLibrary

/// Owns a libcurl multi handle (`CURLM`), which runs multiple transfers on one thread and shares open connections among
/// them.
///
/// SAFETY: all members except `wakeUp` are called only on the transfer thread. libcurl allows calling
/// `curl_multi_wakeup` on any thread (curl_multi_wakeup(3)), and the handle exists until the last reference is
/// released.
final class MultiHandle: @unchecked Sendable {
  private let pointer: UnsafeMutableRawPointer

  init() throws(CurlError) {
    if let reason = bsc_curl_load() { throw CurlError(missingLibrary: String(cString: reason)) }
    guard let pointer = curl_multi_init() else { throw .setupFailed }
    self.pointer = pointer
  }

  deinit { curl_multi_cleanup(pointer) }

  func add(_ handle: EasyHandle) -> Bool { curl_multi_add_handle(pointer, handle.pointer) == CURLM_OK }

  func remove(_ handle: EasyHandle) { curl_multi_remove_handle(pointer, handle.pointer) }

  /// Continues all transfers without blocking.
  /// - Returns: the transfers that have ended since the last call.
  func performTransfers() -> [(handle: UnsafeMutableRawPointer, result: CURLcode)] {
    var runningCount: Int32 = 0
    curl_multi_perform(pointer, &runningCount)
    var ended: [(handle: UnsafeMutableRawPointer, result: CURLcode)] = []
    var remainingCount: Int32 = 0
    while let message = curl_multi_info_read(pointer, &remainingCount) {
      guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
      ended.append((handle, bsc_curl_message_result(message)))
    }
    return ended
  }

  /// Blocks until a socket is ready, `wakeUp()` is called, or the timeout has elapsed.
  func wait(milliseconds: Int32) { curl_multi_poll(pointer, nil, 0, milliseconds, nil) }

  func wakeUp() { curl_multi_wakeup(pointer) }
}
