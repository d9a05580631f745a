import ClipModel
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import Social

@Suite struct OfflineQueueTests {
  private static let highlight = UUID()
  private static let unreachable = SocialError.unreachable(operation: "like", reason: "no connection")

  private static func open(_ folder: ScratchFolder, account: String = "a") async throws -> OfflineQueue {
    try await OfflineQueue.open(path: folder.path("queue.sqlite"), account: account) {
      Date(timeIntervalSince1970: 1_764_000_000)
    }
  }

  /// Sends the queue and returns the performed actions.
  private static func send(_ queue: OfflineQueue, error: (any Error & Sendable)? = nil) async throws -> (
    performed: [SocialAction], refused: [SocialAction], result: OfflineQueue.SendResult
  ) {
    let performed = Mutex<[SocialAction]>([])
    let refused = Mutex<[SocialAction]>([])
    let result = try await queue.send(
      { action in
        performed.withLock { $0.append(action) }
        if let error { throw error }
      }, refused: { action, _ in refused.withLock { $0 += [action.action].compactMap(\.self) } })
    return (performed.withLock { $0 }, refused.withLock { $0 }, result)
  }

  @Test func actionsAreSentInOrderAfterReopening() async throws {
    let folder = try ScratchFolder()
    let actions: [SocialAction] = [
      .setLike(highlight: Self.highlight, isLiked: true), .setFollow(profile: UUID(), isFollowing: true),
      .addComment(id: UUID(), highlight: Self.highlight, text: "Nice 🏐"),
    ]
    for action in actions { #expect(try await Self.open(folder).add(action) == .added) }
    let queue = try await Self.open(folder)
    #expect(try await queue.waitingActions().map(\.action) == actions)
    #expect(try await queue.waitingActions().first?.addedAt.timeIntervalSince1970 == 1_764_000_000)
    let sent = try await Self.send(queue)
    #expect(sent.performed == actions && sent.result.sentCount == 3 && sent.result.failure == nil)
    #expect(try await queue.waitingActions().isEmpty)
  }

  @Test func duplicateIsAddedOnce() async throws {
    let queue = try await Self.open(try ScratchFolder())
    let like = SocialAction.setLike(highlight: Self.highlight, isLiked: true)
    #expect(try await queue.add(like) == .added)
    #expect(try await queue.add(like) == .duplicate)
    #expect(try await queue.waitingActions().map(\.action) == [like])
  }

  /// The backend's state is unknown, so the removal is sent even if the like never was.
  @Test func reversalReplacesLike() async throws {
    let queue = try await Self.open(try ScratchFolder())
    let comment = SocialAction.addComment(id: UUID(), highlight: Self.highlight, text: "Nice")
    try await queue.add(.setLike(highlight: Self.highlight, isLiked: true))
    try await queue.add(comment)
    let unlike = SocialAction.setLike(highlight: Self.highlight, isLiked: false)
    #expect(try await queue.add(unlike) == .replaced)
    #expect(try await queue.waitingActions().map(\.action) == [comment, unlike])
  }

  @Test func deletionCancelsCommentThatWasNeverSent() async throws {
    let queue = try await Self.open(try ScratchFolder())
    let id = UUID()
    try await queue.add(.addComment(id: id, highlight: Self.highlight, text: "Nice"))
    #expect(try await queue.add(.deleteComment(id: id)) == .cancelled)
    #expect(try await queue.waitingActions().isEmpty)
  }

  /// The comment may have arrived although its response was lost.
  @Test func deletionOfAttemptedCommentIsSent() async throws {
    let queue = try await Self.open(try ScratchFolder())
    let id = UUID()
    try await queue.add(.addComment(id: id, highlight: Self.highlight, text: "Nice"))
    _ = try await Self.send(queue, error: Self.unreachable)
    #expect(try await queue.waitingActions().map(\.attemptCount) == [1])
    #expect(try await queue.add(.deleteComment(id: id)) == .replaced)
    #expect(try await Self.send(queue).performed == [.deleteComment(id: id)])
  }

  @Test(arguments: [
    unreachable, .notAuthorized(operation: "like", reason: "expired"),
    .unreadableAnswer(operation: "like", reason: "not JSON"),
  ])
  func failureKeepsActions(error: SocialError) async throws {
    let queue = try await Self.open(try ScratchFolder())
    try await queue.add(.setLike(highlight: Self.highlight, isLiked: true))
    try await queue.add(.setLike(highlight: UUID(), isLiked: true))
    let sent = try await Self.send(queue, error: error)
    #expect(sent.performed.count == 1 && sent.refused.isEmpty)
    #expect(sent.result.failure as? SocialError == error)
    #expect(try await queue.waitingActions().count == 2)
  }

  @Test(arguments: [
    SocialError.forbidden(operation: "like", reason: "hidden"), .notFound(operation: "like"),
    .conflict(operation: "like", reason: "no"), .invalid(operation: "like", reason: "no"),
    .textTooLong(operation: "comment", count: 501, limit: 500),
  ])
  func refusedActionIsReportedAndRemoved(error: SocialError) async throws {
    let queue = try await Self.open(try ScratchFolder())
    let likes = (0..<2).map { _ in SocialAction.setLike(highlight: UUID(), isLiked: true) }
    for like in likes { try await queue.add(like) }
    let sent = try await Self.send(queue, error: error)
    #expect(sent.refused == likes && sent.result.refusedCount == 2 && sent.result.failure == nil)
    #expect(try await queue.waitingActions().isEmpty)
  }

  /// A damaged entry must not block those after it.
  @Test func unreadableActionIsReportedAndRemoved() async throws {
    let folder = try ScratchFolder()
    let queue = try await Self.open(folder)
    let like = SocialAction.setLike(highlight: Self.highlight, isLiked: true)
    try await queue.add(.setFollow(profile: UUID(), isFollowing: true))
    try await queue.add(like)
    try await DatabaseQueue(path: folder.path("queue.sqlite")).write {
      try $0.execute(sql: "UPDATE action SET action = '{\"share\":{}}' WHERE target LIKE 'follow %'")
    }
    #expect(try await queue.waitingActions().map(\.action) == [nil, like])
    let performed = Mutex<[SocialAction]>([])
    let errors = Mutex<[SocialError]>([])
    let result = try await queue.send(
      { action in performed.withLock { $0.append(action) } },
      refused: { action, error in
        #expect(action.action == nil)
        errors.withLock { $0.append(error) }
      })
    #expect(performed.withLock { $0 } == [like] && errors.withLock { $0 } == [.unreadableAction])
    #expect(result.sentCount == 1 && result.refusedCount == 1 && result.failure == nil)
    #expect(try await queue.waitingActions().isEmpty)
  }

  /// A damaged entry must not keep an action with the same target from being added.
  @Test func unreadableActionIsReplaced() async throws {
    let folder = try ScratchFolder()
    let queue = try await Self.open(folder)
    let like = SocialAction.setLike(highlight: Self.highlight, isLiked: true)
    try await queue.add(like)
    try await DatabaseQueue(path: folder.path("queue.sqlite")).write {
      try $0.execute(sql: "UPDATE action SET action = ''")
    }
    #expect(try await queue.add(like) == .replaced)
    #expect(try await queue.waitingActions().map(\.action) == [like])
  }

  @Test func accountsHaveSeparateQueues() async throws {
    let folder = try ScratchFolder()
    let (one, other) = (try await Self.open(folder), try await Self.open(folder, account: "b"))
    let like = SocialAction.setLike(highlight: Self.highlight, isLiked: true)
    try await one.add(like)
    #expect(try await other.add(like) == .added)
    #expect(try await Self.send(one).performed == [like])
    #expect(try await other.waitingActions().map(\.action) == [like])
  }

  /// The reversal of an action that is being sent stays after the action has ended.
  @Test func reversalDuringSendIsSentNext() async throws {
    let queue = try await Self.open(try ScratchFolder())
    let (like, unlike) = (
      SocialAction.setLike(highlight: Self.highlight, isLiked: true),
      SocialAction.setLike(highlight: Self.highlight, isLiked: false)
    )
    try await queue.add(like)
    let performed = Mutex<[SocialAction]>([])
    let result = try await queue.send(
      { action in
        performed.withLock { $0.append(action) }
        if action == like {
          try await queue.add(unlike)
          // A second sender does nothing.
          #expect(try await queue.send({ _ in }, refused: { _, _ in }).isBusy)
        }
      }, refused: { _, _ in })
    #expect(performed.withLock { $0 } == [like, unlike] && result.sentCount == 2)
  }

  @Test func newerDatabaseIsRefused() async throws {
    let folder = try ScratchFolder()
    _ = try await Self.open(folder)
    try await DatabaseQueue(path: folder.path("queue.sqlite")).write { try $0.execute(sql: "PRAGMA user_version = 2") }
    await #expect(throws: SocialError.storageNewer(path: folder.path("queue.sqlite"))) {
      _ = try await Self.open(folder)
    }
  }

  @Test func damagedDatabaseIsReported() async throws {
    let folder = try ScratchFolder()
    try folder.write(String(repeating: "not a database ", count: 100), to: "queue.sqlite")
    let error = await #expect(throws: SocialError.self) { _ = try await Self.open(folder) }
    #expect(error?.explanation.id == "social.storage")
  }
}
