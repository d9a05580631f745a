import Testing

@testable import ClipMedia
@testable import ClipModel

@Suite struct EncoderRecipeTests {
  /// The recipes for x264, which depend on the effort and the content, don't apply to x265.
  @Test(arguments: EncodingEffort.allCases, [0.5, 1.5])
  func rateFactorOfHEVCDependsOnlyOnQuality(effort: EncodingEffort, bitsPerPixel: Double) {
    var encoding = VideoEncoding()
    (encoding.effort, encoding.constantRateFactor) = (effort, 20)
    let recipe = EncoderRecipe(effort, bitsPerPixel: bitsPerPixel)
    for codec in [VideoEncoding.Codec.hevc, .hevcHDR] {
      encoding.codec = codec
      #expect(recipe.rateFactor(for: encoding, sourceBitsPerPixel: 0.01) == 21)
    }
    encoding.codec = .h264
    #expect(recipe.rateFactor(for: encoding, sourceBitsPerPixel: 0.01) > 21)
  }
}
