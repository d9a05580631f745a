#if os(Linux)
  import DurableFiles
  import Foundation
  import NIOCore
  import NIOPosix
  import Synchronization
  import Testing

  @testable import LocalBackend

  /// Real connections in the kernel's real table.
  @Suite struct PeerProcessTests {
    private let group = MultiThreadedEventLoopGroup.singleton

    /// A connection that was reset frees its port: the next one from there is somebody else's, and says nothing about it,
    /// also while the server has not yet noticed.
    @Test func theNextConnectionFromAPortSaysNothingAboutTheLast() async throws {
      let accepted = Mutex<[any Channel]>([])
      let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup(numberOfThreads: 1))
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelInitializer { channel in
          accepted.withLock { $0.append(channel) }
          return channel.eventLoop.makeSucceededVoidFuture()
        }
        .bind(host: "127.0.0.1", port: 0).get()
      let address = try #require(server.localAddress)
      func connect(from port: Int) async throws -> any Channel {
        let channel = try await ClientBootstrap(group: group).channelOption(.socketOption(.so_reuseaddr), value: 1)
          .bind(to: SocketAddress(ipAddress: "127.0.0.1", port: port)).connect(to: address).get()
        // Closing resets, and leaves nothing of the connection behind.
        let options = try #require(channel as? any SocketOptionProvider)
        try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        return channel
      }
      let first = try await connect(from: 0)
      let port = try #require(first.localAddress?.port)
      var channel: (any Channel)?
      while channel == nil {
        try await Task.sleep(for: .milliseconds(1))
        channel = accepted.withLock { $0.first }
      }
      let peer = PeerProcess(channel: try #require(channel))
      #expect(await !peer.isStranger())
      // The server's loop is busy meanwhile, and notices nothing.
      let isBusy = DispatchSemaphore(value: 0)
      server.eventLoop.execute { isBusy.wait() }
      try await first.close()
      let second = try await connect(from: port)
      async let isStranger = peer.isStranger()
      try await Task.sleep(for: .milliseconds(300))
      isBusy.signal()
      #expect(await isStranger)
      try await second.close()
      try await server.close()
    }
  }
#endif
