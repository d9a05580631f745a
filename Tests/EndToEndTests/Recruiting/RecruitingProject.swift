import Foundation
import Testing

/// A family of a parent and an athlete in a local backend, and a person outside of it.
struct RecruitingProject {
  let project: StandInProject
  let parent: BSCHome
  let athlete: BSCHome
  let other: BSCHome

  init() async throws {
    project = try await StandInProject(try BSCHome())
    parent = try await project.member("pat")
    athlete = try await project.member("ann")
    other = try await project.member("eve")
    _ = try await run(parent, "family", "create", "Silva")
    let code = try #require(try await run(parent, "family", "invite", "athlete").first?.code)
    _ = try await run(athlete, "family", "join", code)
    _ = try await run(other, "family", "create", "Okafor", "--as", "athlete")
  }

  /// Runs a command of `bsc recruiting` that must exit with a status, and returns its documents.
  @discardableResult
  func run(
    _ home: BSCHome, _ arguments: String..., status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [RecruitingAnswer] {
    try await RecruitingAnswer.all(
      of: home, ["recruiting"] + arguments, status: status, sourceLocation: sourceLocation)
  }

  /// Runs a command that must fail with an error.
  func expect(
    _ home: BSCHome, _ id: String, _ status: Int32, _ arguments: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let run = try await home.run(["recruiting"] + arguments + ["--json"], sourceLocation: sourceLocation)
    #expect(run.status == status && run.failures.map(\.id) == [id], "\(run)", sourceLocation: sourceLocation)
  }
}
