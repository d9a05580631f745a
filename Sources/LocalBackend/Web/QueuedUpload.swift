/// A clip on its way from this machine, as `/uploads` shows it.
package struct QueuedUpload: Sendable, Equatable {
  package var id: String
  /// What people know it by: the name of its file.
  package var clip: String
  /// `uploading`, `registered`, …
  package var state: String
  /// Of the upload, once it began.
  package var sentByteCount: Int64?
  package var byteCount: Int64?
  /// Why it is not further, or was refused.
  package var reason: String?
  /// When it goes on, or what to run.
  package var next: String?
  /// Of the highlight on this server that it has become, lower case.
  package var highlightID: String?

  package init(id: String, clip: String, state: String) {
    self.id = id
    self.clip = clip
    self.state = state
  }
}

/// The report of a batch, as `/batches` shows it.
package struct ServedReport: Sendable {
  /// What people know it by.
  package var name: String
  /// Makes the page: a document of its own, whose only style is one `<style>` and whose pictures are `data:` URLs.
  package var html: @Sendable () async throws -> String

  package init(name: String, html: @escaping @Sendable () async throws -> String) {
    self.name = name
    self.html = html
  }
}
