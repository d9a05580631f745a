import ClipModel
import Highlights

/// Asks for a sign-in where one is missing, once for all clips of a run.
package actor LazySignIn {
  private let ask: (@Sendable (SupabaseProject) async throws -> Void)?
  private var asking: Task<Void, any Error>?

  /// - Parameter ask: signs in and stores the session; `nil` where there is nobody to ask.
  package init(ask: (@Sendable (SupabaseProject) async throws -> Void)?) { self.ask = ask }

  /// Returns when somebody is signed in.
  /// - Parameter missing: what is thrown where nobody can be asked.
  func signIn(_ project: SupabaseProject, missing: AuthError) async throws {
    guard let ask, !project.signIn.isGiven else {
      throw HighlightsError.notAuthorized(operation: "share", reason: missing.explanation.why)
    }
    // Whoever said no once is not asked for the next clip.
    let task = asking ?? Task { try await ask(project) }
    asking = task
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
