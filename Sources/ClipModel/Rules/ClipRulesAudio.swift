/// Decides how to process the audio.
extension ClipRules {
  func audioTreatment(
    _ probe: ClipProbe, settings: ProcessingSettings, decisions: inout [ProcessingPlan.Decision]
  ) -> AudioTreatment? {
    guard let audio = probe.mainAudio, !settings.mute else {
      if settings.mute, probe.mainAudio != nil {
        decisions.append(.init("audio: none", because: "the settings remove the audio"))
      } else if !probe.audioTracks.isEmpty {
        decisions.append(.init("audio: none", because: "no decoder is available for any of the audio tracks"))
      }
      return nil
    }
    let isSupportedCount = MuxStandard.audioChannelCounts.contains(audio.channelCount)
    let reason: String
    if audio.hasSimpleEdits == false {
      reason = "the edit list is too complex"
    } else if audio.codec != "aac" {
      reason = "not all players support \(audio.codec)"
    } else if settings.salvages {
      reason = "copying the audio would preserve the damage"
    } else if !isSupportedCount {
      reason = "not all players support \(audio.channelCount) audio channels"
    } else {
      decisions.append(.init("audio: copy AAC", because: "all players support AAC, and copying is lossless"))
      return .copy(trackIndex: audio.index)
    }
    let channels = isSupportedCount ? audio.channelCount : min(2, max(1, audio.channelCount))
    // The usual AAC sample rates. Mux accepts at most 48 kHz, and higher rates aren't audibly better.
    let rates = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000]
    let rate = rates.first { $0 >= audio.sampleRate } ?? 48000
    decisions.append(
      .init("audio: \(audio.codec) to AAC, \(channels.withNoun("channel")), \(rate) Hz", because: reason))
    return .encode(
      trackIndex: audio.index, channelCount: channels, sampleRate: rate,
      bitsPerSecond: Int64(channels) * 64_000 + 32_000)
  }

  /// The bit rate of the output audio.
  func bitsPerSecond(_ treatment: AudioTreatment, probe: ClipProbe) -> Int64 {
    switch treatment {
    case .copy: probe.mainAudio?.bitsPerSecond ?? 128_000
    case .encode(_, _, _, let bits): bits
    }
  }
}
