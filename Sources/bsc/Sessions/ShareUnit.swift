import ClipModel
import Foundation
import ShareEngine

/// What becomes one highlight: a clip, or several together.
enum ShareUnit: Sendable {
  case clip(ShareOrder)
  case post([ShareOrder])

  /// For messages about all of it.
  var name: String {
    switch self {
    case .clip(let order): order.file
    case .post(let orders): Self.name(of: orders.map(\.file))
    }
  }

  /// For a message: the clip that it is about, where its words name one, else all of them.
  func name(in explanation: Explanation) -> String {
    switch self {
    case .clip(let order): order.file
    case .post(let orders): Self.name(of: orders.map(\.file), in: explanation)
    }
  }

  static func name(of files: [String], in explanation: Explanation) -> String {
    // `a.mp4` is a part of `aa.mp4`, which says more.
    let named = files.filter { explanation.what.contains(($0 as NSString).lastPathComponent) }
    return named.max { ($0 as NSString).lastPathComponent.count < ($1 as NSString).lastPathComponent.count }
      ?? name(of: files)
  }

  private static func name(of files: [String]) -> String {
    guard let first = files.first, files.count > 1 else { return files.first ?? "" }
    return "\(first) and \(files.count - 1) more"
  }

  /// The jobs that can go on, each post once and whole.
  static func all(of jobs: [ShareJob], in journal: Journal) async throws -> [ShareUnit] {
    var units: [ShareUnit] = []
    var seen: Set<String> = []
    for job in jobs {
      guard job.post != nil else {
        units.append(.clip(ShareOrder(file: job.source.path, job: job, isContinued: true)))
        continue
      }
      guard seen.insert("\(job.backend) \(job.highlightID)").inserted else { continue }
      units.append(
        .post(
          try await journal.post(of: job).map { ShareOrder(file: $0.source.path, job: $0, isContinued: true) }))
    }
    return units
  }
}

/// A unit that this process works on.
enum HeldUnit: Sendable {
  case clip(HeldJob)
  case post(HeldPost)
}

/// The jobs of a post, in order, with the locks that keep others away.
struct HeldPost: Sendable {
  var jobs: [ShareJob]
  var locks: PostLocks
}

extension ShareSession {
  func begin(_ unit: ShareUnit, reporter: Reporter, asJSON: Bool) async throws -> HeldUnit {
    switch unit {
    case .clip(let order): .clip(try await begin(order.job, isContinued: order.isContinued, reporter: reporter))
    case .post(let orders):
      .post(
        try await begin(
          orders, isContinued: orders.contains(where: \.isContinued), reporter: reporter, asJSON: asJSON))
    }
  }

  func finish(_ held: HeldUnit, of unit: ShareUnit, reporter: Reporter, asJSON: Bool) async throws -> FailureCategory? {
    switch (held, unit) {
    case (.clip(let job), .clip(let order)):
      try await finish(job, input: order.file, reporter: reporter, asJSON: asJSON)
    case (.post(let post), .post(let orders)):
      try await finish(post, inputs: orders.map(\.file), reporter: reporter, asJSON: asJSON)
    default: nil
    }
  }

  /// Works on all of them: one after the other is made, while others are sent.
  /// - Parameter settledCount: of others that were done before, and well.
  func run(
    _ units: [ShareUnit], failed: [FailureCategory], settledCount: Int = 0, reporter: Reporter, asJSON: Bool
  ) async throws -> Int32 {
    try await EachInput.run(
      units, width: width, named: { $0.name(in: $1) }, failed: failed, settledCount: settledCount,
      tell: reporter.tell(asJSON: asJSON),
      make: { try await begin($0, reporter: reporter, asJSON: asJSON) },
      finish: { try await finish($1, of: $0, reporter: reporter, asJSON: asJSON) })
  }
}
