import ClipModel
import Foundation
import TestSupport
import Testing

@testable import Social

@Suite struct OptimisticStoreTests {
  private static let (account, other, highlight) = (UUID(), UUID(), UUID())
  private static let context = ActionContext(account: account, time: "2026-11-24T13:00:00+00:00")

  private static func state(privacy: String = "public") throws -> SocialState {
    var state = SocialState()
    state.highlights[highlight] = try SocialFixtures.item(highlight, likes: 3, comments: 0)
    state.profiles[account] = try SocialFixtures.profile(account)
    state.profiles[other] = try SocialFixtures.profile(
      other, followers: 7, privacy: privacy == "public" ? .everyone : .followersOnly)
    return state
  }

  @Test func likeIsCountedOnce() throws {
    let state = try Self.state()
    let liked = state.applying(.setLike(highlight: Self.highlight, isLiked: true), Self.context)
    #expect(liked.highlights[Self.highlight]?.likesCount == 4 && liked.highlights[Self.highlight]?.isLiked == true)
    #expect(liked.applying(.setLike(highlight: Self.highlight, isLiked: true), Self.context) == liked)
    #expect(liked.applying(.setLike(highlight: Self.highlight, isLiked: false), Self.context) == state)
    #expect(state.applying(.setLike(highlight: UUID(), isLiked: true), Self.context) == state)
  }

  @Test func countsAreNeverNegative() throws {
    var state = try Self.state()
    state.highlights[Self.highlight] = try SocialFixtures.item(Self.highlight, likes: 0, isLiked: true)
    let unliked = state.applying(.setLike(highlight: Self.highlight, isLiked: false), Self.context)
    #expect(unliked.highlights[Self.highlight]?.likesCount == 0)
  }

  @Test(arguments: [("public", FollowState.following, 8), ("followers_only", .requested, 7)])
  func followOfProfile(privacy: String, expected: FollowState, followers: Int) throws {
    let state = try Self.state(privacy: privacy)
    let followed = state.applying(.setFollow(profile: Self.other, isFollowing: true), Self.context)
    #expect(followed.follows[Self.other] == expected)
    #expect(followed.profiles[Self.other]?.followersCount == followers)
    #expect(followed.profiles[Self.account]?.followingCount == followers - 7)
    #expect(followed.applying(.setFollow(profile: Self.other, isFollowing: true), Self.context) == followed)
    let back = followed.applying(.setFollow(profile: Self.other, isFollowing: false), Self.context)
    #expect(back.profiles == state.profiles && back.follows[Self.other] == FollowState.none)
  }

  @Test func commentIsAddedAndDeletedOnce() throws {
    let (state, id) = (try Self.state(), UUID())
    let add = SocialAction.addComment(id: id, highlight: Self.highlight, text: "Nice")
    let commented = state.applying(add, Self.context)
    let comment = try #require(commented.comments[Self.highlight]?.first)
    #expect(comment.id == id && comment.text == "Nice" && comment.author?.id == Self.account)
    #expect(commented.highlights[Self.highlight]?.commentsCount == 1)
    #expect(commented.applying(add, Self.context) == commented)
    let liked = commented.applying(.setCommentLike(comment: id, isLiked: true), Self.context)
    #expect(liked.comments[Self.highlight]?.first?.likesCount == 1)
    let deleted = liked.applying(.deleteComment(id: id), Self.context)
    #expect(deleted.comments[Self.highlight]?.isEmpty == true && deleted.highlights == state.highlights)
    #expect(deleted.applying(.deleteComment(id: id), Self.context) == deleted)
  }

  @Test func rollBackKeepsLaterActions() throws {
    var store = OptimisticStore(try Self.state())
    let like = store.begin(.setLike(highlight: Self.highlight, isLiked: true), Self.context)
    _ = store.begin(.addComment(id: UUID(), highlight: Self.highlight, text: "Nice"), Self.context)
    store.rollBack(like)
    #expect(store.visible.highlights[Self.highlight]?.likesCount == 3)
    #expect(store.visible.highlights[Self.highlight]?.commentsCount == 1 && store.pendingCount == 1)
    #expect(store.confirmed == (try Self.state()))
    store.rollBack(like)
    store.confirm(like)
    #expect(store.pendingCount == 1)
  }

  @Test func confirmedActionStaysAfterRollBackOfAnother() throws {
    var store = OptimisticStore(try Self.state())
    let like = store.begin(.setLike(highlight: Self.highlight, isLiked: true), Self.context)
    let follow = store.begin(.setFollow(profile: Self.other, isFollowing: true), Self.context)
    store.confirm(like)
    store.rollBack(follow)
    #expect(store.confirmed.highlights[Self.highlight]?.likesCount == 4)
    #expect(store.visible == store.confirmed)
    #expect(store.visible.profiles == (try Self.state()).profiles)
  }

  /// A reload contains the like of a response that was lost, so the like isn't counted twice.
  @Test func reloadKeepsPendingActions() throws {
    var store = OptimisticStore(try Self.state())
    let like = store.begin(.setLike(highlight: Self.highlight, isLiked: true), Self.context)
    var fresh = try Self.state()
    fresh.highlights[Self.highlight] = try SocialFixtures.item(Self.highlight, likes: 10)
    store.reload(fresh)
    #expect(store.visible.highlights[Self.highlight]?.likesCount == 11)
    fresh.highlights[Self.highlight] = try SocialFixtures.item(Self.highlight, likes: 11, isLiked: true)
    store.reload(fresh)
    #expect(store.visible.highlights[Self.highlight]?.likesCount == 11)
    store.confirm(like)
    #expect(store.visible == fresh && store.confirmed == fresh && store.pendingCount == 0)
  }

  /// After every action is confirmed or rolled back in any order, the visible state is what the backend confirmed.
  @Test(arguments: 1...50 as ClosedRange<UInt64>) func visibleStateIsConfirmedStateAtTheEnd(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var store = OptimisticStore(try Self.state())
    var (tokens, actions) = ([OptimisticStore.Token](), [SocialAction]())
    for _ in 0..<20 {
      let action: SocialAction =
        switch Int.random(in: 0..<3, using: &random) {
        case 0: .setLike(highlight: Self.highlight, isLiked: Bool.random(using: &random))
        case 1: .setFollow(profile: Self.other, isFollowing: Bool.random(using: &random))
        default: .addComment(id: UUID(), highlight: Self.highlight, text: "Nice")
        }
      tokens.append(store.begin(action, Self.context))
      actions.append(action)
    }
    tokens.shuffle(using: &random)
    var confirmed: [SocialAction] = []
    for token in tokens {
      if Bool.random(using: &random) {
        store.confirm(token)
        confirmed.append(actions[token.number - 1])
      } else {
        store.rollBack(token)
      }
    }
    let expected = confirmed.reduce(try Self.state()) { $0.applying($1, Self.context) }
    #expect(store.confirmed == expected, "seed \(seed)")
    #expect(store.visible == store.confirmed && store.pendingCount == 0, "seed \(seed)")
    let item = try #require(store.visible.highlights[Self.highlight])
    #expect(item.commentsCount == store.visible.comments[Self.highlight, default: []].count, "seed \(seed)")
    #expect(item.likesCount == (item.isLiked ? 4 : 3), "seed \(seed)")
  }
}
