import ClipModel
import Foundation

/// A highlight as the templates know it. An empty field would be looked up in the page around it: no name here is one there.
struct PostView: Sendable {
  struct Video: Sendable {
    let anchor: String
    let label: String
    /// The MP4 file on this server.
    var source: String?
    var poster: String?
    /// Where it lies instead.
    var elsewhere: String?
    var isUnknown = false
  }

  struct Piece: Sendable {
    let text: String
    /// The page of a tag.
    var tag: String?
  }

  struct Tag: Sendable {
    let path: String
    let word: String
  }

  let id: String
  let author: PersonView?
  let videos: [Video]
  let videoCount: Int
  let isSeries: Bool
  let backdrop: String?
  let pieces: [Piece]
  let hasCaption: Bool
  /// Those that the caption does not have.
  let tags: [Tag]
  let hasTags: Bool
  let duration: String?
  let durationLabel: String
  let created: String
  let createdISO: String
  let privacyBadge: String?
  let isLiked: Bool
  let likesShown: String
  let likeLabel: String
  let commentsShown: String
  let commentsLabel: String
  let tileLabel: String

  /// - Parameter caller: sees the likes of a highlight that hides them if it is their own.
  init(_ post: SharedPost, for caller: Caller) {
    id = post.id
    author = post.author.map(PersonView.init)
    let addresses = [post.muxPlaybackId] + (post.videoUrls ?? []).dropFirst()
    videos = addresses.enumerated().map { place, address in
      Video(address, place, of: addresses.count, id: post.id, thumbnail: place == 0 ? post.thumbnailUrl : nil)
    }
    videoCount = videos.count
    isSeries = videos.count > 1
    backdrop = videos.first?.poster
    pieces = Self.pieces(of: post.caption ?? "")
    hasCaption = !(post.caption ?? "").isEmpty
    let named = Set(CaptionTags.tags(in: post.caption ?? ""))
    tags = post.tags.filter { !named.contains($0.lowercased()) }
      .map { Tag(path: Self.path(ofTag: $0), word: $0) }
    hasTags = !tags.isEmpty
    let seconds = post.duration.map { max(1, Int($0.rounded())) }
    duration = seconds.map { "\($0 / 60):" + String($0 % 60 + 100).dropFirst() }
    durationLabel = seconds.map { "\($0) seconds" } ?? ""
    created = PageWords.time(post.createdAt)
    createdISO = post.createdAt
    privacyBadge =
      switch post.privacyLevel {
      case "public": nil
      case "followers_only": "followers only"
      default: post.privacyLevel
      }
    isLiked = post.isLikedByMe
    let tellsLikes = !post.hideLikes || caller.userID == post.authorId
    likesShown = tellsLikes ? "\(post.likesCount)" : ""
    likeLabel = tellsLikes ? "Like, \(PageWords.count(post.likesCount, "like"))" : "Like"
    commentsShown = "\(post.commentsCount)"
    commentsLabel = "Comments, \(post.commentsCount)"
    let words = [post.caption.flatMap { $0.isEmpty ? nil : $0 } ?? "Highlight", durationLabel]
    tileLabel = words.filter { !$0.isEmpty }.joined(separator: ", ") + (isSeries ? ", \(videos.count) clips" : "")
  }

  static func path(ofTag tag: String) -> String { "/tags/\(LocalPath.encoded(tag.lowercased()))" }

  /// The caption with its tags as links.
  private static func pieces(of caption: String) -> [Piece] {
    var pieces: [Piece] = []
    var rest = caption[...]
    // The same expression as `CaptionTags` has.
    while let match = rest.firstMatch(of: /#(\w+)/) {
      pieces.append(Piece(text: String(rest[..<match.range.lowerBound])))
      pieces.append(Piece(text: String(match.output.0), tag: path(ofTag: String(match.output.1))))
      rest = rest[match.range.upperBound...]
    }
    return (pieces + [Piece(text: String(rest))]).filter { !$0.text.isEmpty }
  }
}

extension PostView.Video {
  /// - Parameters:
  ///   - address: a playback id, the stream of one, or what the app wrote: a URL of another server.
  ///   - thumbnail: of the row.
  fileprivate init(_ address: String, _ place: Int, of count: Int, id: String, thumbnail: String?) {
    anchor = "c-\(id)-\(place + 1)"
    label = count > 1 ? "Clip \(place + 1) of \(count)" : "Clip"
    if let match = address.wholeMatch(of: /(?:\/stream\/)?([A-Za-z0-9_\-]+)(?:\.m3u8)?/) {
      source = "/stream/\(match.output.1).mp4"
      // Pages load nothing from other servers.
      let isOwn = thumbnail?.wholeMatch(of: /\/image\/[A-Za-z0-9_\-]+\/thumbnail\.jpg(\?time=[0-9.]+)?/) != nil
      poster = isOwn ? thumbnail : "/image/\(match.output.1)/thumbnail.jpg?time=2"
    } else if let url = URL(string: address), ["http", "https"].contains(url.scheme?.lowercased()), url.host() != nil {
      elsewhere = url.absoluteString
    } else {
      isUnknown = true
    }
  }
}

/// The person of a highlight or a comment.
struct PersonView: Sendable {
  let page: String
  let name: String
  let initial: String
  let tint: Int

  init(_ person: Person) {
    page = person.page
    name = person.displayName
    initial = person.initial
    tint = person.tint
  }
}

struct CommentView: Sendable {
  let comment: String
  let author: PersonView?
  let said: String
  let created: String
  let createdISO: String
  let isMine: Bool

  init(_ comment: SharedComment, for caller: Caller) {
    self.comment = comment.id
    author = comment.author.map(PersonView.init)
    said = comment.text
    created = PageWords.time(comment.createdAt)
    createdISO = comment.createdAt
    isMine = caller.userID == comment.authorId
  }
}

enum PageWords {
  /// `1 like`, `2 likes`
  static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  /// `2026-11-22 19:03 UTC`
  static func time(_ timestamp: String) -> String { timestamp.prefix(16).replacing("T", with: " ") + " UTC" }
}
