import assert from "node:assert/strict"
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { attack } from "@gong/testing/attacks"
import type { Turn } from "@gong/testing/model-server"
import { openStage, type Stage } from "../program/harness.ts"
import { startRpc } from "../program/rpc-client.ts"
import { openTerminal, skip } from "../program/terminal.ts"

// A log of stderr is read in a terminal later, by a person or as the output of a CI: escape sequences in it act there.

/** A title, a colour, 8-bit CSI, DEL, an override of the writing direction. */
const evil = "\u001b]0;evil\u0007\u001b[31mred\u009b31m\u007f\u202e"
const shown = "␛\\]0;evil␇␛\\[31mred<U\\+009B>31m␡<U\\+202E>"

const controls = /[^\P{Cc}\n\t]|\p{Cf}/u

function assertClean(err: string, ...printed: readonly RegExp[]): void {
  assert.doesNotMatch(err, controls)
  for (const words of printed) assert.match(err, words)
}

/** A refused command, a tool that is not there, output, a file that may not be written. */
const turns: readonly Turn[] = [
  {
    text: `model ${evil}`,
    calls: [
      { name: "bash", args: { command: `rm -rf '${evil}'` } },
      { name: "bash", args: { command: `printf 'out ${evil}'` } },
      { name: `tool-${evil}`, args: {} },
      { name: "write", args: { path: `/name-${evil}`, content: "x" } },
    ],
  },
]
const otherwise: Turn = { fault: { kind: "status", status: 500, message: `server ${evil}` } }

/** The user's own hook and extension, and resources whose files have hostile names and contents. */
function lay(stage: Stage): void {
  const hook = { type: "command", command: `printf '%b' 'hook \\033]0;evil\\007\\302\\2331m' >&2; exit 1` }
  const hooks = { UserPromptSubmit: [{ matcher: "*", hooks: [hook] }] }
  mkdirSync(stage.gongHome, { recursive: true, mode: 0o700 })
  stage.write({
    [join(stage.gongHome, "settings.json")]: JSON.stringify({ "retry.baseMs": 1, hooks }),
    [join(stage.gongHome, "extensions/loud.js")]:
      `console.log(${JSON.stringify(`loud ${evil}`)})\nexport default () => {}\n`,
    [join(stage.gongHome, `skills/skill-${evil}/SKILL.md`)]: "no front matter\n",
  })
}

const modes = [["-p"], ["-p", "--output", "json"], ["--output", "events"]]

for (const mode of modes) {
  test(`${mode.join(" ")}: foreign text reaches a piped stderr without control characters`, async (t) => {
    const stage = await openStage(t, { turns, otherwise })
    lay(stage)
    const run = await stage.gong([...mode, `go ${evil}`])
    assert.equal(run.status, 1, run.err)
    assertClean(run.err, new RegExp(`skill-${shown}`), new RegExp(`loud ${shown}`))
    if (mode[0] === "-p") assertClean(run.err, new RegExp(`server ${shown}`), /hook ␛\]0;evil␇<U\+009B>1m/, /rm -rf '␛/)
  })
}

for (const mode of modes) {
  attack(
    `${mode.join(" ")}: the same words, which stdout carries as they are, act nowhere on stderr`,
    async (t, guard) => {
      const stage = await openStage(t, { turns: [otherwise, { text: `answer ${evil}` }] })
      lay(stage)
      const { out, err, status } = await stage.gong([...mode, "go"])
      assert.equal(status, 0, err)
      if (mode.length === 1) assert.equal(out, `answer ${evil}\n`, "byte for byte")
      const text = guard === "on" ? err : out
      return { reached: controls.test(text), printed: JSON.stringify(text) }
    },
  )
}

test("names of files, options and sessions, and values of settings, reach a piped stderr without control characters", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "x" } })
  const cases = [
    ["-p", `@file-${evil}`],
    [`--${evil}`],
    ["-p", "--session-id", evil, "x"],
    ["-p", "--set", `${evil}=1`, "x"],
  ]
  for (const args of cases) assertClean((await stage.gong(args)).err, new RegExp(shown))
  stage.write({ [join(stage.gongHome, "settings.json")]: JSON.stringify({ [evil]: 1 }) })
  assertClean((await stage.gong(["-p", "x"])).err, new RegExp(shown))
})

test(
  "gong sessions --json at a terminal: 8-bit sequences and bidi overrides of a title are escaped",
  { skip },
  async (t) => {
    const stage = await openStage(t, { otherwise: { text: "x" } })
    await stage.gong(["-pq", `title ${evil}`])
    const terminal = openTerminal(t, stage, ["sessions", "--json"])
    assert.equal(await terminal.ended, 0)
    assertClean(terminal.text.replaceAll("\r\n", "\n"), /title .*<U\+009B>31m␡<U\+202E>/)
  },
)

test("a conversation with stderr in a file: foreign text contains no escape sequences", { skip }, async (t) => {
  const stage = await openStage(t, { turns, otherwise })
  lay(stage)
  const file = join(stage.root, "stderr")
  const terminal = openTerminal(t, stage, ["--yolo"], `exec "$@" 2>'${file}'`)
  await terminal.until("> ")
  terminal.type("go\r")
  await terminal.until("> ")
  terminal.type("\u0004")
  await terminal.ended
  assertClean(readFileSync(file, "utf8"), new RegExp(`server ${shown}`), new RegExp(`loud ${shown}`))
})

test("rpc: stderr is sanitized, stdout has the bytes as JSON", async (t) => {
  const stage = await openStage(t, { turns, otherwise })
  lay(stage)
  const rpc = startRpc(t, stage, ["--yolo"])
  await rpc.request("prompt", { text: `go ${evil}` })
  const { failure } = await rpc.event("result")
  assert.ok(failure?.message.includes(`server ${evil}`))
  rpc.close()
  assertClean((await rpc.ended).err, new RegExp(`skill-${shown}`))
})
