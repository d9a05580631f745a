import Foundation
import ISOMedia
import LibAV
import TestSupport

@testable import Privacy

/// Audits, strips and inspects containers other than MP4 and QuickTime.
enum ContainerFixture {
  /// Audits a file as the container that its name indicates.
  static func audit(_ bytes: any ByteSource, named name: String) throws -> (carriers: [FoundCarrier], unread: [String])
  {
    let kind: any ContainerAudit.Type =
      switch (name as NSString).pathExtension {
      case "mkv", "webm": MatroskaAudit.self
      case "avi": RIFFAudit.self
      default: try TransportReader(source: bytes) == nil ? ProgramStreamAudit.self : TransportAudit.self
      }
    let list = try kind.run(on: bytes)
    return (list.carriers, list.unread)
  }

  static func audit(path: String) throws -> (carriers: [FoundCarrier], unread: [String]) {
    try audit(FileBytes(path: path), named: path)
  }

  /// Writes a copy without location data into a new folder.
  static func strip(_ path: String, options: StripOptions = StripOptions()) throws -> (
    path: String, report: RemuxReport
  ) {
    let folder = try ScratchFolder()
    let copy = folder.path((path as NSString).lastPathComponent)
    let name = (path as NSString).lastPathComponent
    var remuxer = Remuxer(
      name: name, path: path, policy: RemuxPolicy(options: options), interruption: Interruption())
    try remuxer.run(to: copy)
    return (copy, remuxer.report)
  }

  /// The hash of each video and audio track's packets, calculated by ffmpeg.
  static func streamHashes(_ path: String) throws -> String {
    let maps = ["-map", "0:V?", "-map", "0:a?", "-c", "copy"]
    return try text("ffmpeg", ["-v", "error", "-i", path] + maps + ["-f", "streamhash", "-"])
  }

  /// Each packet with its times and hash, listed by ffprobe, in the order of the tracks.
  static func packets(_ path: String) throws -> [String] {
    struct Listing: Decodable {
      var packets: [Row]
    }
    struct Row: Decodable {
      var streamIndex: Int
      var pts: Int64?
      var dts: Int64?
      var duration: Int64?
      var flags: String
      var dataHash: String
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let json = try Tool.run(
      "ffprobe", ["-v", "error", "-show_packets", "-show_data_hash", "md5", "-of", "json=c=1", path])
    let rows = Dictionary(grouping: try decoder.decode(Listing.self, from: json).packets, by: \.streamIndex)
    return rows.sorted { $0.key < $1.key }.flatMap { track, packets in
      packets.map { "\(track) \($0.pts ?? -1) \($0.dts ?? -1) \($0.duration ?? 0) \($0.flags) \($0.dataHash)" }
    }
  }

  /// The properties of the tracks that ffprobe lists, except those that depend on the layout of the file.
  static func tracks(_ path: String, except: Set<String> = []) throws -> [String] {
    let dispositions = "default,forced,comment,hearing_impaired"
    let entries =
      "stream=codec_name,profile,width,height,pix_fmt,sample_aspect_ratio,field_order,color_range,color_space,"
      + "color_transfer,color_primaries,has_b_frames,sample_rate,channels,id,time_base,start_pts,avg_frame_rate"
      + ":stream_disposition=\(dispositions):stream_tags=language,title:stream_side_data"
    return try text("ffprobe", ["-v", "error", "-show_entries", entries, "-of", "compact=p=0", path])
      .split(separator: "\n").map { line in
        line.split(separator: "|").filter { !except.contains(String($0.prefix { $0 != "=" })) }.joined(separator: "|")
      }
  }

  static func text(_ tool: String, _ arguments: [String]) throws -> String {
    String(decoding: try Tool.run(tool, arguments), as: UTF8.self)
  }

  /// The lines of exiftool's output that contain location data.
  static func exiftoolLocations(_ path: String) throws -> [String] {
    try OtherPrograms.exiftool(path, ["-U"]).split(separator: "\n").map(String.init).filter {
      !$0.hasPrefix("[System]") && ($0.contains("GPS") || $0.localizedCaseInsensitiveContains("location"))
    }
  }
}
