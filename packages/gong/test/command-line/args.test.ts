import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { parseArgs } from "../../src/command-line/args.ts"
import { type Flag, flags, laterFlags, type Options } from "../../src/command-line/flags.ts"
import { helpText } from "../../src/command-line/help.ts"
import { english } from "@gong/texts/translator"

function parsed(...argv: string[]) {
  const args = parseArgs(argv)
  assert.ok(args.ok, args.ok ? "" : args.error.lines.join("\n"))
  return args.value
}

function options(...argv: string[]): Options {
  return parsed(...argv).options
}

function mistake(...argv: string[]): string {
  const args = parseArgs(argv)
  assert.ok(!args.ok, `${argv.join(" ")} should be refused`)
  assert.equal(args.error.exit, 2)
  return args.error.lines.join("\n")
}

test("positional words are the message, in order, anywhere among the options", () => {
  assert.deepEqual(parsed("fix", "-p", "the", "--quiet", "test"), {
    options: { print: true, quiet: true },
    words: ["fix", "the", "test"],
    command: null,
  })
  assert.deepEqual(parsed("@a.ts", "-", "why?").words, ["@a.ts", "-", "why?"])
})

test("a value follows a blank, an =, or a short name directly", () => {
  for (const argv of [["--model", "a/b"], ["--model=a/b"], ["-m", "a/b"], ["-ma/b"], ["-m=a/b"]]) {
    assert.deepEqual(options(...argv), { model: "a/b" }, argv.join(" "))
  }
  assert.deepEqual(options("--set=a=b=c"), { set: ["a=b=c"] })
})

test("short switches can be combined, the last may take a value", () => {
  assert.deepEqual(options("-pq"), { print: true, quiet: true })
  assert.deepEqual(options("-pqm", "a/b"), { print: true, quiet: true, model: "a/b" })
  assert.deepEqual(options("-pmx"), { print: true, model: "x" })
})

test("after -- everything is a positional word", () => {
  assert.deepEqual(parsed("-p", "--", "-q", "--", "x"), {
    options: { print: true },
    words: ["-q", "--", "x"],
    command: null,
  })
  assert.deepEqual(parsed("--", "demo").command, null)
  assert.deepEqual(parsed("--", "trust", "me", "on", "this").words, ["trust", "me", "on", "this"])
})

test("repeatable options keep every value, the others the last", () => {
  assert.deepEqual(options("--add-dir", "a", "--add-dir=b", "-i", "1.png", "-i2.png"), {
    addDir: ["a", "b"],
    image: ["1.png", "2.png"],
  })
  assert.deepEqual(options("-m", "a", "-m", "b"), { model: "b" })
})

test("values are parsed by type", () => {
  assert.deepEqual(options("--max-turns", "3", "--max-cost=0.5", "--max-time", "15m"), {
    maxTurns: 3,
    maxCost: 0.5,
    maxTime: 900_000,
  })
  assert.equal(options("--max-time", "90s").maxTime, 90_000)
  assert.equal(options("--max-time", "1.5h").maxTime, 5_400_000)
})

test("--mode json is --output events, --yolo is --permission full", () => {
  assert.deepEqual(options("--mode", "json", "--yolo"), { output: "events", permission: "full" })
  assert.deepEqual(options("--yolo", "--permission", "ask"), { permission: "ask" })
})

test("an unknown option names the nearest one", () => {
  assert.equal(mistake("--modle", "x"), "gong: unknown option --modle. Did you mean --model?")
  assert.equal(mistake("--permision=ask"), "gong: unknown option --permision. Did you mean --permission?")
  assert.equal(mistake("-z"), "gong: unknown option -z. gong --help lists them.")
  assert.equal(mistake("-pz"), "gong: unknown option -z. gong --help lists them.")
})

test("an option of a later release is reported as missing", () => {
  assert.equal(mistake("-w"), "gong: -w is not in this version yet.")
  assert.equal(mistake("--on=ssh://x"), "gong: --on is not in this version yet.")
  for (const name of laterFlags) assert.equal(mistake(name), `gong: ${name} is not in this version yet.`)
})

