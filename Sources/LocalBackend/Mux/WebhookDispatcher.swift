import Foundation
import GRDB
import LibCurl
import Logging

/// Delivers signed events to webhooks. The dispatcher handles each URL independently and retries each delivery for a
/// day.
///
/// The server stores an event in the transaction of the change that the event reports, and removes the event after its
/// delivery. Therefore, a restart loses no events. If the server is killed right after a delivery, it sends the event
/// again, as Mux does.
actor WebhookDispatcher: BackgroundService {
  private let server: ServerDependencies
  private let schedule: WebhookSchedule
  private var logger: Logger { server.configuration.logger }
  private var workers: [Task<Void, Never>] = []

  /// The maximum time for connecting to a webhook, and the maximum time without receiving a byte.
  private static let stallTimeout = Duration.seconds(5)
  private static let attemptTimeout = Duration.seconds(10)
  /// The maximum number of seconds between two readings of the clock. The user may change the clock at any time.
  private static let maximumPause = 60.0
  /// The maximum number of earlier attempts in `attempts`.
  private static let listedAttempts = 30

  init(_ server: ServerDependencies) {
    self.server = server
    schedule = WebhookSchedule(firstPause: server.configuration.webhookFirstPause)
  }

  /// Starts a delivery task for each webhook URL.
  /// - Throws: `CurlError` if libcurl cannot be initialized.
  func start() async throws {
    let urls = server.configuration.webhooks.map(\.absoluteString)
    try await server.store.setWebhooks(urls, now: server.now)
    guard !urls.isEmpty else { return }
    let transport = try TransferThread(
      options: TransferOptions(connectTimeout: Self.stallTimeout, stallWindow: Self.stallTimeout), name: "webhooks")
    workers = Set(urls).map { url in Task { await self.deliverEvents(url, transport) } }
  }

  func stop() async {
    for worker in workers { worker.cancel() }
    for worker in workers { await worker.value }
    workers = []
  }

  private func deliverEvents(_ url: String, _ transport: any HTTPTransport) async {
    let (changes, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let observation = DatabaseRegionObservation(tracking: Table("webhook_deliveries")).start(in: server.store.database)
    {
      [logger] error in
      logger.error("cannot observe webhook deliveries", metadata: ["error": "\(error)"])
    } onChange: { _ in
      signal.yield()
    }
    defer { observation.cancel() }
    var iterator = changes.makeAsyncIterator()
    while !Task.isCancelled {
      var pause = Self.maximumPause
      do {
        if let delivery = try await server.store.nextDelivery(to: url) {
          let seconds = delivery.dueAt - server.now.timeIntervalSince1970
          if seconds <= 0 {
            try await deliver(delivery, transport)
            continue
          }
          pause = min(max(seconds, 0.001), pause)
        }
      } catch is CancellationError {
        return
      } catch {
        logger.error("cannot deliver webhook events", metadata: ["error": "\(error)"])
      }
      let timer = Task { [pause] in
        try await Task.sleep(for: .seconds(pause))
        signal.yield()
      }
      await iterator.next()
      timer.cancel()
    }
  }

  private func deliver(_ delivery: WebhookDelivery, _ transport: any HTTPTransport) async throws {
    let body = delivery.body
    let secret = server.configuration.webhookSecret ?? server.keys.muxWebhookSecret
    let seconds = server.now.timeIntervalSince1970
    var request = HTTPRequest(
      .post, url: delivery.url,
      headers: [
        "Content-Type": "application/json",
        "Mux-Signature": MuxSignature.header(of: body, secret: secret, seconds: Int64(seconds)),
      ], body: .data(body), maximumResponseByteCount: 16 * 1024)
    request.responseTimeout = Self.stallTimeout
    var response: HTTPResponse?
    do {
      // The other timeouts restart with each byte. A receiver that responds one byte at a time needs a limit for the
      // complete attempt.
      response = try await withThrowingTaskGroup(of: HTTPResponse?.self) { [request] group in
        defer { group.cancelAll() }
        group.addTask { try await transport.send(request) }
        group.addTask {
          try await Task.sleep(for: Self.attemptTimeout)
          return nil
        }
        return try await group.next() ?? nil
      }
    } catch let error as CurlError {
      logger.debug("a webhook did not respond", metadata: ["error": "\(error)"])
    }
    try Task.checkCancellation()
    if let response, (200..<300).contains(response.status) {
      return try await server.store.endDelivery(delivery.sequence)
    }
    let count = delivery.attemptCount + 1
    guard let due = schedule.nextAttempt(afterAttempts: count, created: delivery.createdAt, now: seconds) else {
      logger.warning("stopped retrying a webhook event", metadata: ["attempts": "\(count)"])
      return try await server.store.endDelivery(delivery.sequence)
    }
    let attempt = Attempt(
      address: delivery.url, createdAt: timestampText(server.now).replacing("+00:00", with: "Z"),
      maxAttempts: schedule.maximumAttempts, responseStatusCode: response?.status,
      responseBody: response.map { String($0.text.prefix(1000)) })
    let earlier = try JSONDecoder.snakeCase.decode([Attempt].self, from: Data(delivery.attempts.utf8))
    let attempts = try JSONEncoder.data(of: Array((earlier + [attempt]).suffix(Self.listedAttempts)))
    try await server.store.postponeDelivery(delivery, attempts: String(decoding: attempts, as: UTF8.self), due: due)
  }

  /// A failed delivery attempt, which the event lists in later attempts.
  private struct Attempt: Codable {
    var id = UUID().uuidString.lowercased()
    var address: String
    var createdAt: String
    var maxAttempts: Int
    var responseStatusCode: Int?
    var responseBody: String?
    var responseHeaders: [String: String] = [:]
    var webhookID = 1
  }
}
