import ClipMedia
package import ClipModel
import DurableFiles
import Foundation

/// Names pictures, and checks a file name that was specified with `-o`.
package struct PictureNaming {
  /// The output path as the user entered it.
  private let output: String?
  /// Whether options specify the formats of still and animated pictures.
  private let isFormatGiven: (still: Bool, animated: Bool)

  package init(output: String?, isFormatGiven: (still: Bool, animated: Bool)) {
    (self.output, self.isFormatGiven) = (output, isFormatGiven)
  }

  /// Derives the picture format from a file name such as `-o cover.webp`, unless an option specifies the format.
  package func applyFormat(to settings: inout PictureSettings) {
    guard let output else { return }
    let name = (output as NSString).pathExtension.lowercased()
    if !isFormatGiven.still,
      let format = ImageFormat.allCases.first(where: { $0.fileExtension == name || $0.rawValue == name })
    {
      settings.format = format
    }
    if !isFormatGiven.animated, let format = AnimationFormat(rawValue: name) { settings.animationFormats = [format] }
  }

  /// Checks that an output file receives only one picture, and that the file extension matches the picture format.
  package func validateOutput(_ targets: OutputTargets, _ settings: PictureSettings) throws {
    guard let output, let input = targets.inputs.first, input.destination == output else { return }
    let isAnimated = settings.kinds == [.animated]
    guard settings.kinds.count == 1, !isAnimated || settings.animationFormats.count == 1 else {
      let kinds = isAnimated ? settings.animationFormats.map(\.rawValue) : settings.kinds.map(\.rawValue)
      throw ShareEngineError(.severalPictures, ["output": output, "kinds": kinds.joined(separator: " and ")])
    }
    let known = OutputTargets.Naming.validExtensions(settings)
    guard known.contains((output as NSString).pathExtension.lowercased()) else {
      throw ShareEngineError(
        .wrongPictureName,
        ["output": output, "format": known[0], "endings": isAnimated ? ".webp or .gif" : ".jpg, .png or .webp"])
    }
    // Returns the path of a storyboard's index file. It must not be `clip.json`, which is the app's metadata for
    // `clip.mp4`.
    func indexPath(_ path: String) -> String {
      ((absolutePath(path) as NSString).deletingPathExtension + ".json").lowercased()
    }
    guard settings.kinds != [.storyboard] || indexPath(output) != indexPath(input.source) else {
      throw ShareEngineError(.indexOverMetadata, ["output": output])
    }
  }

  /// Returns the path of one of several pictures in the same folder, for example `clip-poster.jpg` or `clip-sheet.jpg`.
  /// - Parameter kinds: all picture kinds to render. The first kind determines the input's destination.
  package static func picturePath(for plan: PicturePlan, for input: OutputTargets.Input, _ kinds: [PictureKind])
    -> String
  {
    let stem = (input.destination as NSString).deletingPathExtension
    let mark = "-" + (kinds.first ?? .poster).rawValue
    let base = stem.hasSuffix(mark) ? String(stem.dropLast(mark.count)) : stem
    return "\(base)-\(plan.kind.rawValue).\(plan.fileExtensions.first ?? "")"
  }
}

extension OutputTargets.Naming {
  /// Returns the naming rules for a clip's pictures. The first picture kind determines the rules.
  package static func pictureNaming(_ settings: PictureSettings) -> OutputTargets.Naming {
    OutputTargets.Naming(
      verb: "draw", mark: "-" + (settings.kinds.first ?? .poster).rawValue, fileExtension: validExtensions(settings)[0],
      marksInFolders: true)
  }

  /// Returns the valid file extensions for the first picture kind.
  fileprivate static func validExtensions(_ settings: PictureSettings) -> [String] {
    guard settings.kinds.first != .animated else { return settings.animationFormats.map(\.fileExtension) }
    return settings.format == .jpeg ? ["jpg", "jpeg"] : [settings.format.fileExtension]
  }
}
