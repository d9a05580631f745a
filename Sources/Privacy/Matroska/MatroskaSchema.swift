/// The elements of Matroska (RFC 9559) and EBML (RFC 8794), keyed by ID.
enum MatroskaSchema {
  /// The content type of an element.
  enum ContentType {
    case elements
    /// Numbers, unique IDs and file offsets, which can't contain private data.
    case value
    /// Names, text and binary data, which are searched for private data.
    case text
  }

  struct ElementDefinition {
    var name: String
    var content: ContentType
  }

  static let void: UInt32 = 0xEC
  static let segment: UInt32 = 0x1853_8067
  static let cluster: UInt32 = 0x1F43_B675
  static let simpleBlock: UInt32 = 0xA3
  static let block: UInt32 = 0xA1
  static let blockAdditional: UInt32 = 0xA5
  static let tracks: UInt32 = 0x1654_AE6B
  static let trackEntry: UInt32 = 0xAE

  /// Returns the element name in the specification; for an unknown element, the ID.
  static func name(of id: UInt32) -> String { definitions[id]?.name ?? "0x" + String(id, radix: 16, uppercase: true) }

  /// Whether an element describes only a track's presentation, and not its times, codecs or references.
  static func describesPresentation(_ id: UInt32) -> Bool {
    presentation[id] != nil || ["LanguageBCP47", "ProjectionPrivate"].contains(name(of: id))
  }

  static let definitions: [UInt32: ElementDefinition] = {
    var all: [UInt32: ElementDefinition] = [:]
    for (content, names) in [
      (ContentType.elements, containers), (.value, values), (.value, presentation), (.text, texts),
    ] {
      for (id, name) in names { all[id] = ElementDefinition(name: name, content: content) }
    }
    return all
  }()

  private static let containers: [UInt32: String] = [
    0x1A45_DFA3: "EBML", 0x4281: "DocTypeExtension", 0x1853_8067: "Segment", 0x114D_9B74: "SeekHead", 0x4DBB: "Seek",
    0x1549_A966: "Info", 0x6924: "ChapterTranslate", 0x1F43_B675: "Cluster", 0x5854: "SilentTracks",
    0xA0: "BlockGroup", 0x75A1: "BlockAdditions", 0xA6: "BlockMore", 0x8E: "Slices", 0xE8: "TimeSlice",
    0xC8: "ReferenceFrame", 0x1654_AE6B: "Tracks", 0xAE: "TrackEntry", 0x41E4: "BlockAdditionMapping",
    0x6624: "TrackTranslate", 0xE0: "Video", 0x55B0: "Colour", 0x55D0: "MasteringMetadata", 0x7670: "Projection",
    0xE1: "Audio", 0xE2: "TrackOperation", 0xE3: "TrackCombinePlanes", 0xE4: "TrackPlane", 0xE9: "TrackJoinBlocks",
    0x6D80: "ContentEncodings", 0x6240: "ContentEncoding", 0x5034: "ContentCompression", 0x5035: "ContentEncryption",
    0x47E7: "ContentEncAESSettings", 0x1C53_BB6B: "Cues", 0xBB: "CuePoint", 0xB7: "CueTrackPositions",
    0xDB: "CueReference", 0x1941_A469: "Attachments", 0x61A7: "AttachedFile", 0x1043_A770: "Chapters",
    0x45B9: "EditionEntry", 0x4520: "EditionDisplay", 0xB6: "ChapterAtom", 0x8F: "ChapterTrack",
    0x80: "ChapterDisplay", 0x6944: "ChapProcess", 0x6911: "ChapProcessCommand", 0x1254_C367: "Tags", 0x7373: "Tag",
    0x63C0: "Targets", 0x67C8: "SimpleTag",
  ]

