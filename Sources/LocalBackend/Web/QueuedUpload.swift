/// An upload from this computer, as shown on the `/uploads` page.
package struct QueuedUpload: Sendable, Equatable {
  package var id: String
  /// The file name of the clip.
  package var clip: String
  /// The upload's state, such as `uploading` or `registered`.
  package var state: String
  /// Whether a process works on the upload.
  package var isRunning = false
  /// The number of bytes that the server has acknowledged; `nil` until the upload has started.
  package var sentByteCount: Int64?
  package var byteCount: Int64?
  /// The reason why the upload is waiting or was rejected.
  package var reason: String?
  /// The next step: the time at which the upload resumes, or a command for the user to run.
  package var next: String?
  /// The ID of the resulting highlight on this server, in lowercase.
  package var highlightID: String?

  package init(id: String, clip: String, state: String) {
    self.id = id
    self.clip = clip
    self.state = state
  }
}

/// A batch report, as the page `/batches` lists it.
package struct ServedReport: Sendable {
  /// The report's display name.
  package var name: String
  /// Renders the report as a complete HTML document, which has a single `<style>` element and whose images are `data:`
  /// URLs.
  package var html: @Sendable () async throws -> String

  package init(name: String, html: @escaping @Sendable () async throws -> String) {
    self.name = name
    self.html = html
  }
}
