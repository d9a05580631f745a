import ISOMedia

/// The known sample formats of video and audio. Any other format is opaque, regardless of its handler, because a text
/// track can be labeled as video.
enum MediaFormats {
  static let encrypted: Set<FourCC> = ["encv", "enca", "enct", "encs", "encm"]

  static func isAudio(_ format: FourCC) -> Bool {
    // The format is `ms`, followed by a two-byte WAVE format number.
    audio.contains(format) || format.rawValue >> 16 == 0x6D73
  }

  /// Whether the format is MPEG-2 in QuickTime. XDCAM and HDV have a type for each combination of frame size and frame
  /// rate.
  static func isMPEG2(_ format: FourCC) -> Bool {
    ["m2v1", "mpg2", "mp2v", "mpeg", "m1v ", "mp1v"].contains(format)
      || ["xdv", "xd5", "xdh", "hdv", "mx5", "mx4", "mx3"].contains { format.description.hasPrefix($0) }
  }

  /// The video formats that can't contain embedded messages, or whose encoders don't write any.
  static let plainVideo: Set<FourCC> = [
    "vp08", "vp09", "apch", "apcn", "apcs", "apco", "ap4h", "ap4x", "aprn", "aprh", "s263", "h263", "H263", "DIVX",
    "XVID", "3IV2", "dvc ", "dvcp", "dvpp", "dv5n", "dv5p", "dvhp", "dvhq", "dvh2", "dvh3", "dvh5", "dvh6", "icod",
    "rle ", "rpza", "smc ", "SVQ1", "SVQ3", "cvid", "2vuy", "2Vuy", "yuv2", "yuvs", "v210", "v308", "v408", "v410",
    "raw ", "BGRA", "b64a", "b48r", "CFHD", "AVdn", "AVdh", "drac", "vc-1", "Hap1", "Hap5", "HapY", "HapM", "FFV1",
    "tga ", "tiff", "gif ",
  ]

  private static let audio: Set<FourCC> = [
    "mp4a", "ac-3", "ec-3", "ac-4", "alac", "Opus", "fLaC", "samr", "sawb", "sawp", ".mp3", "mp3 ", "lpcm", "sowt",
    "twos", "in24", "in32", "fl32", "fl64", "ulaw", "alaw", "raw ", "ima4", "QDM2", "QDMC", "Qclp", "MAC3", "MAC6",
    "agsm", "apac", "mha1", "mha2", "mhm1", "mhm2", "dtsc", "dtsh", "dtsl", "dtse", "dtsx", "spex", "owma", "ipcm",
    "fpcm", "NONE", "dvca", "mlpa", "vdva", "sqcp", "sevc", "ssmv",
  ]
}
