import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// The listening socket and the task that serves it.
struct Listener: Sendable {
  let port: Int
  let task: Task<Void, any Error>
  private let services: ServiceGroup

  /// How long running requests may go on after `stop()`.
  private static let grace = Duration.milliseconds(500)

  /// Listens on a port.
  /// - Parameters:
  ///   - idleSeconds: time without a byte after which a connection is closed.
  ///   - lingering: how a connection ends after its last answer.
  static func start(
    router: Router<BackendContext>, host: String = "127.0.0.1", port: LocalServerConfiguration.Port, idleSeconds: Int64,
    lingering: LingeringClose.Limits = .init(), logger: Logger
  ) async throws -> Listener {
    func listen(_ port: Int) async throws -> Listener {
      try await self.listen(
        router, host: host, port: port, idleSeconds: idleSeconds, lingering: lingering, logger: logger)
    }
    switch port {
    case .any: return try await listen(0)
    case .exactly(let port): return try await listen(port)
    case .preferably(let port):
      do {
        return try await listen(port)
      } catch LocalBackendError.portTaken {
        return try await listen(0)
      }
    }
  }

  /// Ends every connection; bytes that came so far are recorded by their requests.
  ///
  /// In this order, because NIO ends the process when a connection is accepted that nobody handles: first the listening
  /// socket closes and idle connections go, then, after the grace, what still runs is cancelled.
  func stop() async {
    await services.triggerGracefulShutdown()
    _ = await task.result
  }

  private static func listen(
    _ router: Router<BackendContext>, host: String, port: Int, idleSeconds: Int64, lingering: LingeringClose.Limits,
    logger: Logger
  ) async throws -> Listener {
    let (ports, report) = AsyncStream<Int>.makeStream()
    let http = HTTPServerBuilder.http1(
      configuration: .init(
        additionalChannelHandlers: [LingeringClose(limits: lingering)],
        idleTimeout: .seconds(idleSeconds),
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 32 * 1024, maxHeaderFieldCount: 100)))
    let application = Application(
      router: router, server: http,
      configuration: .init(address: .hostname(host, port: port), serverName: "bsc"),
      onServerRunning: { channel in
        // First, so that the other handlers of the listening socket don't see its errors.
        let pausing = channel.eventLoop.submit {
          try channel.pipeline.syncOperations.addHandler(AcceptPause(), position: .first)
        }
        try? await pausing.get()
        report.yield(channel.localAddress?.port ?? port)
        report.finish()
      },
      logger: logger)
    var group = ServiceGroupConfiguration(services: [application], logger: logger)
    group.maximumGracefulShutdownDuration = grace
    let services = ServiceGroup(configuration: group)
    let task = Task {
      defer { report.finish() }
      try await services.run()
    }
    for await port in ports { return Listener(port: port, task: task, services: services) }
    // The task ended without listening: its error is the reason.
    do {
      try await task.value
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      throw LocalBackendError.portTaken(port)
    } catch let error as IOError where error.errnoCode == EACCES {
      throw LocalBackendError.portForbidden(port)
    } catch let error where (error as? IOError)?.errnoCode == EADDRNOTAVAIL || error is SocketAddressError {
      throw LocalBackendError.addressElsewhere(host: host, own: LocalServer.networkAddresses)
    } catch {
      throw LocalBackendError.cannotListen(reason: "\(error)")
    }
    throw LocalBackendError.cannotListen(reason: "the server ended at once")
  }
}
