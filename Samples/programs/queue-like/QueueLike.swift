import Foundation
import Social

/// Likes a highlight without a connection, until a program sends the queue: `queue-like DATABASE HIGHLIGHT-ID`.
@main enum QueueLike {
  static func main() async throws {
    let queue = try await OfflineQueue.open(path: CommandLine.arguments[1], account: "ana")
    guard let highlight = UUID(uuidString: CommandLine.arguments[2]) else { return print("not an ID") }
    let addition = try await queue.add(.setLike(highlight: highlight, isLiked: true))
    print("\(addition), \(try await queue.waitingActions().count) waiting")
  }
}
