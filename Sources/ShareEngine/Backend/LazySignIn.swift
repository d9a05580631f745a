import ClipModel
import Highlights

/// Prompts the user to sign in when a request requires a session. The prompt appears at most once per run.
package actor LazySignIn {
  private let prompt: (@Sendable (SupabaseProject) async throws -> Void)?
  private var attempt: Task<Void, any Error>?
  private let operation: String

  /// - Parameters:
  ///   - operation: what needs the session, for the error if the user cannot be prompted.
  ///   - prompt: signs the user in and stores the session, or `nil` if there is no terminal.
  package init(operation: String = "share", prompt: (@Sendable (SupabaseProject) async throws -> Void)?) {
    (self.operation, self.prompt) = (operation, prompt)
  }

  /// Waits until the user is signed in.
  /// - Parameter missing: the error to throw if the user cannot be prompted.
  func signIn(_ project: SupabaseProject, missing: AuthError) async throws {
    guard let prompt, !project.signIn.isGiven else {
      throw HighlightsError.notAuthorized(operation: operation, reason: missing.explanation.why)
    }
    // If the user declines the prompt, don't repeat it for the next clip.
    let task = attempt ?? Task { try await prompt(project) }
    attempt = task
    // A clip whose upload isn't needed anymore must not prevent the prompt for the next clip.
    defer { if task.isCancelled, attempt == task { attempt = nil } }
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
