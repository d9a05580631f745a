import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Social

@Suite struct SocialCacheTests {
  private final class Clock: Sendable {
    let seconds = Mutex(1_764_000_000.0)
    var now: @Sendable () -> Date { { Date(timeIntervalSince1970: self.seconds.withLock { $0 }) } }
    func advance(_ step: Double) { seconds.withLock { $0 += step } }
  }

  private static let page = FeedPage(items: [], next: .offset(20))

  private static func open(_ clock: Clock, account: String = "a", _ folder: ScratchFolder) async throws -> SocialCache {
    try await SocialCache.open(path: folder.path("cache.sqlite"), account: account, now: clock.now)
  }

  /// Returns all values of the stream, and the number of requests.
  private static func load(
    _ cache: SocialCache, _ result: @escaping @Sendable () throws -> FeedPage
  ) async -> (values: [CachedValue<FeedPage>], requests: Int, error: (any Error)?) {
    let count = Mutex(0)
    var values: [CachedValue<FeedPage>] = []
    do {
      let stream = cache.values(for: .feed(.discover)) {
        count.withLock { $0 += 1 }
        return try result()
      }
      for try await value in stream { values.append(value) }
      return (values, count.withLock { $0 }, nil)
    } catch {
      return (values, count.withLock { $0 }, error)
    }
  }

  @Test(arguments: [
    (CacheKey<FeedPage>.feed(.discover).lifetime, 300), (CacheKey<Profile>.profile(UUID()).lifetime, 3600),
  ])
  func lifetimes(lifetime: Duration, seconds: Int) { #expect(lifetime == .seconds(seconds)) }

  @Test(arguments: [(0.0, false), (299.9, false), (300, true), (100_000, true), (-10, true)])
  func valueIsStaleAfterItsLifetime(age: Double, isStale: Bool) async throws {
    let (folder, clock) = (try ScratchFolder(), Clock())
    try await Self.open(clock, folder).store(Self.page, for: .feed(.discover))
    clock.advance(age)
    let value = try #require(try await Self.open(clock, folder).value(.feed(.discover)))
    #expect(value.value == Self.page && value.isStale == isStale)
    #expect(value.storedAt.timeIntervalSince1970 == 1_764_000_000)
  }

  @Test func freshValueNeedsNoRequest() async throws {
    let (folder, clock) = (try ScratchFolder(), Clock())
    let cache = try await Self.open(clock, folder)
    let first = await Self.load(cache) { Self.page }
    #expect(first.values.map(\.value) == [Self.page] && first.requests == 1)
    let second = await Self.load(cache) { throw SocialError.notFound(operation: "read") }
    #expect(second.values.map(\.value) == [Self.page] && second.requests == 0 && second.error == nil)
  }

  @Test func staleValueIsShownBeforeTheNewOne() async throws {
    let (folder, clock) = (try ScratchFolder(), Clock())
    let cache = try await Self.open(clock, folder)
    try await cache.store(Self.page, for: .feed(.discover))
    clock.advance(301)
    let fresh = FeedPage(items: [], next: nil)
    let loaded = await Self.load(cache) { fresh }
    #expect(loaded.values.map(\.value) == [Self.page, fresh] && loaded.values.map(\.isStale) == [true, false])
    #expect(try await cache.value(.feed(.discover))?.value == fresh)
  }

  @Test func failedRequestKeepsTheStaleValue() async throws {
    let (folder, clock) = (try ScratchFolder(), Clock())
    let cache = try await Self.open(clock, folder)
    try await cache.store(Self.page, for: .feed(.discover))
    clock.advance(301)
    let error = SocialError.unreachable(operation: "read", reason: "no connection")
    let loaded = await Self.load(cache) { throw error }
    #expect(loaded.values.map(\.value) == [Self.page] && loaded.error as? SocialError == error)
    #expect(try await cache.value(.feed(.discover))?.value == Self.page)
  }

  @Test func accountsAndFeedsAreSeparate() async throws {
    let (folder, clock) = (try ScratchFolder(), Clock())
    let cache = try await Self.open(clock, folder)
    try await cache.store(Self.page, for: .feed(.tag("Spike")))
    #expect(try await cache.value(.feed(.tag("spike"))) != nil)
    #expect(try await cache.value(.feed(.tag("dig"))) == nil)
    let other = try await Self.open(clock, account: "b", folder)
    #expect(try await other.value(.feed(.tag("spike"))) == nil)
    try await other.removeAll()
    #expect(try await cache.value(.feed(.tag("spike"))) != nil)
    try await cache.removeAll()
    #expect(try await cache.value(.feed(.tag("spike"))) == nil)
  }

  @Test func valueOfAnotherVersionIsMissing() async throws {
    let (folder, clock) = (try ScratchFolder(), Clock())
    let cache = try await Self.open(clock, folder)
    try await cache.store(["text"], for: CacheKey(name: "feed discover", lifetime: .seconds(300)))
    #expect(try await cache.value(.feed(.discover)) == nil)
  }

  @Test func oldestValuesAreRemovedBeyondTheCapacity() async throws {
    let (folder, clock) = (try ScratchFolder(), Clock())
    let cache = try await Self.open(clock, folder)
    func key(_ number: Int) -> CacheKey<Int> { CacheKey(name: "\(number)", lifetime: .seconds(1)) }
    for number in 0...SocialCache.capacity {
      try await cache.store(number, for: key(number))
      clock.advance(1)
    }
    #expect(try await cache.value(key(0)) == nil)
    #expect(try await cache.value(key(1))?.value == 1)
    #expect(try await cache.value(key(SocialCache.capacity))?.value == SocialCache.capacity)
  }
}
