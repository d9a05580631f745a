import CFFmpeg
public import ClipModel

extension PixelFormat {
  /// 8 bits each of red, green and blue, in planes.
  public static let rgbPlanes = PixelFormat(AV_PIX_FMT_GBRP)
  /// The same, three bytes a pixel.
  public static let rgb24 = PixelFormat(AV_PIX_FMT_RGB24)
  /// Four bytes a pixel: blue, green, red and opacity.
  public static let bgra = PixelFormat(AV_PIX_FMT_BGRA)
}

extension PictureLayout {
  /// sRGB as screens show it, in planes.
  public static func rgb(_ size: PictureSize) -> PictureLayout {
    PictureLayout(
      width: size.width, height: size.height, pixelFormat: .rgbPlanes, matrix: .rgb, transfer: .bt709,
      primaries: .bt709, isFullRange: true, chromaLocation: .left)
  }
}

/// IEC 61966-2-1's code in ITU-T H.273.
private let sRGBTransfer = AVColorTransferCharacteristic(rawValue: 13)

extension Frame {
  /// A frame in `rgbPlanes` as bytes.
  package func rgbPicture() -> RGBPicture {
    var picture = RGBPicture(width: width, height: height)
    // libav stores planar RGB as G, B, R.
    for (component, plane) in [2, 0, 1].enumerated() {
      picture.bytes.withUnsafeMutableBufferPointer { bytes in
        withRows(ofPlane: plane) { row, samples in
          guard let source = samples.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
          var index = row * width * 3 + component
          for column in 0..<min(samples.count, width) where index < bytes.count {
            bytes[index] = source[column]
            index += 3
          }
        }
      }
    }
    return picture
  }

  /// A picture's own frame in `rgbPlanes`, `rgb24` or `bgra`, tagged as sRGB.
  package convenience init(_ picture: RGBPicture, as format: PixelFormat) throws(FFmpegError) {
    try self.init(width: picture.width, height: picture.height, pixelFormat: format)
    let rowBytes = picture.width * 3
    func copy(plane: Int, step: Int, _ components: [Int?]) {
      withMutableRows(ofPlane: plane) { row, samples in
        picture.bytes.withUnsafeBufferPointer { bytes in
          for column in 0..<picture.width {
            for (offset, component) in components.enumerated() {
              // What is no colour is opacity.
              samples[column * step + offset] = component.map { bytes[row * rowBytes + column * 3 + $0] } ?? 255
            }
          }
        }
      }
    }
    switch format {
    case .rgb24: copy(plane: 0, step: 3, [0, 1, 2])
    case .bgra: copy(plane: 0, step: 4, [2, 1, 0, nil])
    default: for (plane, component) in [1, 2, 0].enumerated() { copy(plane: plane, step: 1, [component]) }
    }
    tag(as: .rgb(PictureSize(width: picture.width, height: picture.height)))
    pointer.pointee.color_trc = sRGBTransfer
  }

  /// A frame of palette indexes, a byte a pixel, as many as it has pixels.
  /// - Parameter palette: red, green, blue of up to 255 colours; the last entry of 256 is transparent, with which GIF
  ///   leaves out what did not change.
  public convenience init(
    indexes: [UInt8], palette: [UInt8], width: Int, height: Int
  ) throws(FFmpegError) {
    guard indexes.count == width * height else {
      throw FFmpegError(bsc_AVERROR_EINVAL, call: "Frame.init", subject: "\(width)x\(height) picture")
    }
    try self.init(width: width, height: height, pixelFormat: PixelFormat(AV_PIX_FMT_PAL8))
    indexes.withUnsafeBufferPointer { bytes in
      withMutableRows(ofPlane: 0) { row, samples in
        for column in 0..<min(width, samples.count) { samples[column] = bytes[row * width + column] }
      }
    }
    guard let table = planeData(pointer, 1) else { return }
    table.withMemoryRebound(to: UInt32.self, capacity: 256) { entries in
      for index in 0..<256 {
        let place = index * 3
        guard place + 2 < palette.count, index < 255 else {
          entries[index] = index == 255 ? 0 : 0xFF00_0000
          continue
        }
        entries[index] =
          0xFF00_0000 | UInt32(palette[place]) << 16 | UInt32(palette[place + 1]) << 8 | UInt32(palette[place + 2])
      }
    }
  }
}
