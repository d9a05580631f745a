import ClipModel
import Foundation
import ISOMedia

/// Prints the boxes of an MP4 or QuickTime file: `box-tree FILE`.
@main
enum BoxTree {
  static func main() {
    guard let file = CommandLine.arguments.dropFirst().first, CommandLine.arguments.count == 2 else {
      fail("usage: box-tree FILE", status: 64)
    }
    do {
      let source = try FileBytes(path: file)
      var top = BoxReader(source: source)
      try show(&top, of: source, depth: 0)
      guard let movie = try ISOFile.read(from: source) else {
        fail("error: cannot read \(file): it is not an MP4 or QuickTime file\nnext: choose another file")
      }
      print("\(movie.tracks.count) tracks" + (movie.isFragmented ? ", in fragments" : ""))
    } catch {
      fail("error: \(error)\nnext: see \(error.explanation.id) in Docs/errors.md")
    }
  }

  /// Boxes whose payload consists of boxes.
  static let containers: Set<FourCC> = ["moov", "trak", "edts", "mdia", "minf", "dinf", "stbl", "udta", "moof", "traf"]

  /// Reads one header at a time, so that files of any size need little memory.
  static func show(_ reader: inout BoxReader, of source: FileBytes, depth: Int) throws(ISOMediaError) {
    let indent = String(repeating: "  ", count: depth)
    while let box = try reader.next() {
      print("\(indent)\(box.type) \(box.range.lowerBound)..<\(box.range.upperBound)")
      if containers.contains(box.type) {
        var children = BoxReader(source: source, childrenOf: box)
        try show(&children, of: source, depth: depth + 1)
      }
    }
    if let problem = reader.problem { print("\(indent)damaged: \(problem)") }
  }

  static func fail(_ text: String, status: Int32 = 1) -> Never {
    FileHandle.standardError.write(Data((text + "\n").utf8))
    exit(status)
  }
}
