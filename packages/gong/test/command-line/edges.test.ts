import assert from "node:assert/strict"
import { test } from "node:test"
import { type Clock, englishOf } from "@gong/spec"
import { english } from "@gong/texts/translator"
import { parseArgs } from "../../src/command-line/args.ts"
import { commandOf, topicOf } from "../../src/command-line/commands.ts"
import { completions } from "../../src/command-line/completions.ts"
import { exitStatus } from "../../src/command-line/exit.ts"
import { fieldOf, type Options } from "../../src/command-line/flags.ts"
import { commandHelp, helpText } from "../../src/command-line/help.ts"
import { otherCommand, otherOption } from "../../src/command-line/other-agents.ts"
import { specOf } from "../../src/command-line/spec-of.ts"
import { promptOf, readStdin } from "../../src/command-line/stdin.ts"

/** The error of a command line; null: it is valid. */
function problem(line: string): string | null {
  const parsed = parseArgs(line === "" ? [] : line.split(" "))
  return parsed.ok ? null : parsed.error.lines.map((one) => englishOf(one)).join("\n")
}

function parsed(line: string) {
  const args = parseArgs(line === "" ? [] : line.split(" "))
  assert.ok(args.ok, line)
  return args.value
}

test("an empty command line has no options, no words and no command", () => {
  assert.deepEqual(parsed(""), { options: {}, words: [], command: null })
  assert.deepEqual(parsed("--"), { options: {}, words: [], command: null })
  assert.deepEqual(parsed("-- x"), { options: {}, words: ["x"], command: null })
  assert.deepEqual(parsed("a -- b -c").words, ["a", "b", "-c"])
})

test("values that begin with a sign need an =; a lone sign, and one before a blank, do not", () => {
  assert.deepEqual(parsed("--name=-x").options, { name: "-x" })
  assert.deepEqual(parsed("--name -").options, { name: "-" })
  assert.equal(problem("--name -x"), "gong: --name needs a value: --name TEXT")
  assert.equal(problem("--name"), "gong: --name needs a value: --name TEXT")
  assert.equal(problem("-o -p"), "gong: -o needs a value: -o FILE")
  assert.deepEqual(parsed("-o=x=y -p").options, { outFile: "x=y", print: true })
  assert.deepEqual(parsed("--out-file=a=b").options, { outFile: "a=b" })
  assert.deepEqual(parsed("-po x y").words, ["y"])
  assert.deepEqual(parsed("-pox y").words, ["y"], "the value was in the option")
})

test("unknown options are named as they were written, and near ones are offered", () => {
  assert.equal(problem("-zp"), "gong: unknown option -zp. gong --help lists them.")
  assert.equal(problem("-pz"), "gong: unknown option -z. gong --help lists them.")
  assert.equal(problem("-wx"), "gong: -w is not in this version yet.")
  assert.equal(problem("--quit=x"), "gong: unknown option --quit. Did you mean --quiet?")
  assert.equal(problem("--print=x"), "gong: --print takes no value.")
  assert.equal(problem("--print="), "gong: --print takes no value.")
})

test("options exclude each other, and all that were given are named", () => {
  assert.equal(
    problem("-c --fork x --no-session"),
    "gong: --continue and --fork and --no-session exclude each other; take one of them.",
  )
  assert.equal(
    problem("--session x --session-id y"),
    "gong: --session and --session-id exclude each other; take one of them.",
  )
  for (const line of ["-c", "--session x", "--session-id x", "--fork x", "--no-session", "--no-tools", "--tools read"])
    assert.equal(problem(line), null, line)
})

test("options of one command are refused elsewhere, and help and the version come first", () => {
  assert.equal(problem("--until idle"), 'gong: --until works only with "gong attach".')
  assert.equal(problem("models --fast"), 'gong: --fast works only with "gong demo".')
  assert.equal(problem("--all models"), 'gong: --all works only with "gong sessions" or "gong permissions".')
  assert.equal(problem("attach x --after 1 --until idle"), null)
  assert.equal(problem("--json --version"), null)
  assert.deepEqual(parsed("--help fix it").words, [])
  assert.deepEqual(parsed("--version sessions show"), { options: { version: true }, words: [], command: null })
  assert.deepEqual(parsed("--help --until idle").options, { help: true, until: "idle" })
})

