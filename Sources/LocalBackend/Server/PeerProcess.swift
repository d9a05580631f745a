import Foundation
import Hummingbird
import NIOCore

/// The process at the other end of a local connection, and whether it runs as the same user as the server.
///
/// Every account of the machine can connect to a port of 127.0.0.1. On Linux, the kernel reports the owner of the other
/// socket, so that other users aren't treated as the built-in user. On other systems, all users of the machine are.
struct PeerProcess: Sendable {
  /// The peer of the current request; `nil` if access is controlled by a token.
  @TaskLocal static var current: PeerProcess?

  private let channel: any Channel
  private let kernelState: @Sendable (any Channel) async -> UInt8?

  /// - Parameter kernelState: returns the kernel's state of the connection, or `nil` if it is unknown.
  init(
    channel: any Channel, kernelState: @escaping @Sendable (any Channel) async -> UInt8? = PeerProcess.kernelState
  ) {
    self.channel = channel
    self.kernelState = kernelState
  }

  private static let kernelState: @Sendable (any Channel) async -> UInt8? = { channel in
    #if os(Linux)
      try? await (channel as? any SocketOptionProvider)?.getTCPInfo().get().tcpi_state
    #else
      nil
    #endif
  }

  /// Whether the peer runs neither as the server's user nor as root. Also true if the owner cannot be determined
  /// because the connection has ended or the kernel's table cannot be read.
  func isOwnedByOtherUser() async -> Bool {
    guard let remote = channel.remoteAddress.flatMap(SocketEnd.init),
      let local = channel.localAddress.flatMap(SocketEnd.init)
    else { return true }
    let isOther = (try? await blocking { try SocketTable.isOwnedByOtherUser(from: remote, to: local) }) ?? true
    // A closed connection frees its port, and the table's row may already describe the next connection.
    return isOther ? true : await !isOpen()
  }

  /// Whether the kernel still has this connection. If it does, no other connection can have had the same two ends in
  /// the meantime.
  private func isOpen() async -> Bool {
    #if os(Linux)
      guard let state = await kernelState(channel) else { return false }
      return SocketTable.openStates.contains(state)
    #else
      true
    #endif
  }
}

/// Makes the peer of each request available as `PeerProcess.current`.
struct PeerProcessMiddleware: BackendMiddleware {
  @concurrent
  func handle(_ request: Request, context: BackendContext, next: Responder) async throws -> Response {
    try await PeerProcess.$current.withValue(context.peer) { try await next(request, context) }
  }
}
