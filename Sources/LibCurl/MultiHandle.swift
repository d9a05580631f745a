import CCurl

/// Owns a libcurl multi handle (`CURLM`): several transfers on one thread that share open connections.
///
/// SAFETY: every member but `wakeUp` is called on the transfer thread alone; `curl_multi_wakeup` is the one function
/// libcurl allows from any thread (curl_multi_wakeup(3)), and the handle lives until the last reference is gone.
final class MultiHandle: @unchecked Sendable {
  private let pointer: UnsafeMutableRawPointer

  init() throws(CurlError) {
    guard let pointer = curl_multi_init() else { throw .setupFailed }
    self.pointer = pointer
  }

  deinit { curl_multi_cleanup(pointer) }

  func add(_ handle: EasyHandle) -> Bool { curl_multi_add_handle(pointer, handle.pointer) == CURLM_OK }

  func remove(_ handle: EasyHandle) { curl_multi_remove_handle(pointer, handle.pointer) }

  /// Continues every transfer without blocking.
  /// - Returns: the transfers that have ended.
  func advance() -> [(handle: UnsafeMutableRawPointer, result: CURLcode)] {
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

  /// Blocks until a socket is ready, `wakeUp` is called, or the time has passed.
  func wait(milliseconds: Int32) { curl_multi_poll(pointer, nil, 0, milliseconds, nil) }

  func wakeUp() { curl_multi_wakeup(pointer) }
}
