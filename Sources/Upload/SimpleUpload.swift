public import ClipModel

extension DirectUpload {
  /// Sends a whole file to a URL that somebody was given, or the rest of it: the server is asked first what it holds.
  /// - Parameters:
  ///   - source: what is sent.
  ///   - url: absolute, `http` or `https`; a direct upload of Mux, or a resumable session of Google Cloud Storage. It
  ///     is the credential: it is not kept, and no error names it.
  ///   - contentType: what the server is told the file is.
  ///   - progress: called on any thread, often.
  /// - Throws: ``UploadError``, `CancellationError`. What the server has confirmed by then stays there: the same call
  ///   again sends the rest.
  public func upload(
    _ source: some UploadSource, to url: String, contentType: String = "video/mp4",
    progress: @escaping @Sendable (UploadProgress) -> Void = { _ in }
  ) async throws -> UploadReceipt {
    try await upload(
      source,
      session: UploadSession(uploadID: "", byteCount: source.byteCount ?? 0, confirmedOffset: 0, expiresAt: 0),
      start: .resumed, contentType: contentType, resolveURL: { url }, save: { _ in }, progress: progress)
  }
}
