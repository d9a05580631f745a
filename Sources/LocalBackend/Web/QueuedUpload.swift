/// An upload of this computer, as `/uploads` shows it.
package struct QueuedUpload: Sendable, Equatable {
  package var id: String
  /// The clip's file name.
  package var clip: String
  /// `uploading`, `registered`, …
  package var state: String
  /// The confirmed bytes, once the upload has started.
  package var sentByteCount: Int64?
  package var byteCount: Int64?
  /// Why the upload waits or was refused.
  package var reason: String?
  /// When the upload resumes, or which command to run.
  package var next: String?
  /// The ID of the resulting highlight on this server, in lower case.
  package var highlightID: String?

  package init(id: String, clip: String, state: String) {
    self.id = id
    self.clip = clip
    self.state = state
  }
}

/// The report of a batch, as `/batches` shows it.
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