test("a missing value shows the expected form", () => {
  assert.equal(mistake("-m"), "gong: -m needs a value: -m PROVIDER/ID[:thinking][,...]")
  assert.equal(mistake("--output", "-p"), "gong: --output needs a value: --output text|json|events")
  assert.equal(mistake("--cwd", ""), 'gong: --cwd wants DIR, which may not be empty, not "".')
  assert.deepEqual(options("--system-prompt=-v", "--append-system-prompt="), {
    systemPrompt: "-v",
    appendSystemPrompt: "",
  })
  assert.deepEqual(options("--system-prompt", "- be brief"), { systemPrompt: "- be brief" }, "a list is no option")
  assert.deepEqual(options("--api-key", "-"), { apiKey: "-" })
})

test("a wrong value names the allowed ones", () => {
  assert.equal(
    mistake("--thinking", "hgih"),
    'gong: --thinking wants off, minimal, low, medium, high or xhigh, not "hgih". Did you mean high?',
  )
  assert.equal(mistake("--max-turns", "0"), 'gong: --max-turns wants a whole number from 1, not "0".')
  assert.equal(mistake("--max-turns", "1e3"), 'gong: --max-turns wants a whole number from 1, not "1e3".')
  assert.equal(mistake("--max-cost", "free"), 'gong: --max-cost wants US dollars above 0, such as 0.50, not "free".')
  assert.equal(mistake("--max-time", "15"), 'gong: --max-time wants a time such as 90s, 15m or 2h, not "15".')
  assert.equal(mistake("--set", "model"), 'gong: --set wants KEY=VALUE, not "model".')
  assert.equal(mistake("--env", "A-B"), 'gong: --env wants the name of an environment variable, not "A-B".')
  assert.equal(mistake("--print=yes"), "gong: --print takes no value.")
})

test("options that require or exclude another are reported", () => {
  assert.equal(mistake("--fast", "hi"), 'gong: --fast works only with "gong demo".')
  assert.equal(
    mistake("--json"),
    'gong: --json works only with --version, "gong models", "gong sessions", "gong skills", "gong auth", "gong permissions", "gong config", "gong import", "gong trust", "gong mcp" or "gong doctor".',
  )
  assert.deepEqual(parsed("demo", "--fast").command, { name: "demo", words: [] })
  assert.deepEqual(options("--version", "--json"), { version: true, json: true })
  assert.equal(mistake("-c", "--session", "x"), "gong: --continue and --session exclude each other; take one of them.")
  assert.equal(mistake("--no-tools", "--tools", "read"), "gong: --tools and --no-tools exclude each other.")
})

test("a command is the first word only", () => {
  assert.deepEqual(parsed("-q", "doctor"), {
    options: { quiet: true },
    words: [],
    command: { name: "doctor", words: [] },
  })
  assert.equal(parsed("please", "demo").command, null)
  assert.equal(parsed("undo the last change").command, null, "one argument with blanks is a message")
  assert.deepEqual(parsed("sessions", "show", "4f2a", "--output", "events").command, {
    name: "sessions",
    words: ["show", "4f2a"],
  })
  assert.equal(mistake("sessions", "show"), 'gong: "sessions show" needs a value: gong sessions show ID')
  assert.equal(mistake("sessions", "import"), 'gong: "sessions import" needs a value: gong sessions import FILE')
  assert.equal(mistake("sessions", "search"), 'gong: "sessions search" needs a value: gong sessions search WORD...')
  assert.deepEqual(parsed("sessions", "search", "two", "words").command?.words, ["search", "two", "words"])
  assert.deepEqual(parsed("sessions", "fork", "4f2a", "step").command?.words, ["fork", "4f2a", "step"])
  assert.ok(mistake("sessions", "fork", "4f2a", "step", "more").includes("is a command"))
})

test("words that a command does not know make a message", () => {
  assert.equal(
    mistake("undo", "the", "last", "change"),
    'gong: "undo" is a command. For a message write: gong -- undo the last change',
  )
  assert.equal(
    mistake("trust", "me", "on", "this"),
    'gong: "trust" is a command. For a message write: gong -- trust me on this',
  )
  assert.equal(mistake("acp"), 'gong: "acp" is not in this version yet.')
  assert.equal(mistake("sessions", "constructor", "x").includes("is a command"), true)
})

