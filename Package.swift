// swift-tools-version: 6.2
import PackageDescription

let house: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "midimetro",
  targets: [
    .systemLibrary(name: "CALSASeq", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    // No pkgConfig: the header alone is needed, the library is opened at run time (see shim.h).
    .systemLibrary(
      name: "CFluidSynth", providers: [.apt(["libfluidsynth-dev", "libjack-jackd2-dev"])]),
    // Likewise.
    .systemLibrary(name: "CSndFile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(name: "CLinux"),
    .target(
      name: "CScreen", cSettings: [.treatAllWarnings(as: .error)],
      linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),
    .target(name: "MIDIClock", swiftSettings: house),
    .target(
      name: "MetronomeCore",
      dependencies: ["MIDIClock", "CALSASeq", "CFluidSynth", "CSndFile", "CLinux"],
      swiftSettings: house),
    .executableTarget(
      name: "midimetro", dependencies: ["MetronomeCore", "MIDIClock", "CLinux", "CScreen"],
      swiftSettings: house),
    .executableTarget(
      name: "clock-bench", dependencies: ["MIDIClock"], path: "Benchmarks/ClockBench",
      swiftSettings: house),
    .executableTarget(
      name: "tap-bench", dependencies: ["MIDIClock"], path: "Benchmarks/TapBench",
      swiftSettings: house),
    .testTarget(name: "MIDIClockTests", dependencies: ["MIDIClock"], swiftSettings: house),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: house),
    .testTarget(
      name: "CoreTests", dependencies: ["MetronomeCore", "MIDIClock", "TestSupport"],
      swiftSettings: house),
    .testTarget(
      name: "MidimetroTests",
      dependencies: ["midimetro", "MetronomeCore", "MIDIClock", "TestSupport"],
      swiftSettings: house),
  ],
  swiftLanguageModes: [.v6]
)
