import ClipModel
import Foundation
import LibAV

extension InputContainer {
  var name: String { (path as NSString).lastPathComponent }

  /// Returns the track with the given index.
  /// - Throws: `ClipMediaError.changed` if the container has no such track.
  func stream(_ index: Int) throws(ClipMediaError) -> SourceStream {
    guard let stream = streams.first(where: { $0.index == index }) else { throw .changed(name: name) }
    return stream
  }

  /// The video track that a player shows: the default track, or otherwise the first one. Cover pictures are ignored.
  var mainVideo: SourceStream? {
    let candidates = streams.filter { $0.kind == .video && !$0.isAttachedPicture }
    return candidates.first(where: \.isDefault) ?? candidates.first
  }

  /// The audio track that a player plays: the default track, or otherwise the first one. Tracks that cannot be decoded
  /// are ignored.
  var mainAudio: SourceStream? {
    let candidates = streams.filter { $0.kind == .audio && $0.isDecodableAudio }
    return candidates.first(where: \.isDefault) ?? candidates.first
  }
}

extension SourceStream {
  /// Whether the audio track can be decoded, as defined by `AudioTrack.isDecodable`.
  fileprivate var isDecodableAudio: Bool {
    AudioTrack(index: index, codec: codecName, codecTag: codecTag, sampleRate: sampleRate, channelCount: channelCount)
      .isDecodable
  }
}