  private static let values: [UInt32: String] = [
    0x4286: "EBMLVersion", 0x42F7: "EBMLReadVersion", 0x42F2: "EBMLMaxIDLength", 0x42F3: "EBMLMaxSizeLength",
    0x4287: "DocTypeVersion", 0x4285: "DocTypeReadVersion", 0x4284: "DocTypeExtensionVersion", 0xBF: "CRC-32",
    0x53AB: "SeekID", 0x53AC: "SeekPosition", 0x73A4: "SegmentUUID", 0x3C_B923: "PrevUUID", 0x3E_B923: "NextUUID",
    0x4444: "SegmentFamily", 0x69FC: "ChapterTranslateEditionUID", 0x69BF: "ChapterTranslateCodec",
    0x2A_D7B1: "TimestampScale", 0x4489: "Duration", 0x4461: "DateUTC", 0xE7: "Timestamp", 0x58D7: "SilentTrackNumber",
    0xA7: "Position", 0xAB: "PrevSize", 0xEE: "BlockAddID", 0x9B: "BlockDuration", 0xFA: "ReferencePriority",
    0xFB: "ReferenceBlock", 0xFD: "ReferenceVirtual", 0x75A2: "DiscardPadding", 0xCC: "LaceNumber", 0xCD: "FrameNumber",
    0xCB: "BlockAdditionID", 0xCE: "Delay", 0xCF: "SliceDuration", 0xC9: "ReferenceOffset", 0xCA: "ReferenceTimestamp",
    0xD7: "TrackNumber", 0x73C5: "TrackUID", 0x83: "TrackType", 0x9C: "FlagLacing", 0x6DE7: "MinCache",
    0x6DF8: "MaxCache", 0x23_E383: "DefaultDuration", 0x23_4E7A: "DefaultDecodedFieldDuration",
    0x23_314F: "TrackTimestampScale", 0x537F: "TrackOffset", 0x55EE: "MaxBlockAdditionID", 0x41F0: "BlockAddIDValue",
    0x41E7: "BlockAddIDType", 0x7446: "AttachmentLink", 0xAA: "CodecDecodeAll", 0x6FAB: "TrackOverlay",
    0x56AA: "CodecDelay", 0x56BB: "SeekPreRoll", 0x66FC: "TrackTranslateEditionUID", 0x66BF: "TrackTranslateCodec",
    0x53B9: "OldStereoMode", 0xB0: "PixelWidth", 0xBA: "PixelHeight", 0x23_83E3: "FrameRate", 0xB5: "SamplingFrequency",
    0x9F: "Channels", 0x7D7B: "ChannelPositions", 0xE5: "TrackPlaneUID", 0xE6: "TrackPlaneType", 0xED: "TrackJoinUID",
    0xC0: "TrickTrackUID", 0xC1: "TrickTrackSegmentUID", 0xC6: "TrickTrackFlag", 0xC7: "TrickMasterTrackUID",
    0xC4: "TrickMasterTrackSegmentUID", 0x5031: "ContentEncodingOrder", 0x5032: "ContentEncodingScope",
    0x5033: "ContentEncodingType", 0x4254: "ContentCompAlgo", 0x47E1: "ContentEncAlgo", 0x47E2: "ContentEncKeyID",
    0x47E8: "AESSettingsCipherMode", 0x47E5: "ContentSigAlgo", 0x47E6: "ContentSigHashAlgo", 0xB3: "CueTime",
    0xF7: "CueTrack", 0xF1: "CueClusterPosition", 0xF0: "CueRelativePosition", 0xB2: "CueDuration",
    0x5378: "CueBlockNumber", 0xEA: "CueCodecState", 0x96: "CueRefTime", 0x97: "CueRefCluster", 0x535F: "CueRefNumber",
    0xEB: "CueRefCodecState", 0x46AE: "FileUID", 0x4661: "FileUsedStartTime", 0x4662: "FileUsedEndTime",
    0x45BC: "EditionUID", 0x45BD: "EditionFlagHidden", 0x45DB: "EditionFlagDefault", 0x45DD: "EditionFlagOrdered",
    0x73C4: "ChapterUID", 0x91: "ChapterTimeStart", 0x92: "ChapterTimeEnd", 0x98: "ChapterFlagHidden",
    0x4598: "ChapterFlagEnabled", 0x6E67: "ChapterSegmentUUID", 0x4588: "ChapterSkipType",
    0x6EBC: "ChapterSegmentEditionUID", 0x63C3: "ChapterPhysicalEquiv", 0x89: "ChapterTrackUID",
    0x6955: "ChapProcessCodecID", 0x6922: "ChapProcessTime", 0x68CA: "TargetTypeValue", 0x63C5: "TagTrackUID",
    0x63C9: "TagEditionUID", 0x63C4: "TagChapterUID", 0x63C6: "TagAttachmentUID", 0x4484: "TagDefault",
    0x44B4: "TagDefaultBogus",
  ]