test("--output works with the commands that have it", () => {
  assert.equal(
    problem("attach x --output json"),
    'gong: --output json does not work with "gong attach"; text and events do.',
  )
  for (const line of [
    "attach x --output events",
    "attach x --output text",
    "sessions show x --output events",
    "rpc --output events",
    "help --output events",
    "--output events",
    "--version --output text",
  ])
    assert.equal(problem(line), null, line)
  assert.equal(
    problem("sessions show x --output json"),
    'gong: --output json does not work with "gong sessions show"; --json is for programs.',
  )
  assert.equal(
    problem("sessions list --output events"),
    'gong: --output events does not work with "gong sessions list"; --json is for programs.',
  )
  assert.equal(
    problem("sessions --output events"),
    'gong: --output events does not work with "gong sessions"; --json is for programs.',
  )
  assert.equal(
    problem("--version --output events"),
    "gong: --output events does not work with --version; --json is for programs.",
  )
})

test("commands take their words: exactly, optionally, or all further ones", () => {
  for (const [line, error] of [
    ["attach", '"attach" needs a value: gong attach ID'],
    ["attach a b", '"attach" is a command. For a message write: gong -- attach a b'],
    ["models a b", '"models" is a command. For a message write: gong -- models a b'],
    ["doctor x", '"doctor" is a command. For a message write: gong -- doctor x'],
    ["config set a", '"config set" needs a value: gong config set NAME VALUE'],
    ["config set a b c", '"config" is a command. For a message write: gong -- config set a b c'],
    ["config path x", '"config" is a command. For a message write: gong -- config path x'],
    ["sessions rename x", '"sessions rename" needs a value: gong sessions rename ID NAME...'],
    ["sessions constructor", '"sessions" is a command. For a message write: gong -- sessions constructor'],
    ["skills validate a b", '"skills" is a command. For a message write: gong -- skills validate a b'],
    ["acp", '"acp" is not in this version yet.'],
    ["serve it", '"serve" is not in this version yet. For a message write: gong -- serve it'],
  ] as const)
    assert.equal(problem(line), `gong: ${error}`, line)
  for (const [line, words] of [
    ["models", []],
    ["models a", ["a"]],
    ["login", []],
    ["sessions rename x a b c", ["rename", "x", "a", "b", "c"]],
    ["skills validate", ["validate"]],
    ["skills validate a", ["validate", "a"]],
    ["trust forget", ["forget"]],
    ["config set a b", ["set", "a", "b"]],
    ["help", []],
    ["help models", ["models"]],
  ] as const)
    assert.deepEqual(parsed(line).command?.words, words, line)
})

test("words that are near a command are a mistake alone or before one of its verbs", () => {
  const command = (...words: readonly string[]) => {
    const found = commandOf(words)
    return found.ok ? found.value : englishOf(found.error.lines[0] ?? "")
  }
  assert.equal(command(), null)
  assert.equal(
    command("trsut", "yes"),
    'gong: there is no command "trsut". Did you mean trust? For a message write: gong -- trsut yes',
  )
  assert.equal(command("trsut", "me"), null)
  assert.equal(command("/trust"), null)
  assert.equal(command("constructor"), null)
  assert.deepEqual(topicOf([]), null)
})

test("options and commands of other agents", () => {
  assert.equal(otherOption("--nothing"), null)
  assert.equal(
    englishOf(otherOption("--prompt") ?? ""),
    '--prompt is an option of another agent: gong -p "..." is the same here.',
  )
  assert.equal(otherCommand([]), null)
  assert.equal(otherCommand(["exec", "fix"]), null)
  assert.equal(otherCommand(["exec", "fix it", "now"]), null)
  assert.equal(otherCommand(["resume", "a", "b"]), null)
  assert.equal(otherCommand(["resume", "abc"]) === null, false)
  assert.equal(otherCommand(["fix", "it"]), null)
  assert.equal(
    englishOf(otherCommand(["run"]) ?? ""),
    '"run" is a command of another agent: gong -p "..." runs one message. For a message write: gong -- run',
  )
})

