/// The state that an app shows while actions are being sent: the confirmed state, with all pending actions applied.
///
/// A failed action is rolled back by removing it from the pending actions, so later actions keep their effect, and a
/// reload from the backend keeps the effect of pending actions. The store is a value; the app owns and shows it.
///
/// ```swift
/// let token = store.begin(.setLike(highlight: id, isLiked: true), context)
/// do {
///   try await client.perform(.setLike(highlight: id, isLiked: true))
///   store.confirm(token)
/// } catch {
///   store.rollBack(token)
/// }
/// ```
public struct OptimisticStore: Equatable, Sendable {
  /// Identifies a pending action.
  public struct Token: Hashable, Sendable {
    let number: Int
  }

  private struct PendingAction: Equatable, Sendable {
    var token: Token
    var action: SocialAction
    var context: ActionContext
  }

  /// The state that the backend has confirmed.
  public private(set) var confirmed: SocialState
  /// The state to show.
  public private(set) var visible: SocialState
  private var pending: [PendingAction] = []
  private var count = 0

  public init(_ confirmed: SocialState = SocialState()) { (self.confirmed, visible) = (confirmed, confirmed) }

  /// The number of actions that are neither confirmed nor rolled back.
  public var pendingCount: Int { pending.count }

  /// Shows the effect of an action before the backend has answered.
  public mutating func begin(_ action: SocialAction, _ context: ActionContext) -> Token {
    count += 1
    let token = Token(number: count)
    pending.append(PendingAction(token: token, action: action, context: context))
    visible = visible.applying(action, context)
    return token
  }

  /// Makes the effect of an action permanent, after the backend has performed it. Ignores unknown tokens.
  public mutating func confirm(_ token: Token) {
    guard let index = pending.firstIndex(where: { $0.token == token }) else { return }
    let done = pending.remove(at: index)
    confirmed = confirmed.applying(done.action, done.context)
    showPendingActions()
  }

  /// Removes the effect of an action that failed. Ignores unknown tokens.
  public mutating func rollBack(_ token: Token) {
    pending.removeAll { $0.token == token }
    showPendingActions()
  }

  /// Replaces the confirmed state with one that the backend has returned. Pending actions keep their effect.
  public mutating func reload(_ state: SocialState) {
    confirmed = state
    showPendingActions()
  }

  private mutating func showPendingActions() {
    visible = pending.reduce(confirmed) { $0.applying($1.action, $1.context) }
  }
}
