import Foundation
import Hummingbird
import NIOCore

/// The process at the other end of a local connection.
///
/// Every user of this machine can connect to a port on 127.0.0.1. On Linux, the kernel reports the owner of the other
/// socket, so the server treats only its own user as the built-in user. On other systems, the server treats every user
/// of the machine as the built-in user.
struct PeerProcess: Sendable {
  /// The peer of the current request; `nil` if a token controls access.
  @TaskLocal static var current: PeerProcess?

  private let channel: any Channel
  private let kernelState: @Sendable (any Channel) async -> UInt8?

  /// Creates the peer of a connection.
  /// - Parameter kernelState: returns the connection's state in the kernel, or `nil` if it is unknown.
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

  /// Whether the peer runs neither as the server's user nor as root. The result is also true if the owner is unknown
  /// because the connection has ended or the kernel's table is unreadable.
  func isOwnedByOtherUser() async -> Bool {
    guard let remote = channel.remoteAddress.flatMap(SocketEndpoint.init),
      let local = channel.localAddress.flatMap(SocketEndpoint.init)
    else { return true }
    let isOther = (try? await runBlocking { try SocketTable.isOwnedByOtherUser(from: remote, to: local) }) ?? true
    // A closed connection frees its port, so the table's row may already describe the next connection.
    return isOther ? true : await !isOpen()
  }

  /// Whether the kernel still lists this connection. If it does, no other connection can have used the same two
  /// endpoints.
  private func isOpen() async -> Bool {
    #if os(Linux)
    guard let state = await kernelState(channel) else { return false }
    return SocketTable.openStates.contains(state)
    #else
    true
    #endif
  }
}

/// Middleware that makes each request's peer available as `PeerProcess.current`.
struct PeerProcessMiddleware: BackendMiddleware {
  @concurrent
  func handle(_ request: Request, context: BackendContext, next: Responder) async throws -> Response {
    try await PeerProcess.$current.withValue(context.peer) { try await next(request, context) }
  }
}
