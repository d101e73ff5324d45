import MetronomeCore
@main enum Main { static func main() {} }
