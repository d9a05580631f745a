import ClipModel
import Highlights

/// Prompts the user to sign in when a request requires a session. The prompt appears at most once per run.
package actor LazySignIn {
  private let prompt: (@Sendable (SupabaseProject) async throws -> Void)?
  private var attempt: Task<Void, any Error>?

  /// - Parameter prompt: signs the user in and stores the session, or `nil` if there is no terminal.
  package init(prompt: (@Sendable (SupabaseProject) async throws -> Void)?) { self.prompt = prompt }

  /// Waits until the user is signed in.
  /// - Parameter missing: the error to throw if the user cannot be prompted.
  func signIn(_ project: SupabaseProject, missing: AuthError) async throws {
    guard let prompt, !project.signIn.isGiven else {
      throw HighlightsError.notAuthorized(operation: "share", reason: missing.explanation.why)
    }
    // If the user declines the prompt, don't repeat it for the next clip.
    let task = attempt ?? Task { try await prompt(project) }
    attempt = task
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
