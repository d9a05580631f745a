/// What goes on beside the requests: files of deleted assets, events, pictures that are being drawn.
struct MuxBackground: Sendable {
  private let remover: AssetRemover
  private let courier: WebhookCourier
  private let shelf: AssetShelf

  init(
    store: ServerStore, folder: DataFolder, keys: ServerKeys, shelf: AssetShelf, configuration: LocalServerConfiguration
  ) {
    remover = AssetRemover(store: store, folder: folder, now: configuration.now, logger: configuration.logger)
    courier = WebhookCourier(
      store: store, secret: configuration.webhookSecret ?? keys.muxWebhookSecret, configuration: configuration)
    self.shelf = shelf
  }

  func start() async throws {
    try await courier.start()
    await remover.start()
  }

  func stopDrawing() async { await shelf.stop() }

  func stop() async {
    await stopDrawing()
    await remover.stop()
    await courier.stop()
  }
}
