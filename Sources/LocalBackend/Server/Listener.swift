import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// The server's listening socket, with the task that accepts its connections.
struct Listener: Sendable {
  let port: Int
  let task: Task<Void, any Error>
  private let services: ServiceGroup

  /// The time that active requests get to finish after `stop()` is called.
  private static let gracePeriod = Duration.milliseconds(500)

  /// Starts listening on a port.
  /// - Parameters:
  ///   - idleSeconds: the number of seconds of inactivity after which a connection is closed.
  ///   - lingering: the limits for closing a connection after its last response.
  static func start(
    router: Router<BackendContext>, host: String = "127.0.0.1", port: LocalServerConfiguration.Port, idleSeconds: Int64,
    lingering: LingeringClose.Limits = .init(), logger: Logger
  ) async throws -> Listener {
    let http = HTTPServerBuilder.http1(
      configuration: .init(
        additionalChannelHandlers: [LingeringClose(limits: lingering)],
        idleTimeout: .seconds(idleSeconds),
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 32 * 1024, maxHeaderFieldCount: 100)))
    func listen(on port: Int) async throws -> Listener {
      let (ports, report) = AsyncStream<Int>.makeStream()
      let application = Application(
        router: router, server: http, configuration: .init(address: .hostname(host, port: port), serverName: "bsc"),
        onServerRunning: { channel in
          // `AcceptBackoffHandler` must be the first handler, so that the other handlers of the listening socket don't see its
          // errors.
          let pausing = channel.eventLoop.submit {
            try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler(), position: .first)
          }
          try? await pausing.get()
          report.yield(channel.localAddress?.port ?? port)
          report.finish()
        }, logger: logger)
      var group = ServiceGroupConfiguration(services: [application], logger: logger)
      group.maximumGracefulShutdownDuration = gracePeriod
      let services = ServiceGroup(configuration: group)
      let task = Task {
        defer { report.finish() }
        try await services.run()
      }
      for await port in ports { return Listener(port: port, task: task, services: services) }
      // The task ended before the server started listening. The task's error is the reason.
      throw await failure(of: task, host: host, port: port)
    }
    switch port {
    case .any: return try await listen(on: 0)
    case .exactly(let port): return try await listen(on: port)
    case .preferably(let port):
      do {
        return try await listen(on: port)
      } catch LocalBackendError.portTaken {
        return try await listen(on: 0)
      }
    }
  }

  /// Closes every connection. Active uploads record the bytes they have received.
  ///
  /// NIO traps if it accepts a connection that has no handler. Therefore, the listening socket and the idle connections
  /// close first. Active requests are canceled after the grace period.
  func stop() async {
    await services.triggerGracefulShutdown()
    _ = await task.result
  }

  private static func failure(of task: Task<Void, any Error>, host: String, port: Int) async -> LocalBackendError {
    guard case .failure(let error) = await task.result else {
      return .cannotListen(reason: "the server stopped right after it started")
    }
    switch (error as? IOError)?.errnoCode {
    case EADDRINUSE: return .portTaken(port)
    case EACCES: return .portForbidden(port)
    case let code where code == EADDRNOTAVAIL || error is SocketAddressError:
      return .addressElsewhere(host: host, own: LocalServer.networkAddresses)
    default: return .cannotListen(reason: "\(error)")
    }
  }
}
