/// A clip on its way from this machine, as `/uploads` shows it.
public struct QueuedUpload: Sendable, Equatable {
  public var id: String
  /// What people know it by: the name of its file.
  public var clip: String
  /// `uploading`, `registered`, …
  public var state: String
  /// Of the upload, once it began.
  public var sentByteCount: Int64?
  public var byteCount: Int64?
  /// Why it is not further, or was refused.
  public var reason: String?
  /// When it goes on, or what to run.
  public var next: String?
  /// Of the highlight on this server that it has become, lower case.
  public var highlightID: String?

  public init(id: String, clip: String, state: String) {
    self.id = id
    self.clip = clip
    self.state = state
  }
}

/// The report of a batch, as `/batches` shows it.
public struct ServedReport: Sendable {
  /// What people know it by.
  public var name: String
  /// Makes the page: a document of its own, whose only style is one `<style>` and whose pictures are `data:` URLs.
  public var html: @Sendable () async throws -> String

  public init(name: String, html: @escaping @Sendable () async throws -> String) {
    self.name = name
    self.html = html
  }
}
