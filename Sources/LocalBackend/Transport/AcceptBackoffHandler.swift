import Foundation
import NIOCore

/// Stops accepting connections while the system has no file descriptors or memory for new ones.
///
/// During the pause, new connections wait in the kernel's queue. If there were no pause, the event loop would retry the
/// failing call continuously and use an entire core. The server resumes accepting when one of its connections closes,
/// and also retries every second, because other processes release file descriptors too.
final class AcceptBackoffHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel
  typealias OutboundIn = Never
  typealias OutboundOut = Never

  private static let interval = TimeAmount.seconds(1)

  private var resumption: Scheduled<Void>?

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).assumeIsolated().whenComplete { _ in
      self.resume(context)
    }
    context.fireChannelRead(data)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let code = (error as? IOError)?.errnoCode, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) else {
      return context.fireErrorCaught(error)
    }
    // After the failed call, the channel is still registered for reading. Turning off `autoRead` ends the registration.
    setAccepting(false, context)
    resumption?.cancel()
    resumption = context.eventLoop.assumeIsolated().scheduleTask(in: Self.interval) { self.resume(context) }
  }

  func read(context: ChannelHandlerContext) {
    // During a pause, `resume` starts the next read.
    if resumption == nil { context.read() }
  }

  func channelInactive(context: ChannelHandlerContext) {
    stopWaiting()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { stopWaiting() }

  private func resume(_ context: ChannelHandlerContext) {
    guard resumption != nil else { return }
    stopWaiting()
    setAccepting(true, context)
  }

  private func stopWaiting() {
    resumption?.cancel()
    resumption = nil
  }

  private func setAccepting(_ isAccepting: Bool, _ context: ChannelHandlerContext) {
    try? context.channel.syncOptions?.setOption(.autoRead, value: isAccepting)
  }
}

@available(*, unavailable)
extension AcceptBackoffHandler: Sendable {}