  /// Values that describe only a track's presentation.
  private static let presentation: [UInt32: String] = [
    0xB9: "FlagEnabled", 0x88: "FlagDefault", 0x55AA: "FlagForced", 0x55AB: "FlagHearingImpaired",
    0x55AC: "FlagVisualImpaired", 0x55AD: "FlagTextDescriptions", 0x55AE: "FlagOriginal", 0x55AF: "FlagCommentary",
    0x9A: "FlagInterlaced", 0x9D: "FieldOrder", 0x53B8: "StereoMode", 0x53C0: "AlphaMode", 0x54AA: "PixelCropBottom",
    0x54BB: "PixelCropTop", 0x54CC: "PixelCropLeft", 0x54DD: "PixelCropRight", 0x54B0: "DisplayWidth",
    0x54BA: "DisplayHeight", 0x54B2: "DisplayUnit", 0x54B3: "AspectRatioType", 0x2E_B524: "UncompressedFourCC",
    0x2F_B523: "GammaValue", 0x55B1: "MatrixCoefficients", 0x55B2: "BitsPerChannel", 0x55B3: "ChromaSubsamplingHorz",
    0x55B4: "ChromaSubsamplingVert", 0x55B5: "CbSubsamplingHorz", 0x55B6: "CbSubsamplingVert",
    0x55B7: "ChromaSitingHorz", 0x55B8: "ChromaSitingVert", 0x55B9: "Range", 0x55BA: "TransferCharacteristics",
    0x55BB: "Primaries", 0x55BC: "MaxCLL", 0x55BD: "MaxFALL", 0x55D1: "PrimaryRChromaticityX",
    0x55D2: "PrimaryRChromaticityY", 0x55D3: "PrimaryGChromaticityX", 0x55D4: "PrimaryGChromaticityY",
    0x55D5: "PrimaryBChromaticityX", 0x55D6: "PrimaryBChromaticityY", 0x55D7: "WhitePointChromaticityX",
    0x55D8: "WhitePointChromaticityY", 0x55D9: "LuminanceMax", 0x55DA: "LuminanceMin", 0x7671: "ProjectionType",
    0x7673: "ProjectionPoseYaw", 0x7674: "ProjectionPosePitch", 0x7675: "ProjectionPoseRoll",
    0x78B5: "OutputSamplingFrequency", 0x6264: "BitDepth", 0x52F1: "Emphasis",
  ]

  private static let texts: [UInt32: String] = [
    0x4282: "DocType", 0x4283: "DocTypeExtensionName", 0xEC: "Void", 0x7384: "SegmentFilename",
    0x3C_83AB: "PrevFilename", 0x3E_83BB: "NextFilename", 0x69A5: "ChapterTranslateID", 0x7BA9: "Title",
    0x4D80: "MuxingApp", 0x5741: "WritingApp", 0xA3: "SimpleBlock", 0xA1: "Block", 0xA2: "BlockVirtual",
    0xA5: "BlockAdditional", 0xA4: "CodecState", 0xAF: "EncryptedBlock", 0x41A4: "BlockAddIDName",
    0x41ED: "BlockAddIDExtraData", 0x536E: "Name", 0x22_B59C: "Language", 0x22_B59D: "LanguageBCP47",
    0x86: "CodecID", 0x63A2: "CodecPrivate", 0x25_8688: "CodecName", 0x3A_9697: "CodecSettings",
    0x3B_4040: "CodecInfoURL", 0x26_B240: "CodecDownloadURL", 0x66A5: "TrackTranslateTrackID",
    0x7672: "ProjectionPrivate", 0x4255: "ContentCompSettings", 0x47E3: "ContentSignature",
    0x47E4: "ContentSigKeyID", 0x467E: "FileDescription", 0x466E: "FileName", 0x4660: "FileMediaType",
    0x465C: "FileData", 0x4675: "FileReferral", 0x4521: "EditionString", 0x45E4: "EditionLanguageIETF",
    0x5654: "ChapterStringUID", 0x85: "ChapString", 0x437C: "ChapLanguage", 0x437D: "ChapLanguageBCP47",
    0x437E: "ChapCountry", 0x450D: "ChapProcessPrivate", 0x6933: "ChapProcessData", 0x63CA: "TargetType",
    0x45A3: "TagName", 0x447A: "TagLanguage", 0x447B: "TagLanguageBCP47", 0x4487: "TagString", 0x4485: "TagBinary",
  ]
}
