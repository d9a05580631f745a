import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LocalBackend

/// Compares the local backend with the fault server, which implements the same protocol description without shared code.
@Suite(.timeLimit(.minutes(10))) struct ConformanceTests {
  /// The meaning of a response, independent of its wording.
  enum Meaning: Equatable {
    case complete
    case stored(Int)
    /// The chunk starts after the stored bytes: 416, or Google's 503 with plain text.
    case gap
    case refused(Int)

    init(_ reply: HTTPReply) {
      switch reply.status {
      case 200, 201: self = .complete
      case 308:
        self = .stored(reply.headers["range"].flatMap { Int($0.dropFirst("bytes=0-".count)) }.map { $0 + 1 } ?? 0)
      case 416: self = .gap
      case 503 where reply.headers["content-type"]?.hasPrefix("text/plain") == true: self = .gap
      default: self = .refused(reply.status)
      }
    }
  }

  private struct Step: CustomStringConvertible {
    var range: String
    var body: Range<Int>
    var description: String { "\(range), \(body.count) bytes" }
  }

  /// Every fourth server rejects chunks without the file's size.
  @Test(arguments: TestScope.seeds(6, of: 40)) func bothServersRespondAlike(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let total = Int.random(in: 1...(4 * quantum), using: &generator)
    let bytes = pattern(total, seed: seed)
    let acceptsUnknownSize = !seed.isMultiple(of: 4)
    let faultServer = try await FaultServer(traits: .init(unknownSizeRefusal: acceptsUnknownSize ? nil : 400))
    let fault = try #require(URL(string: faultServer.url))
    var options = TestBackend.Options()
    options.change = { $0.acceptsUnknownSize = acceptsUnknownSize }
    try await TestBackend.run(options: options) { backend in
      let ticket = try await backend.ticket()
      var steps: [String] = []
      var stored = 0
      var isComplete = false
      while !isComplete {
        let step = Self.step(stored: stored, total: total, isLate: steps.count > 40, using: &generator)
        steps.append("\(step)")
        let body = Array(bytes[step.body])
        let headers = ["Content-Range": step.range]
        let ours = Meaning(try await backend.send("PUT", ticket.url, headers: headers, body: body))
        let theirs = Meaning(
          try await TestBackend.send(
            to: fault.port ?? 0, "PUT", "\(fault.path)?\(fault.query ?? "")", headers: headers, body: body))
        #expect(ours == theirs, "seed \(seed), after \(steps.joined(separator: "; "))")
        guard ours == theirs else { return }
        switch ours {
        case .stored(let count): stored = count
        case .complete: isComplete = true
        case .gap, .refused: break
        }
      }
      #expect(faultServer.bytes == bytes, "seed \(seed)")
      let state = try await backend.settled(ticket.id)
      #expect(try await backend.send("GET", "/stream/\(state.playbackID ?? "").mp4").body == bytes, "seed \(seed)")
      // Every later status request reports a complete upload.
      for range in ["bytes */*", "bytes */\(total)"] {
        #expect(try await backend.put(ticket, range).status == 200)
      }
    }
  }

  /// - Parameter isLate: sends only valid chunks, so that the upload ends.
  private static func step(
    stored: Int, total: Int, isLate: Bool, using generator: inout SeededGenerator
  ) -> Step {
    func chunk(_ range: Range<Int>, _ size: String) -> Step {
      Step(range: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)", body: range)
    }
    let next = stored + quantum >= total ? stored..<total : stored..<(stored + quantum)
    if next.isEmpty { return Step(range: "bytes */\(total)", body: 0..<0) }
    switch isLate ? 0 : Int.random(in: 0...9, using: &generator) {
    case 0...3: return chunk(next, "\(total)")
    // An unknown total size requires chunks of whole units.
    case 4: return next.count.isMultiple(of: quantum) ? chunk(next, "*") : chunk(next, "\(total)")
    // A chunk that overlaps the stored bytes.
    case 5:
      let first = Int.random(in: 0...stored, using: &generator)
      let length = (next.upperBound - first) / quantum * quantum
      return length > 0 ? chunk(first..<(first + length), "\(total)") : chunk(first..<total, "\(total)")
    case 6: return Step(range: "bytes */*", body: 0..<0)
    case 7: return Step(range: "bytes */\(total)", body: 0..<0)
    // Not a multiple of 256 KiB, and not the last chunk.
    case 8: return next.count > 1 ? chunk(next.lowerBound..<(next.upperBound - 1), "\(total)") : chunk(next, "\(total)")
    default:
      let first = stored + 1
      return first < total ? chunk(first..<total, "\(total)") : chunk(next, "\(total)")
    }
  }
}
