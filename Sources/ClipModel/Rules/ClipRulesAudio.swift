/// The decisions about the sound.
extension ClipRules {
  func audioTreatment(
    _ probe: ClipProbe, settings: ProcessingSettings, decisions: inout [ProcessingPlan.Decision]
  ) -> AudioTreatment? {
    guard let audio = probe.mainAudio else {
      if !probe.audioTracks.isEmpty {
        decisions.append(.init("audio: none", because: "no track of it can be decoded"))
      }
      return nil
    }
    if settings.mute {
      decisions.append(.init("audio: none", because: "--mute"))
      return nil
    }
    let hasSimpleEdits = audio.hasSimpleEdits ?? true
    if audio.codec == "aac", hasSimpleEdits, !settings.salvages,
      MuxStandard.audioChannelCounts.contains(audio.channelCount)
    {
      decisions.append(.init("audio: copy AAC", because: "it is played everywhere, and copying loses nothing"))
      return .copy(trackIndex: audio.index)
    }
    let channels =
      MuxStandard.audioChannelCounts.contains(audio.channelCount)
      ? audio.channelCount : min(2, max(1, audio.channelCount))
    // AAC's usual rates; above 48 kHz nothing is heard, and Mux wants at most 48 kHz.
    let rates = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000]
    let rate = rates.first { $0 >= audio.sampleRate } ?? 48000
    decisions.append(
      .init(
        "audio: \(audio.codec) to AAC, \(channels) channel\(channels == 1 ? "" : "s"), \(rate) Hz",
        because: !hasSimpleEdits
          ? "its edit list is not simple"
          : audio.codec != "aac"
            ? "\(audio.codec) is not played everywhere"
            : settings.salvages
              ? "damage inside copied sound would go on" : "\(audio.channelCount) channels are not played everywhere"))
    return .encode(
      trackIndex: audio.index, channelCount: channels, sampleRate: rate,
      bitsPerSecond: Int64(channels) * 64_000 + 32_000)
  }

  /// Of the output's sound.
  func bitsPerSecond(_ treatment: AudioTreatment, probe: ClipProbe) -> Int64 {
    switch treatment {
    case .copy: probe.mainAudio?.bitsPerSecond ?? 128_000
    case .encode(_, _, _, let bits): bits
    }
  }
}
