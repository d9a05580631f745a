/// An upload from this computer, as shown on `/uploads`.
package struct QueuedUpload: Sendable, Equatable {
  package var id: String
  /// The clip's file name.
  package var clip: String
  /// The state: `uploading`, `registered`, …
  package var state: String
  /// The number of acknowledged bytes, once the upload has started.
  package var sentByteCount: Int64?
  package var byteCount: Int64?
  /// The reason why the upload is waiting or was rejected.
  package var reason: String?
  /// The time at which the upload resumes, or the command to run.
  package var next: String?
  /// The ID of the resulting highlight on this server, in lowercase.
  package var highlightID: String?

  package init(id: String, clip: String, state: String) {
    self.id = id
    self.clip = clip
    self.state = state
  }
}

/// The report of a batch, as shown on `/batches`.
package struct ServedReport: Sendable {
  /// The display name.
  package var name: String
  /// Renders the page: a complete document with a single `<style>`, whose images are `data:` URLs.
  package var html: @Sendable () async throws -> String

  package init(name: String, html: @escaping @Sendable () async throws -> String) {
    self.name = name
    self.html = html
  }
}
