import Foundation
import RowRequests
import Synchronization
import TestSupport
import Testing

@testable import Social

/// Random actions with lost requests, lost responses, and killed processes: the queue loses and repeats nothing.
@Suite struct OfflineQueueRandomTests {
  private static let account = UUID()
  private static let highlights = (0..<6).map { _ in UUID() }
  private static let people = (0..<4).map { _ in UUID() }

  /// What the account did, as a user remembers it.
  private struct Memory {
    /// The last action of each target that must be in effect at the end.
    var last: [String: SocialAction] = [:]
    /// The IDs of comments in the order in which they were added.
    var commentOrder: [String] = []
    var live: [UUID] = []
  }

  private final class Run: Sendable {
    struct State {
      var generator: SeededGenerator
      var isFaulty = true
    }

    let state: Mutex<State>
    let server: MemoryServer
    let refused = Mutex<[SocialAction]>([])

    init(seed: UInt64) {
      let state = Mutex(State(generator: SeededGenerator(seed: seed)))
      let box = FaultSource()
      self.state = state
      let account = account.rowText
      server = MemoryServer(
        [
          // Another device liked a highlight, and follows a person.
          "likes": [["user_id": account, "highlight_id": highlights[1].rowText]],
          "follows": [["follower_id": account, "following_id": people[0].rowText]],
          "profiles": people.enumerated().map {
            MemoryServer.profile($1, privacy: $0 == 3 ? "followers_only" : "public")
          },
        ], hidden: [highlights[0].rowText]
      ) { _ in box.next() }
      box.source.withLock { $0 = { [weak self] in self?.nextFault() } }
    }

    private func nextFault() -> MemoryServer.Fault? {
      state.withLock { state in
        guard state.isFaulty, Int.random(in: 0..<4, using: &state.generator) == 0 else { return nil }
        return MemoryServer.Fault.allCases.randomElement(using: &state.generator)
      }
    }

    func random(_ range: Range<Int>) -> Int { state.withLock { Int.random(in: range, using: &$0.generator) } }
  }

  private final class FaultSource: Sendable {
    let source = Mutex<@Sendable () -> MemoryServer.Fault?>({ nil })
    func next() -> MemoryServer.Fault? { source.withLock { $0 }() }
  }

  private static func randomAction(_ run: Run, _ memory: Memory) -> SocialAction {
    let highlight = highlights[run.random(0..<highlights.count)]
    switch run.random(0..<6) {
    case 0, 1: return .setLike(highlight: highlight, isLiked: run.random(0..<2) == 0)
    case 2:
      return .setFollow(profile: people[run.random(0..<people.count)], isFollowing: run.random(0..<2) == 0)
    case 3 where !memory.live.isEmpty: return .deleteComment(id: memory.live[run.random(0..<memory.live.count)])
    case 4 where !memory.live.isEmpty:
      return .setCommentLike(comment: memory.live[run.random(0..<memory.live.count)], isLiked: run.random(0..<2) == 0)
    default: return .addComment(id: UUID(), highlight: highlight, text: "Comment \(run.random(0..<1000))")
    }
  }

  private static func remember(_ action: SocialAction, _ memory: inout Memory) {
    memory.last[action.target] = action
    switch action {
    case .addComment(let id, let highlight, _):
      if highlight != highlights[0] { memory.live.append(id) }
      memory.commentOrder.append(id.rowText)
    case .deleteComment(let id): memory.live.removeAll { $0 == id }
    default: break
    }
  }

  @Test(arguments: TestScope.seeds(1, of: 4)) func nothingIsLostOrRepeated(seed: UInt64) async throws {
    let (folder, run) = (try ScratchFolder(), Run(seed: seed))
    let api = SocialAPI(transport: run.server) { Self.account }
    var memory = Memory()
    var path = folder.path("queue-0.sqlite")
    var queue = try await OfflineQueue.open(path: path, account: "a", isDurable: false)
    var killCount = 0
    for round in 1...250 {
      for _ in 0..<run.random(1..<6) {
        let action = Self.randomAction(run, memory)
        try await queue.add(action)
        Self.remember(action, &memory)
      }
      let result = try await queue.send(
        { try await api.perform($0) },
        refused: { action, _ in run.refused.withLock { $0 += [action.action].compactMap(\.self) } })
      if result.failure is MemoryServer.Killed {
        // What a killed process leaves: the files as they are, without closing the database.
        killCount += 1
        let copy = folder.path("queue-\(round).sqlite")
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
          try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        }
        path = copy
        queue = try await OfflineQueue.open(path: path, account: "a", isDurable: false)
      }
      let targets = try await queue.waitingActions().compactMap(\.action?.target)
      try #require(Set(targets).count == targets.count, "seed \(seed), round \(round)")
    }
    run.state.withLock { $0.isFaulty = false }
    let rest = try await queue.send(
      { try await api.perform($0) },
      refused: { action, _ in run.refused.withLock { $0 += [action.action].compactMap(\.self) } })
    #expect(rest.failure == nil, "seed \(seed)")
    #expect(try await queue.waitingActions().isEmpty, "seed \(seed)")
    #expect(killCount > 5, "seed \(seed)")
    expectResult(run, memory, seed)
  }

  private func expectResult(_ run: Run, _ memory: Memory, _ seed: UInt64) {
    let server = run.server.current
    let inserted = server.inserts.filter { $0.table == "comments" }.compactMap { $0.row["id"] }
    #expect(Set(inserted).count == inserted.count, "seed \(seed): a comment was added twice")
    let order = memory.commentOrder.filter(Set(inserted).contains)
    #expect(order == inserted, "seed \(seed): comments are not in order")
    let refused = run.refused.withLock { $0 }
    for action in memory.last.values {
      if action.isHidden(Self.highlights[0]) {
        #expect(refused.contains(action), "seed \(seed): \(action) was not reported")
        #expect(!server.contains(action), "seed \(seed): \(action)")
      } else {
        #expect(server.contains(action) == action.adds, "seed \(seed): \(action)")
      }
    }
    #expect(refused.allSatisfy { $0.isHidden(Self.highlights[0]) }, "seed \(seed)")
    // Actions of other devices stay, unless this device changed the same target.
    let untouched = SocialAction.setLike(highlight: Self.highlights[1], isLiked: true)
    if memory.last[untouched.target] == nil { #expect(server.contains(untouched), "seed \(seed)") }
  }
}

extension SocialAction {
  fileprivate var adds: Bool {
    switch self {
    case .setLike(_, let isOn), .setCommentLike(_, let isOn), .setFollow(_, let isOn): isOn
    case .addComment: true
    case .deleteComment: false
    }
  }

  fileprivate func isHidden(_ highlight: UUID) -> Bool {
    switch self {
    case .setLike(highlight, true), .addComment(_, highlight, _): true
    default: false
    }
  }
}

extension MemoryServer.State {
  fileprivate func contains(_ action: SocialAction) -> Bool {
    func has(_ table: String, _ column: String, _ id: UUID) -> Bool {
      tables[table]?.contains { $0[column] == id.rowText } ?? false
    }
    return switch action {
    case .setLike(let id, _): has("likes", "highlight_id", id)
    case .setCommentLike(let id, _): has("comment_likes", "comment_id", id)
    case .setFollow(let id, _): has("follows", "following_id", id) || has("follow_requests", "target_id", id)
    case .addComment(let id, _, let text):
      has("comments", "id", id) && tables["comments"]?.first { $0["id"] == id.rowText }?["text"] == text
    case .deleteComment(let id): has("comments", "id", id)
    }
  }
}
