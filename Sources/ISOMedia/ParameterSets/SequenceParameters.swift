package import ClipModel

/// What a sequence parameter set says of its pictures (ITU-T H.264, 7.3.2.1.1; H.265, 7.3.2.2).
package struct SequenceParameters: Equatable, Sendable {
  /// `chroma_format_idc` (table 6-1 of both).
  package enum ChromaFormat: Int, Sendable {
    case monochrome, yuv420, yuv422, yuv444

    /// Luma samples for one of chroma, across and down.
    var subsampling: (width: Int, height: Int) {
      (self == .yuv420 || self == .yuv422 ? 2 : 1, self == .yuv420 ? 2 : 1)
    }
  }

  package var codec: NALUnitCodec
  /// `seq_parameter_set_id`, `sps_seq_parameter_set_id`.
  package var identifier = 0
  /// `profile_idc`, `general_profile_idc`.
  package var profileIDC = 0
  /// H.264: `constraint_set0_flag` is the highest bit of 8. HEVC: the 48 bits behind the compatibility flags.
  package var constraints: UInt64 = 0
  /// HEVC, `general_profile_compatibility_flag`: that of profile 0 is the highest bit.
  package var compatibility: UInt32 = 0
  /// `general_tier_flag`, which only HEVC has.
  package var isHighTier = false
  /// As it is written, and as libav has it: H.264 41 for level 4.1, HEVC 123 for 4.1.
  package var level = 0
  /// Layers of pictures that are droppable from the top (`sps_max_sub_layers_minus1` + 1); 1 in H.264, which does not
  /// tell.
  package var temporalLayerCount = 1

  package var chromaFormat = ChromaFormat.yuv420
  /// `separate_colour_plane_flag`: three pictures of one colour each.
  package var hasSeparatePlanes = false
  package var lumaBitDepth = 8
  package var chromaBitDepth = 8
  /// In whole blocks.
  package var codedSize = PictureSize(width: 0, height: 0)
  /// What is cut off: `frame_cropping_flag`, the conformance window of HEVC. As in libav, the default display window of
  /// the VUI cuts nothing.
  package var cropping = PictureWindow()

  /// `frame_mbs_only_flag` of H.264: no picture is a field, and no block has fields. True in HEVC.
  package var isFrameOnly = true
  /// `mb_adaptive_frame_field_flag`.
  package var mixesFrameAndFieldBlocks = false
  /// What HEVC says of the source; `nil` in H.264.
  package var source: SourceScan?
  /// `pic_order_cnt_type`; `nil` in HEVC.
  package var pictureOrderType: Int?
  /// `gaps_in_frame_num_value_allowed_flag`: a reference of H.264 that is missing was left out on purpose.
  package var allowsFrameNumberGaps = false
  /// `max_num_ref_frames`, libav's `refs`; `sps_max_dec_pic_buffering_minus1` of the highest layer.
  package var referenceCount = 0
  /// Pictures that may come between a picture and its place in the output: `max_num_reorder_frames`,
  /// `sps_max_num_reorder_pics` of the highest layer; libav's `has_b_frames`. `nil` when H.264 does not tell.
  package var reorderDepth: Int?
  /// Video usability information (annex E of both).
  package var usability: VideoUsability?

  init(codec: NALUnitCodec) { self.codec = codec }

  /// What is shown.
  package var size: PictureSize {
    PictureSize(
      width: codedSize.width - cropping.left - cropping.right,
      height: codedSize.height - cropping.top - cropping.bottom)
  }

  /// The size that libav gives pictures of H.264 in a container that states another one: that of the container, where
  /// it cuts less than a block at the right and the bottom, and the set cuts nothing at the left and the top.
  package func size(inContainer stated: PictureSize) -> PictureSize {
    func cuts(_ stated: Int, _ whole: Int) -> Bool {
      stated > 0 && stated <= whole && (stated - 1) / 16 == (whole - 1) / 16
    }
    let isCut = cuts(stated.width, size.width) && cuts(stated.height, size.height)
    return codec == .h264 && isCut && cropping.left == 0 && cropping.top == 0 ? stated : size
  }

  /// Whether all pictures are whole frames of one time; `nil` when the set leaves it open.
  package var isProgressive: Bool? {
    switch codec {
    case .h264: isFrameOnly ? true : nil
    case .hevc: usability?.isFieldSequence == true ? false : source?.isProgressive
    }
  }

  /// `ChromaArrayType`: planes of their own are coded as pictures without colour.
  var chromaArrayFormat: ChromaFormat { hasSeparatePlanes ? .monochrome : chromaFormat }

  /// Both limits are beyond the highest level (H.264, table A-1: 1055 blocks; H.265, A.4.1: some 33 800 samples).
  static let sideLimit = 1 << 16

  /// Whether something is left of the picture.
  var hasSize: Bool {
    size.width > 0 && size.height > 0 && max(codedSize.width, codedSize.height) <= Self.sideLimit
  }
}

/// Samples cut off at the four sides, in those of luma.
package struct PictureWindow: Equatable, Sendable {
  package var left = 0
  package var right = 0
  package var top = 0
  package var bottom = 0

  package init(left: Int = 0, right: Int = 0, top: Int = 0, bottom: Int = 0) {
    (self.left, self.right, self.top, self.bottom) = (left, right, top, bottom)
  }

  /// Four offsets, HEVC's and H.264's in the same order, in units.
  init(_ reader: inout BitReader, unit: (width: Int, height: Int)) throws(BitReader.Damage) {
    left = try reader.unsigned() * unit.width
    right = try reader.unsigned() * unit.width
    top = try reader.unsigned() * unit.height
    bottom = try reader.unsigned() * unit.height
  }
}

/// `general_progressive_source_flag` and `general_interlaced_source_flag` (H.265, 7.4.4).
package struct SourceScan: Equatable, Sendable {
  package var isMarkedProgressive: Bool
  package var isMarkedInterlaced: Bool

  /// `nil` for unknown (neither), and for "see each picture" (both).
  package var isProgressive: Bool? { isMarkedProgressive == isMarkedInterlaced ? nil : isMarkedProgressive }
}
