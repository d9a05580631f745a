#if os(Linux)
import DurableFiles
import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import LocalBackend

/// Real connections in the kernel's own table.
@Suite struct PeerProcessTests {
  private let group = MultiThreadedEventLoopGroup.singleton

  /// A connection that was reset frees its port. The next connection from that port can belong to another user, and must
  /// not identify the first one, even while the server has not noticed the reset.
  @Test func aReusedPortDoesNotIdentifyTheEarlierConnection() async throws {
    let (accepted, accept) = AsyncStream<any Channel>.makeStream()
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup(numberOfThreads: 1))
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        accept.yield(channel)
        return channel.eventLoop.makeSucceededVoidFuture()
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let address = try #require(server.localAddress)
    func connect(from port: Int) async throws -> any Channel {
      let channel = try await ClientBootstrap(group: group).channelOption(.socketOption(.so_reuseaddr), value: 1)
        .bind(to: SocketAddress(ipAddress: "127.0.0.1", port: port)).connect(to: address).get()
      // Closing resets the connection, so that the kernel forgets it immediately.
      let options = try #require(channel as? any SocketOptionProvider)
      try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
      return channel
    }
    let first = try await connect(from: 0)
    let port = try #require(first.localAddress?.port)
    var connections = accepted.makeAsyncIterator()
    let channel = try #require(await connections.next())
    #expect(await !PeerProcess(channel: channel).isOwnedByOtherUser())
    // The server's event loop is busy, so it doesn't notice the reset.
    let isBusy = DispatchSemaphore(value: 0)
    let (begun, begin) = AsyncStream<Void>.makeStream()
    server.eventLoop.execute {
      begin.finish()
      isBusy.wait()
    }
    for await _ in begun {}
    try await first.close()
    let second = try await connect(from: port)
    #expect(channel.isActive)
    await confirmation("the kernel is queried") { isQueried in
      let peer = PeerProcess(channel: channel) { channel in
        isQueried()
        // The event loop handles this call before it checks its connections.
        let info = (channel as? any SocketOptionProvider)?.getTCPInfo()
        isBusy.signal()
        return try? await info?.get().tcpi_state
      }
      let isOwnedByOtherUser = await peer.isOwnedByOtherUser()
      isBusy.signal()
      #expect(isOwnedByOtherUser)
    }
    try await second.close()
    try await server.close()
  }
}
#endif
