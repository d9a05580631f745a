import Reports
import ShareEngine
import Testing

/// The checks state facts, and `DoctorAdvice` has the commands.
@Suite struct DoctorAdviceTests {
  @Test func problemsHaveAdvice() {
    #expect(Set(DoctorAdvice.table.keys) == Set(DoctorCheck.Problem.allCases.map(\.rawValue)))
  }
}
