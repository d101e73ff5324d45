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
    .target(name: "CALSASeq", linkerSettings: [.linkedLibrary("asound")]),
    // The header alone is needed, the library is opened at run time (see the header).
    .target(name: "CFluidSynth"),
    // Likewise.
    .target(name: "CSndFile"),
    .target(name: "CLinux"),
    .target(
      name: "CScreen", cSettings: [.treatAllWarnings(as: .error)],
      linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),
    .target(name: "MIDIClock", swiftSettings: house),
    .target(name: "ClickSound", dependencies: ["MIDIClock"], swiftSettings: house),
    .target(
      name: "MetronomeCore",
      dependencies: ["MIDIClock", "ClickSound", "CALSASeq", "CFluidSynth", "CSndFile", "CLinux"],
      swiftSettings: house),
    .executableTarget(
      name: "midimetro",
      dependencies: ["MetronomeCore", "MIDIClock", "ClickSound", "CLinux", "CScreen"],
      swiftSettings: house),
    // Writes soundfonts/midimetro.sf2, which is checked in. Not installed.
    .executableTarget(
      name: "click-font", dependencies: ["ClickSound", "MIDIClock"], swiftSettings: house),
    .executableTarget(
      name: "clock-bench", dependencies: ["MIDIClock"], path: "Benchmarks/ClockBench",
      swiftSettings: house),
    .executableTarget(
      name: "tap-bench", dependencies: ["MIDIClock"], path: "Benchmarks/TapBench",
      swiftSettings: house),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: house),
    .testTarget(
      name: "MIDIClockTests", dependencies: ["MIDIClock", "TestSupport"], swiftSettings: house),
    .testTarget(
      name: "ClickSoundTests",
      dependencies: ["ClickSound", "MIDIClock", "click-font", "TestSupport"],
      swiftSettings: house),
    .testTarget(
      name: "CoreTests",
      dependencies: ["MetronomeCore", "MIDIClock", "ClickSound", "click-font", "TestSupport"],
      swiftSettings: house),
    .testTarget(
      name: "MidimetroTests",
      dependencies: ["midimetro", "MetronomeCore", "MIDIClock", "ClickSound", "TestSupport"],
      swiftSettings: house),
  ],
  swiftLanguageModes: [.v6]
)
