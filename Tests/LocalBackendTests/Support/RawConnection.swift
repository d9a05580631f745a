import Foundation
import NIOPosix

// NIO's C module also contains the types of the socket functions, and the compiler can attribute them to it.
#if os(Linux)
import CNIOLinux
#endif

/// A TCP connection without an HTTP library, so that a test controls every byte and how the connection breaks.
final class RawConnection: Sendable {
  struct Failure: Error { var code: Int32 }

  private let descriptor: Int32
  // A separate pool, because a waiting read must not block the server's file work.
  private static let threads: NIOThreadPool = {
    let pool = NIOThreadPool(numberOfThreads: 8)
    pool.start()
    return pool
  }()

  init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Failure(code: errno) }
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) async throws {
    try await Self.threads.runIfActive { [descriptor] in
      var sent = 0
      while sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes {
          Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { throw Failure(code: errno) }
        sent += count
      }
    }
  }

  /// Reads until the server closes.
  func readToEnd() async throws -> [UInt8] { try await read { _ in false } }

  /// Reads until the text has arrived or the server closes.
  func read(until text: String) async throws -> String {
    String(decoding: try await read { String(decoding: $0, as: UTF8.self).contains(text) }, as: UTF8.self)
  }

  private func read(until isEnough: @escaping @Sendable ([UInt8]) -> Bool) async throws -> [UInt8] {
    try await Self.threads.runIfActive { [descriptor] in
      var all: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65536)
      while !isEnough(all) {
        let count = Foundation.read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return all }
        all += buffer[..<count]
      }
      return all
    }
  }

  /// Closes this side normally: the server reads the end of file.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Breaks the connection: the server gets a reset.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}
