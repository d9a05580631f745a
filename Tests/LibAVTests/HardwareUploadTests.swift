import CFFmpeg
import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LibAV

/// `HardwareUpload` without hardware: its conversion, missing devices, and invalid settings.
@Suite struct HardwareUploadTests {
  @Test(arguments: ["libx264", "h264_nvenc", "h264_videotoolbox", "vaapi", "h264_vaapi_2", ""])
  func otherEncodersNeedNoConversion(name: String) throws {
    // The layout doesn't matter then.
    #expect(try HardwareUpload(encoder: name, layout: LibAVMedia.layout(0, 0)) == nil)
  }

  /// Frames for Quick Sync stay in normal memory.
  @Test func convertedFramesHaveTheSameContent() throws {
    let source = try LibAVMedia.frame(9)
    func converted() throws -> Frame {
      let upload = try #require(try HardwareUpload(encoder: "h264_qsv", layout: LibAVMedia.layout))
      #expect(upload.encoderFormat == PixelFormat(name: "nv12"))
      #expect(try upload.upload(nil) == nil)
      let frame = try upload.upload(source)
      return try #require(frame)
    }
    // The frame owns its buffers.
    let frame = try converted()
    #expect(frame.pixelFormat == PixelFormat(name: "nv12") && frame.presentationTicks == 9)
    #expect(LibAVMedia.rows(frame, plane: 0) == LibAVMedia.rows(source, plane: 0))
    // The chroma samples alternate.
    let chroma = zip(LibAVMedia.rows(source, plane: 1), LibAVMedia.rows(source, plane: 2)).flatMap { [$0, $1] }
    #expect(LibAVMedia.rows(frame, plane: 1) == chroma)
  }

  @Test(arguments: [
    LibAVMedia.layout(158, 120), LibAVMedia.layout(160, 122), LibAVMedia.layout(160, 120, .yuv420p10),
    LibAVMedia.layout(160, 120, .rgb24),
  ])
  func framesOfAnotherSizeOrFormatAreRejected(layout: FrameLayout) throws {
    let upload = try #require(try HardwareUpload(encoder: "h264_qsv", layout: LibAVMedia.layout))
    for _ in 0..<3 {
      let error = #expect(throws: FFmpegError.self) { try upload.upload(Frame(layout)) }
      #expect(error?.call == "sws_scale" && error?.code == bsc_AVERROR_EINVAL)
      #expect(throws: FFmpegError.self) { try upload.upload(Frame()) }
    }
    let frame = try upload.upload(LibAVMedia.frame(1))
    #expect(frame?.presentationTicks == 1)
  }

  @Test(
    arguments: [
      LibAVMedia.layout(0, 0), LibAVMedia.layout(160, -2),
      LibAVMedia.layout(160, 120, PixelFormat(AV_PIX_FMT_VAAPI)),
    ], ["qsv", "vaapi"])
  func layoutsThatCannotBeConvertedAreRejected(layout: FrameLayout, kind: String) throws {
    for _ in 0..<5 {
      let error = #expect(throws: FFmpegError.self) { try HardwareUpload(encoder: "h264_\(kind)", layout: layout) }
      #expect(error?.call == "sws_getContext" && error?.code == bsc_AVERROR_EINVAL)
    }
  }

  @Test(.enabled(if: !FileManager.default.fileExists(atPath: "/dev/dri"), "this machine has graphics hardware"))
  func missingDevicesAreReported() throws {
    for _ in 0..<5 {
      let error = #expect(throws: FFmpegError.self) {
        try HardwareUpload(encoder: "h264_vaapi", layout: LibAVMedia.layout)
      }
      #expect(error?.call == "av_hwdevice_ctx_create" && error?.subject == "h264_vaapi")
    }
  }

  @Test func quickSyncNeedsNoGraphicsMemory() throws {
    let encoder = try LibAVMedia.encoder()
    for _ in 0..<2 {
      let upload = try #require(try HardwareUpload(encoder: "h264_qsv", layout: LibAVMedia.layout))
      upload.attach(to: encoder.pointer)
      #expect(encoder.pointer.pointee.hw_frames_ctx == nil)
    }
    #expect(try LibAVMedia.packets(3, of: encoder).count == 3)
  }

  /// The upload is released with the encoder that could not be opened.
  @Test(arguments: ["no-such-encoder", "h264_no_such_qsv"]) func unknownEncodersAreRejected(name: String) throws {
    for _ in 0..<5 {
      let error = #expect(throws: FFmpegError.self) { try Encoder(hardware: name, LibAVMedia.settings()) }
      #expect(error?.call == "avcodec_find_encoder_by_name" && error?.code == bsc_AVERROR_ENCODER_NOT_FOUND)
    }
  }
}
