"""The parts of Scripts/conformance: what Tests/Conformance says, and who is asked whether it is so."""
