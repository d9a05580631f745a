import ArgumentParser
import ClipMedia
import ClipModel
import DurableFiles
import Foundation
import Highlights
import ShareEngine

struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Is this machine fit for bsc? Each problem comes with the command that mends it.")

  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let checks = await Checkup().run()
    for check in checks {
      if output.json {
        Console.writeJSON(check)
      } else {
        Console.write("\(check.isFine ? "✓" : "✗") \(check.name.padded(20))\(check.detail)\n")
        if let next = check.next { Console.write("  next: \(next)\n") }
      }
    }
    try ExitStatusError.end(with: checks.allSatisfy(\.isFine) ? 0 : ExitStatus.code(for: .notConfigured))
  }
}

/// One thing that was looked at.
struct DoctorCheck: Encodable {
  var name: String
  var isFine: Bool
  var detail: String
  var next: String?
}

/// The things to look at, in order.
struct Checkup {
  func run() async -> [DoctorCheck] {
    var checks = MediaCapabilities.current.map {
      DoctorCheck(name: $0.name, isFine: $0.isAvailable, detail: $0.detail, next: $0.isAvailable ? nil : $0.remedy)
    }
    do {
      let surroundings = try Surroundings()
      checks.append(DoctorCheck(name: "settings", isFine: true, detail: surroundings.places.configurationFile))
      checks.append(await folder(surroundings.places))
      checks.append(await journal(surroundings.places))
      checks.append(await backend(surroundings))
    } catch {
      checks.append(failed("settings", error))
    }
    return checks
  }

  private func folder(_ places: Places) async -> DoctorCheck {
    do {
      try places.createStateFolders()
      let free = try FreeSpace.bytes(at: places.stateFolder)
      // A clip of a minute at a phone's bit rate, its copy, and some room.
      let isEnough = free > 1 << 30
      return DoctorCheck(
        name: "disk", isFine: isEnough, detail: "\(ByteCount.text(free)) free at \(places.stateFolder)",
        next: isEnough ? nil : "make room; one gigabyte at least")
    } catch {
      return failed("disk", error)
    }
  }

  private func journal(_ places: Places) async -> DoctorCheck {
    do {
      let jobs = try await Journal.open(places).unfinished()
      return DoctorCheck(
        name: "journal", isFine: true,
        detail: jobs.isEmpty ? "no unfinished jobs" : "\(jobs.count) unfinished; \"bsc resume\" finishes them")
    } catch {
      return failed("journal", error)
    }
  }

  private func backend(_ surroundings: Surroundings) async -> DoctorCheck {
    let name = "backend"
    do {
      let session = try await ShareSession(surroundings) { _ in }
      let (newest, address) = try await session.use {
        (try await session.api.highlights(limit: 1, offset: 0), try await session.link.endpoint().functionsURL)
      }
      let kind = surroundings.configuration.backend.value.rawValue
      return DoctorCheck(
        name: name, isFine: true, detail: "\(kind) answers at \(address)\(newest.isEmpty ? ", nothing shared yet" : "")"
      )
    } catch {
      return failed(name, error)
    }
  }

  private func failed(_ name: String, _ error: any Error) -> DoctorCheck {
    guard let explained = (error as? any ExplainedError)?.explanation else {
      return DoctorCheck(name: name, isFine: false, detail: "\(error)")
    }
    return DoctorCheck(
      name: name, isFine: false, detail: "\(explained.what): \(explained.why)", next: explained.next)
  }
}
