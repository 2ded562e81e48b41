import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { test } from "node:test"
import { englishOf } from "@gong/spec"
import { english } from "@gong/texts/translator"
import { parseArgs } from "../../src/command-line/args.ts"
import { commands, topicOf } from "../../src/command-line/commands.ts"
import { completions } from "../../src/command-line/completions.ts"
import { commandHelp } from "../../src/command-line/help.ts"

function problem(...argv: readonly string[]): string | null {
  const parsed = parseArgs(argv)
  return parsed.ok ? null : parsed.error.lines.map((line) => englishOf(line)).join("\n")
}

test("the help of every command and verb fits 100 columns, and lists its verbs and its own options", () => {
  for (const { name, verbs = {} } of commands) {
    const whole = commandHelp(english, { name, words: [] })
    for (const line of whole.split("\n")) assert.ok(line.length <= 100, line)
    for (const [verb, { help }] of Object.entries(verbs)) {
      assert.ok(whole.includes(`gong ${name} ${verb}`) && whole.includes(help))
      const one = commandHelp(english, { name, words: [verb] })
      assert.ok(
        one.includes(`gong ${name} ${verb}`) && one.split("\n").length < whole.split("\n").length,
        `${name} ${verb}`,
      )
    }
  }
  assert.match(commandHelp(english, { name: "sessions", words: [] }), /\n {6}--substring /)
  assert.doesNotMatch(commandHelp(english, { name: "models", words: [] }), /--substring/)
})

test("--help is about the command before it, also one that lacks a value", () => {
  const topic = (...argv: readonly string[]) => {
    const parsed = parseArgs(argv)
    return parsed.ok ? (parsed.value.command?.name ?? null) : englishOf(parsed.error.lines[0] ?? "")
  }
  assert.equal(topic("sessions", "show", "--help"), "sessions")
  assert.equal(topic("attach", "-h"), "attach")
  assert.equal(topic("--help"), null)
  assert.equal(topic("fix", "it", "--help"), null)
  assert.deepEqual(topicOf(["config", "get"]), { name: "config", words: ["get"] })
  assert.equal(topicOf(["nothing"]), null)
})

test("options of other agents are answered with those of Gong", () => {
  for (const [option, answer] of [
    ["--resume", /^gong: --resume is an option of another agent: -c continues .* --session ID/],
    ["-r", /--session ID/],
    ["--output-format", /--output text\|json\|events/],
    ["--dangerously-skip-permissions", /--yolo/],
    ["--full-auto", /--permission auto/],
    ["-C", /--cwd DIR/],
    ["--list-models", /gong models/],
    ["--mcp-config", /mcp\.json: gong mcp add/],
    ["--allowedTools", /--allow RULE/],
  ] as const)
    assert.match(problem(option, "x") ?? "none", answer, option)
  assert.match(problem("--resumed") ?? "none", /unknown option/)
})

test("commands of other agents are answered alone and before one quoted message; other lines with these words are messages", () => {
  for (const line of [["exec"], ["exec", "fix it"], ["run", "fix it"], ["resume"], ["resume", "4f2a"], ["update"]])
    assert.match(
      problem(...line) ?? "none",
      /is a command of another agent: .* For a message write: gong -- /,
      line.join(" "),
    )
  for (const line of [["run", "the", "tests"], ["update", "the", "docs"], ["run", "tests"], ["execute"]])
    assert.equal(problem(...line), null, line.join(" "))
})

test("the completions of bash complete commands, verbs, options and choices", () => {
  const complete = (...words: readonly string[]) => {
    const line = `${completions("bash")}\nCOMP_WORDS=(gong "$@"); COMP_CWORD=$#; _gong; echo "\${COMPREPLY[*]}"`
    return spawnSync("bash", ["-c", line, "bash", ...words], { encoding: "utf8" }).stdout.trim()
  }
  assert.equal(complete("do"), "doctor")
  assert.equal(complete("sessions", "ren"), "rename")
  assert.equal(complete("--permission", ""), "plan ask auto full")
  assert.equal(complete("fix", "--yol"), "--yolo")
  assert.equal(complete("fix", "README"), "")
  assert.match(completions("zsh"), /^autoload -U \+X bashcompinit && bashcompinit\n/)
  const fish = completions("fish").split("\n")
  assert.ok(fish.includes("complete -c gong -l model -s m -r -d 'the model or its family (sonnet), then fallbacks'"))
  assert.ok(fish.some((line) => line.includes("__fish_seen_subcommand_from sessions") && line.includes("-a rename")))
})
