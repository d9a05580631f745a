import ClipModel
import Highlights

/// Prompts the user to sign in when a request requires a session, at most once per run.
package actor LazySignIn {
  private let prompt: (@Sendable (SupabaseProject) async throws -> Void)?
  private var attempt: Task<Void, any Error>?

  /// - Parameter prompt: signs in and stores the session; `nil` without a terminal.
  package init(prompt: (@Sendable (SupabaseProject) async throws -> Void)?) { self.prompt = prompt }

  /// Returns when the user is signed in.
  /// - Parameter missing: the error to throw if the user cannot be prompted.
  func signIn(_ project: SupabaseProject, missing: AuthError) async throws {
    guard let prompt, !project.signIn.isGiven else {
      throw HighlightsError.notAuthorized(operation: "share", reason: missing.explanation.why)
    }
    // A declined prompt is not repeated for the next clip.
    let task = attempt ?? Task { try await prompt(project) }
    attempt = task
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