test("fields are named as options, in camel case", () => {
  assert.deepEqual(["print", "out-file", "append-system-prompt"].map(fieldOf), [
    "print",
    "outFile",
    "appendSystemPrompt",
  ])
})

test("the tape of a session follows from the options", () => {
  const tape = (options: Options) => specOf(options, true).tape
  assert.deepEqual(tape({}), { kind: "new" })
  assert.deepEqual(tape({ continue: true }), { kind: "newest" })
  assert.deepEqual(tape({ session: "s" }), { kind: "stored", session: "s" })
  assert.deepEqual(tape({ sessionId: "s" }), { kind: "id", id: "s" })
  assert.deepEqual(tape({ fork: "s" }), { kind: "fork", session: "s" })
  assert.deepEqual(tape({ noSession: true }), { kind: "memory" })
  assert.deepEqual(specOf({ model: "m", continue: true }, false), {
    model: "m",
    interactive: false,
    tape: { kind: "newest" },
  })
})

test("the help has all groups and commands, with texts in one column or below a long option", () => {
  const lines = helpText(english).split("\n")
  assert.equal(lines[0], "Usage: gong [options] [@file ...] [message ...]")
  assert.equal(lines.at(-1), "")
  for (const heading of [
    "Commands",
    "Output",
    "Model",
    "Tools and permission",
    "Session",
    "Place",
    "Prompt",
    "Limits",
    "Other",
  ])
    assert.equal(lines[lines.indexOf(heading) - 1], "", heading)
  for (const line of [
    "  demo                       Gong repairs a failing test: no key, no network",
    "  -p, --print                print one answer on stdout and exit",
    "      --partial              also send events for partial replies",
    "  -o, --out-file FILE        also write the answer to a file",
    "  -m, --model PROVIDER/ID[:thinking][,...]",
    "                             the model or its family (sonnet), then fallbacks",
    "      --output text|json|events",
    "      --api FORMAT           wire format of --base-url: openai-completions, ...",
  ])
    assert.ok(lines.includes(line), line)
  assert.equal(
    lines[lines.indexOf("      --output text|json|events") + 1],
    "                             json: one result line; events: one line per event",
  )
})

test("the help of a command has its verbs and options, that of a verb only this verb", () => {
  assert.equal(
    commandHelp(english, { name: "undo", words: [] }),
    [
      "Usage:",
      "  gong undo                             undo the session's file changes or its compaction",
      "  gong undo compaction                  undo the last compaction instead of file changes",
      "",
      "gong --help lists all commands and options.",
      "",
    ].join("\n"),
  )
  assert.equal(
    commandHelp(english, { name: "undo", words: ["compaction"] }),
    [
      "Usage:",
      "  gong undo compaction                  undo the last compaction instead of file changes",
      "",
      "gong --help lists all commands and options.",
      "",
    ].join("\n"),
  )
  assert.equal(
    commandHelp(english, { name: "undo", words: ["nothing"] }),
    commandHelp(english, { name: "undo", words: [] }),
  )
  const demo = commandHelp(english, { name: "demo", words: [] }).split("\n")
  assert.deepEqual(demo.slice(2, 6), ["", "Options", "      --fast                 with `gong demo`: no pauses", ""])
  assert.match(commandHelp(english, { name: "attach", words: [] }), /\n {2}gong attach ID {24}watch a session/)
  assert.match(commandHelp(english, { name: "models", words: [] }), /\n {2}gong models \[SEARCH\] +available models/)
})

