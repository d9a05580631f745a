#if os(Linux)
  import DurableFiles
  import Foundation
  import NIOCore
  import NIOPosix
  import Testing

  @testable import LocalBackend

  /// Real connections in the kernel's real table.
  @Suite struct ConnectedProcessTests {
    private let group = MultiThreadedEventLoopGroup.singleton

    /// A connection that was reset frees its port: the next one from there is somebody else's, and says nothing about it,
    /// also while the server has not yet noticed.
    @Test func theNextConnectionFromAPortSaysNothingAboutTheLast() async throws {
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
        // Closing resets, and leaves nothing of the connection behind.
        let options = try #require(channel as? any SocketOptionProvider)
        try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        return channel
      }
      let first = try await connect(from: 0)
      let port = try #require(first.localAddress?.port)
      var connections = accepted.makeAsyncIterator()
      let channel = try #require(await connections.next())
      #expect(await !ConnectedProcess(channel: channel).isStranger())
      // The server's loop is busy in the meantime, and notices nothing.
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
      await confirmation("the kernel is asked") { isAsked in
        let peer = ConnectedProcess(channel: channel) { channel in
          isAsked()
          // The loop answers this before it looks for what has happened to its connections.
          let info = (channel as? any SocketOptionProvider)?.getTCPInfo()
          isBusy.signal()
          return try? await info?.get().tcpi_state
        }
        let isStranger = await peer.isStranger()
        isBusy.signal()
        #expect(isStranger)
      }
      try await second.close()
      try await server.close()
    }
  }
#endif
