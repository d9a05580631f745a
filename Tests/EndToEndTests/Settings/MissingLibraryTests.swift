import Foundation
import TestSupport
import Testing

// Not a member of the suite, because its attribute can't refer to its members.
#if os(Linux) && arch(x86_64)
private let loadsLibraries = ProcessInfo.processInfo.environment["BSC_LINK_LIBRARIES"] == nil
#else
private let loadsLibraries = false
#endif

extension EndToEnd {
  /// FFmpeg and libcurl are loaded when they are first used. On other systems, and with `BSC_LINK_LIBRARIES`, the
  /// program is linked with them and cannot start without them.
  @Suite(.enabled(if: loadsLibraries)) struct MissingLibraryTests {
    private var home: BSCHome

    /// Creates a home in which the dynamic linker finds empty files instead of the libraries.
    init() throws {
      home = try BSCHome()
      let folder = home.folder.path("libraries")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      // FFmpeg 5 to 9 and later versions.
      for name in ["libcurl.so.4", "libpangocairo-1.0.so.0"] + (58...70).map({ "libavformat.so.\($0)" }) {
        #expect(FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: Data()))
      }
      home.environment["LD_LIBRARY_PATH"] = [folder, home.environment["LD_LIBRARY_PATH"]].compactMap(\.self)
        .joined(separator: ":")
    }

    @Test(arguments: [["--version"], ["--help"], ["jobs"], ["config", "show"], ["validate", "clip.mp4"]])
    func otherCommandsDoNotLoadThem(arguments: [String]) async throws {
      _ = try home.clip("rally-portrait", named: "clip")
      let outcome = try await home.run(arguments)
      #expect(outcome.status == 0, "\(outcome)")
    }

    @Test(arguments: [["thumbs", "clip.mp4"], ["compress", "clip.mp4", "-o", "small.mp4"], ["highlights", "list"]])
    func missingLibraryIsReported(arguments: [String]) async throws {
      _ = try home.clip("rally-portrait", named: "clip")
      let outcome = try await home.run(arguments + ["--json"])
      #expect(outcome.status == 5, "\(outcome)")
      #expect(outcome.output.contains(#""error.library-missing""#), "\(outcome)")
    }

    /// Before the list is requested.
    @Test func missingPangoIsReported() async throws {
      let outcome = try await home.run("recruiting", "interactions", "list", "--pdf", "list.pdf", "--json")
      #expect(outcome.status == 5 && outcome.failures.map(\.id) == ["pdf.library-missing"], "\(outcome)")
      #expect(!FileManager.default.fileExists(atPath: home.folder.path("list.pdf")))
    }

    @Test func doctorReportsThem() async throws {
      let outcome = try await home.run("doctor", "--json")
      #expect(outcome.status == 5, "\(outcome)")
      struct Document: Decodable {
        struct Check: Decodable { var name, status: String }
        var checks: [Check]
      }
      let checks = try JSONDecoder().decode(Document.self, from: Data(outcome.output.utf8)).checks
      let problems = checks.filter { $0.status == "problem" }.map(\.name)
      #expect(problems.contains("FFmpeg") && problems.contains("libcurl"), "\(outcome)")
    }
  }
}