test("a typo in the name of a command or its verb gets a suggestion", () => {
  const pairs = [
    [["docter"], 'there is no command "docter". Did you mean doctor? For a message write: gong -- docter'],
    [
      ["sesions", "list"],
      'there is no command "sesions". Did you mean sessions? For a message write: gong -- sesions list',
    ],
    [["sessions", "lsit"], '"sessions" is a command. Did you mean list? For a message write: gong -- sessions lsit'],
    [
      ["skills", "vaildate"],
      '"skills" is a command. Did you mean validate? For a message write: gong -- skills vaildate',
    ],
    [["auth", "logut", "xai"], '"auth" is a command. Did you mean logout? For a message write: gong -- auth logut xai'],
  ] as const
  for (const [words, text] of pairs) assert.equal(mistake(...words), `gong: ${text}`)
  for (const words of [
    ["docter", "it"],
    ["hello"],
    ["continue"],
    ["sesions of last week"],
    ["/model"],
    ["--", "docter"],
  ])
    assert.equal(parsed(...words).command, null)
})

test("any command line is parsed or rejected in one line, without a throw", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "--",
      "-",
      "-p",
      "-m",
      "--model",
      "--set=",
      "--__proto__",
      "--constructor=1",
      "sessions",
      "show",
      "-pq",
    ),
    fc.constantFrom(...flags.map((flag) => `--${flag.name}`)),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (argv) => {
      const args = parseArgs(argv)
      if (!args.ok) assert.equal(args.error.lines.length, 1)
      else assert.ok(args.value.words.every((word) => argv.includes(word)))
    }),
  )
})

test("help names every option and stays within 80 columns", () => {
  const lines = helpText(english).split("\n")
  for (const line of lines) assert.ok(line.length <= 80, line)
  for (const flag of flags) assert.ok(helpText(english).includes(`--${flag.name}`), flag.name)
})

test("commands without support for --output refuse it", () => {
  const unspoken = [
    "models gpt",
    "auth",
    "trust list",
    "skills",
    "config list",
    "permissions",
    "import --from claude",
    "doctor",
  ]
  for (const line of unspoken) {
    const words = line.split(" ").slice(0, /^(?:models|import)/.test(line) ? 1 : 2)
    for (const output of ["json", "events"])
      assert.equal(
        mistake(...line.split(" "), "--output", output),
        `gong: --output ${output} does not work with "gong ${words.join(" ")}"; --json is for programs.`,
      )
  }
  for (const name of ["demo", "undo", "login"])
    assert.equal(mistake(name, "--mode", "json"), `gong: --output events does not work with "gong ${name}".`)
  assert.equal(
    mistake("--version", "--output", "json"),
    "gong: --output json does not work with --version; --json is for programs.",
  )
  for (const line of [
    "models --output text",
    "rpc --output json",
    "sessions show x --output events",
    "help --output json",
  ])
    assert.equal(parsed(...line.split(" ")).command?.name, line.split(" ")[0])
  assert.equal(parsed("--version", "--json", "--output", "json").options.version, true)
})

test("options that may be repeated keep all values in order; of others the last one counts", () => {
  const all: readonly Flag[] = flags
  const values: Readonly<Record<string, readonly [string, string]>> = {
    pair: ["retry.count=1", "retry.count=2"],
    variable: ["A", "B"],
  }
  const repeated = all.filter(({ repeat }) => repeat === true).map(({ name }) => name)
  assert.deepEqual(
    repeated.toSorted(),
    ["add-dir", "allow", "deny", "env", "extension", "image", "prompt-template", "set", "skill"].toSorted(),
  )
  for (const { name, kind, choices, repeat } of all) {
    const [one, two] = values[kind] ?? ["bash", "edit"]
    if (kind !== "text" && kind !== "pair" && kind !== "variable") continue
    if (choices !== undefined || ["session", "session-id", "fork", "after"].includes(name)) continue
    const options = parsed(`--${name}`, one, `--${name}`, two).options as Readonly<Record<string, unknown>>
    const field = name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
    assert.deepEqual(options[field], repeat === true ? [one, two] : two, name)
  }
})
