import Foundation
import GRDB
import LibCurl
import Logging

/// Brings events to the webhooks, each address on its own: signed, and again until one is taken or a day is over.
///
/// An event goes with the transaction that it tells of into the database and leaves it when it was taken, so a restart
/// loses none; one that was taken while the server died comes twice, as it does from Mux.
actor WebhookDispatcher: BackgroundService {
  private let server: ServerDependencies
  private let schedule: WebhookSchedule
  private var logger: Logger { server.configuration.logger }
  private var observation: AnyDatabaseCancellable?
  private var bells: [AsyncStream<Void>.Continuation] = []
  private var workers: [Task<Void, Never>] = []

  /// For one whole try.
  private static let patience = Duration.seconds(10)
  /// Without a byte.
  private static let silence = Duration.seconds(5)
  /// The longest time between two reads of the clock, which may have been set.
  private static let longestNap = 60.0
  /// The number of tries that `attempts` lists.
  private static let toldTries = 30

  init(_ server: ServerDependencies) {
    self.server = server
    schedule = WebhookSchedule(firstPause: server.configuration.webhookFirstPause)
  }

  /// - Throws: `CurlError` when libcurl cannot be set up.
  func start() async throws {
    let urls = server.configuration.webhooks.map(\.absoluteString)
    try await server.store.setWebhooks(urls, now: server.now)
    guard !urls.isEmpty else { return }
    let transport = try TransferThread(
      options: TransferOptions(connectTimeout: Self.silence, stallWindow: Self.silence), name: "webhooks")
    for url in Set(urls) {
      let (calls, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
      bells.append(bell)
      workers.append(Task { await self.work(url, transport, calls, bell) })
    }
    observation = DatabaseRegionObservation(tracking: Table("webhook_deliveries")).start(in: server.store.database) {
      [logger] error in
      logger.error("events are not watched", metadata: ["error": "\(error)"])
    } onChange: { [bells] _ in
      for bell in bells { bell.yield() }
    }
  }

  func stop() async {
    observation?.cancel()
    observation = nil
    for worker in workers { worker.cancel() }
    for bell in bells { bell.finish() }
    for worker in workers { await worker.value }
    workers = []
  }

  private func work(
    _ url: String, _ transport: any HTTPTransport, _ calls: AsyncStream<Void>, _ bell: AsyncStream<Void>.Continuation
  ) async {
    var calls = calls.makeAsyncIterator()
    while !Task.isCancelled {
      var nap = Self.longestNap
      do {
        if let delivery = try await server.store.dueDelivery(to: url, now: server.now) {
          try await deliver(delivery, transport)
          continue
        }
        if let next = try await server.store.nextDelivery(to: url) {
          nap = min(next - server.now.timeIntervalSince1970, nap)
        }
      } catch is CancellationError {
        return
      } catch {
        logger.error("events are not sent", metadata: ["error": "\(error)"])
      }
      let seconds = max(nap, 0.001)
      let alarm = Task {
        try await Task.sleep(for: .seconds(seconds))
        bell.yield()
      }
      await calls.next()
      alarm.cancel()
    }
  }

  private func deliver(_ delivery: WebhookDelivery, _ transport: any HTTPTransport) async throws {
    let body = delivery.body
    let secret = server.configuration.webhookSecret ?? server.keys.muxWebhookSecret
    let seconds = server.now.timeIntervalSince1970
    let request = HTTPRequest(
      .post, url: delivery.url,
      headers: [
        "Content-Type": "application/json",
        "Mux-Signature": MuxSignature.header(of: body, secret: secret, seconds: Int64(seconds)),
      ], body: .data(body), maximumAnswerByteCount: 16 * 1024)
    let answer = try await Self.send(request, transport)
    try Task.checkCancellation()
    if let answer, (200..<300).contains(answer.status) { return try await server.store.endDelivery(delivery.sequence) }
    let tries = delivery.attemptCount + 1
    guard let due = schedule.due(afterTries: tries, created: delivery.createdAt, now: seconds) else {
      logger.warning("an event was given up", metadata: ["tries": "\(tries)"])
      return try await server.store.endDelivery(delivery.sequence)
    }
    let attempts = try delivery.attempts(
      with: Attempt(delivery, answer, maximum: schedule.maximumTries, at: server.now))
    try await server.store.postponeDelivery(delivery, attempts: attempts, due: due)
  }

  /// - Returns: `nil` when no answer came in time.
  /// - Throws: `CancellationError`
  private static func send(_ request: HTTPRequest, _ transport: any HTTPTransport) async throws -> HTTPResponse? {
    try await withThrowingTaskGroup(of: HTTPResponse?.self) { group in
      group.addTask {
        do {
          return try await transport.send(request)
        } catch is CurlError {
          return nil
        }
      }
      group.addTask {
        try await Task.sleep(for: patience)
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }

  /// A try as the later ones list it.
  fileprivate struct Attempt: Codable {
    var id: String
    var address: String
    var createdAt: String
    var maxAttempts: Int
    var responseStatusCode: Int?
    var responseBody: String?
    var responseHeaders: [String: String] = [:]
    var webhookID = 1

    enum CodingKeys: String, CodingKey {
      case id, address
      case createdAt = "created_at"
      case maxAttempts = "max_attempts"
      case responseStatusCode = "response_status_code"
      case responseBody = "response_body"
      case responseHeaders = "response_headers"
      case webhookID = "webhook_id"
    }

    init(_ delivery: WebhookDelivery, _ answer: HTTPResponse?, maximum: Int, at now: Date) {
      id = UUID().uuidString.lowercased()
      address = delivery.url
      createdAt = timestampText(now).replacing("+00:00", with: "Z")
      maxAttempts = maximum
      responseStatusCode = answer?.status
      responseBody = answer.map { String($0.text.prefix(1000)) }
    }
  }

  fileprivate static func told(_ attempts: [Attempt]) -> ArraySlice<Attempt> { attempts.suffix(toldTries) }
}

extension WebhookDelivery {
  /// `attempts` with one more.
  fileprivate func attempts(with attempt: WebhookDispatcher.Attempt) throws -> String {
    let before = try JSONDecoder().decode([WebhookDispatcher.Attempt].self, from: Data(attempts.utf8))
    let told = Array(WebhookDispatcher.told(before + [attempt]))
    return String(decoding: try JSONEncoder.data(of: told), as: UTF8.self)
  }
}