test("completions: one script for bash and zsh, rows for fish with choices, values and quotes", () => {
  const bash = completions("bash")
  assert.equal(completions("zsh"), `autoload -U +X bashcompinit && bashcompinit\n${bash}`)
  assert.match(bash, /^_gong\(\) \{\n/)
  assert.match(bash, /\ncomplete -o default -F _gong gong\n$/)
  const lines = bash.split("\n")
  assert.ok(lines.includes('    --thinking) words="off minimal low medium high xhigh" ;;'))
  assert.ok(lines.includes('    undo) words="compaction" ;;'))
  assert.equal(bash.includes("    demo) "), false)
  assert.match(bash, /words="--print -p --output --mode /)
  const fish = completions("fish").split("\n")
  assert.equal(fish.at(-1), "")
  for (const line of [
    "complete -c gong -n __fish_use_subcommand -a demo -d 'Gong repairs a failing test: no key, no network'",
    "complete -c gong -l print -s p -d 'print one answer on stdout and exit'",
    "complete -c gong -l output -x -a 'text json events' -d 'json: one result line; events: one line per event'",
    "complete -c gong -l out-file -s o -r -d 'also write the answer to a file'",
    "complete -c gong -l system-prompt -r -d 'replaces Gong\\'s system prompt'",
    "complete -c gong -f -n \"__fish_seen_subcommand_from undo; and not __fish_seen_subcommand_from compaction\" -a compaction -d 'undo the last compaction instead of file changes'",
  ])
    assert.ok(fish.includes(line), line)
})

test("a failed write of stdout is status 1, and an interruption without a cause that of Ctrl+C", () => {
  assert.equal(exitStatus({ status: "interrupted" }, "write-error"), 1)
  assert.equal(exitStatus({ status: "interrupted" }, "interrupt"), 130)
  assert.equal(exitStatus({ status: "failed" }), 1)
})

const bytes = (length: number) => new Uint8Array(length).fill(0x61)
const clock: Clock = { now: () => 0, sleep: async () => undefined, timer: () => () => undefined }

test("exactly 64 MB of stdin are kept whole, one byte more is cut", async () => {
  const read = (...sizes: readonly number[]) =>
    readStdin({
      kind: "file",
      hasMessage: false,
      clock,
      async *open() {
        for (const size of sizes) yield bytes(size)
      },
    })
  const whole = await read(32 * 1024 * 1024, 32 * 1024 * 1024)
  assert.deepEqual([whole.bytes?.length, whole.cut, whole.notes], [64 * 1024 * 1024, false, []])
  const cut = await read(64 * 1024 * 1024, 1)
  assert.deepEqual([cut.bytes?.length, cut.cut, cut.notes.length], [64 * 1024 * 1024, true, 1])
  const pieces = await read(1, 2, 3)
  assert.deepEqual(pieces.bytes, bytes(6))
})

test("a file with a message is waited for; a pipe that ends with a message has an empty text", async () => {
  let timers = 0
  const counting: Clock = { ...clock, timer: () => (timers++, () => undefined) }
  const open = async function* (): AsyncGenerator<Uint8Array> {
    yield bytes(1)
  }
  await readStdin({ kind: "file", hasMessage: true, clock: counting, open })
  assert.equal(timers, 0)
  await readStdin({ kind: "pipe", hasMessage: true, clock: counting, open })
  assert.equal(timers, 1)
})

test("51,200 bytes of stdin are a prompt, more are cut and stored", async () => {
  const stdin = (length: number) => ({ bytes: bytes(length), cut: false, notes: [] })
  const spilled: number[] = []
  const spill = async (all: Uint8Array) => (spilled.push(all.length), "/tmp/x")
  const whole = await promptOf(null, stdin(51_200), spill)
  assert.ok(whole.ok)
  assert.deepEqual([whole.value.length, spilled], [51_200, []])
  const cut = await promptOf(null, stdin(51_201), spill)
  assert.ok(cut.ok)
  assert.equal(
    cut.value,
    `${"a".repeat(51_200)}\n[51201 bytes in all; the first 51200 are shown. The whole text: /tmp/x]`,
  )
  assert.deepEqual(spilled, [51_201])
  const encoded = (text: string) => ({ bytes: new TextEncoder().encode(text), cut: false, notes: [] })
  const face = await promptOf(null, encoded(`${"a".repeat(51_198)}😀b`), spill)
  assert.ok(face.ok && face.value.startsWith(`${"a".repeat(51_198)}\n[`))
  assert.deepEqual(await promptOf(null, encoded("a\n\n"), spill), { ok: true, value: "a" })
  assert.deepEqual(await promptOf("m", encoded("a\n\n"), spill), { ok: true, value: "m\n\n<stdin>\na\n\n</stdin>" })
})
