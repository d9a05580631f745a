import Foundation
import Hummingbird
import NIOCore

/// The process at the other end of a connection from this machine: whether it is the server's own user's.
///
/// A port of 127.0.0.1 is open to every account of the machine. Linux tells whose socket the other end is, so that
/// nobody else passes for the built-in user; on other systems everybody on the machine does.
struct ConnectedProcess: Sendable {
  /// Of the request that is answered now; `nil` where a token decides who has access.
  @TaskLocal static var current: ConnectedProcess?

  private let channel: any Channel
  private let kernelState: @Sendable (any Channel) async -> UInt8?

  /// - Parameter kernelState: the kernel's state of the connection; `nil` when it is unknown.
  init(
    channel: any Channel, kernelState: @escaping @Sendable (any Channel) async -> UInt8? = ConnectedProcess.kernelState
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

  /// Whether it is neither the server's own user's nor root's. Also for a connection that nobody holds any more, and where
  /// the kernel's answer cannot be read: whose it is cannot be told then.
  func isStranger() async -> Bool {
    guard let remote = channel.remoteAddress.flatMap(SocketEnd.init),
      let local = channel.localAddress.flatMap(SocketEnd.init)
    else { return true }
    let isStranger = (try? await blocking { try SocketTable.isStranger(from: remote, to: local) }) ?? true
    // A connection that has ended frees its port, and the table's row may be that of the next one.
    return isStranger ? true : await !isOpen()
  }

  /// The kernel still has this connection: no other one can have had its two ends up to now.
  private func isOpen() async -> Bool {
    #if os(Linux)
      guard let state = await kernelState(channel) else { return false }
      return SocketTable.open.contains(state)
    #else
      true
    #endif
  }
}

/// Notes for each request which connection it came by.
struct PeerNote: BackendMiddleware {
  @concurrent
  func handle(_ request: Request, context: BackendContext, next: Responder) async throws -> Response {
    try await ConnectedProcess.$current.withValue(context.peer) { try await next(request, context) }
  }
}
