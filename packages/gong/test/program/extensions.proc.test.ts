import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { textOf } from "@gong/spec"
import { canary, eventsOf, ofType, openStage, resultOf, type Stage } from "./harness.ts"
import { startRpc } from "./rpc-client.ts"
import { leave, openTerminal, say, skip } from "./terminal.ts"

/** With a tool, a command and a gate. */
const weather = readFileSync(join(import.meta.dirname, "../fixtures/extensions/weather.ts"), "utf8")

const call = (name: string, args: object) => ({ name, args })
const graz = { calls: [call("weather", { city: "Graz" })] }

function users(stage: Stage, files: Readonly<Record<string, string>>): void {
  const entries = Object.entries(files).map(([name, text]) => [`${stage.gongHome}/extensions/${name}`, text])
  stage.write(Object.fromEntries(entries))
}

async function events(stage: Stage, args: readonly string[]) {
  const run = await stage.gong(["--no-session", "--output", "events", ...args])
  const all = eventsOf(run)
  const ends = ofType(all, "tool_execution_end")
  const said = ofType(all, "notice").flatMap(({ code, text }) =>
    code === "extension" || code === "command" ? [text] : [],
  )
  return { run, ends, texts: ends.map(textOf), said, result: resultOf(run) }
}

interface Sent {
  readonly tools: readonly { function: { name: string } }[]
  readonly messages: readonly { content: unknown }[]
}

function lastRequest(stage: Stage): Sent {
  return (stage.server.requests.at(-1)?.body ?? { tools: [], messages: [] }) as Sent
}

function toolNames(stage: Stage): readonly string[] {
  return lastRequest(stage).tools.map((tool) => tool.function.name)
}

function lastMessage(stage: Stage): unknown {
  return lastRequest(stage).messages.at(-1)?.content
}

/** A default export with these statements. */
const extension = (...statements: readonly string[]): string =>
  `export default function (gong) {\n${statements.join("\n")}\n}\n`
/** A tool with this name and body. */
const tool = (name: string, body: string): string =>
  `gong.tool({ name: "${name}", description: "d", parameters: { type: "object" }, execute(args, context) { ${body} } })`

test("an extension in the user's folder provides a tool, a command and a gate", async (t) => {
  const calls = [...graz.calls, call("bash", { command: "rm x" }), call("bash", { command: "echo hi" })]
  const stage = await openStage(t, { turns: [{ calls }, { text: "done" }] })
  users(stage, { "weather.ts": weather })
  const { texts, ends, result, run } = await events(stage, ["--yolo", "go"])
  assert.deepEqual(texts, ["sunny in Graz", "Refused: no rm here. Nothing was run.", "hi\n"], run.err)
  assert.deepEqual(ends[0]?.details, { degrees: 21 })
  assert.deepEqual([result.status, run.err], ["done", ""])
  assert.equal(toolNames(stage).at(-1), "weather")
  assert.match(JSON.stringify(stage.server.requests[0]?.body), /weather: Says how the weather is\./)
})

test("[RES-3] the tools, commands and hooks of an extension given by path are active", async (t) => {
  const calls = [...graz.calls, call("bash", { command: "rm x" })]
  const stage = await openStage(t, { turns: [{ calls }, { text: "done" }], otherwise: { text: "Warm." } })
  stage.write({ "lab/weather.ts": weather })
  const { texts } = await events(stage, ["-e", "lab/weather.ts", "--yolo", "go"])
  assert.deepEqual(texts, ["sunny in Graz", "Refused: no rm here. Nothing was run."])
  const run = await stage.gong(["-p", "--no-session", "-e", "lab/weather.ts", "/weather Linz"])
  assert.deepEqual([run.out, lastMessage(stage)], ["Warm.\n", "How is the weather in Linz?"])
})

test("[RES-3] an extension given by path is loaded; --no-extensions and --bare exclude all others", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "ok" } })
  users(stage, { "other.js": extension(tool("other", "return 1")) })
  stage.write({ "lab/weather.ts": weather, "lab/pack/index.mjs": extension(tool("packed", 'return "packed"')) })
  const has = async (...args: readonly string[]) => {
    const { run } = await events(stage, [...args, "go"])
    assert.equal(run.err, "")
    return toolNames(stage).slice(7)
  }
  assert.deepEqual(await has(), ["other"])
  assert.deepEqual(await has("-e", "lab/weather.ts"), ["other", "weather"])
  assert.deepEqual(await has("--extension", "lab", "--no-extensions"), ["packed", "weather"])
  assert.deepEqual(await has("-e", "lab/pack", "--bare"), ["packed"])
  assert.deepEqual([await has("--no-extensions"), await has("--bare")], [[], []])
  const missing = await stage.gong(["-e", "lab/none.ts", "go"])
  assert.deepEqual([missing.status, missing.err], [2, "gong: -e lab/none.ts: there is no such file or folder.\n"])
})

test("an extension's tool needs permission like any other: refused headless, allowed by a rule with its name", async (t) => {
  const stage = await openStage(t)
  users(stage, { "weather.ts": weather })
  for (const [args, text] of [
    [["--permission", "auto"], /^Refused: .*needs permission/],
    [["--permission", "auto", "--allow", "weather"], /^sunny in Graz$/],
    [["--yolo", "--deny", "weather"], /^Refused: .*rule weather/],
  ] as const) {
    stage.server.begin([graz, { text: "done" }])
    assert.match((await events(stage, [...args, "go"])).texts[0] ?? "", text)
  }
})

test("[HOOK-S.13] a command with the name of a built-in one is skipped and reported", { skip }, async (t) => {
  const stage = await openStage(t)
  users(stage, { "mine.js": extension('gong.command({ name: "help", about: "mine", run: () => "mine" })') })
  const terminal = openTerminal(t, stage, [])
  await terminal.until("mine.js: the command /help is left out: Gong has one of this name. Rename it.")
  await say(terminal, "/help", "/changelog")
  await leave(terminal)
  assert.doesNotMatch(terminal.text, /\(extension\)/)
})

test(
  "[SLASH-19] a command runs in its extension: in a conversation, in print mode and over rpc",
  { skip },
  async (t) => {
    const stage = await openStage(t, { otherwise: { text: "Warm." } })
    const ask =
      'const n = await context.choose("Which one?", ["tea", "coffee"]); const sure = await context.confirm("Sure?"); return `${n} ${sure} ${rest}`'
    users(stage, {
      "weather.ts": weather,
      "bar.js": extension(`gong.command({ name: "bar", about: "a drink", async run(rest, context) { ${ask} } })`),
    })
    const terminal = openTerminal(t, stage, [])
    await say(terminal, "/weather", "Which city?")
    await say(terminal, "/weather Graz", "Warm.")
    assert.equal(lastMessage(stage), "How is the weather in Graz?")
    await say(terminal, "/bar now", "Which one?")
    await say(terminal, "2", "Sure?")
    await say(terminal, "y", "1 true now")
    await leave(terminal)

    const print = await stage.gong(["-p", "--no-session", "/weather Linz"])
    assert.deepEqual([print.out, lastMessage(stage)], ["Warm.\n", "How is the weather in Linz?"])
    const alone = await events(stage, ["/bar x"])
    assert.deepEqual([alone.said, alone.result.status], [["null false x"], "done"])
    const answered = await stage.gong(["-p", "--no-session", "--quiet", "/bar y"])
    assert.deepEqual([answered.out, answered.err], ["null false y\n", ""])
    const slip = await stage.gong(["-p", "--no-session", "/waether Linz"])
    assert.equal(
      slip.err.split("\n").at(-2),
      "gong: there is no /waether. Did you mean /weather? Start with a blank to send it as a message.",
    )

    const rpc = startRpc(t, stage)
    assert.equal((await rpc.request("prompt", { text: "/weather" })).disposition, "handled")
    assert.equal((await rpc.event("notice")).type, "notice")
    rpc.close()
    await rpc.ended
  },
)

/** Those of SLASH-01 to SLASH-18, in alphabetical order. */
const builtIn =
  "changelog compact copy export fork hotkeys login logout model name new quit reload resume session settings share tree".split(
    " ",
  )

test(
  "[SLASH-20] built-ins, extensions, templates and skills are in one list with their sources",
  { skip },
  async (t) => {
    const stage = await openStage(t)
    users(stage, { "weather.ts": weather })
    stage.write({
      [`${stage.gongHome}/prompts/greet.md`]: "---\ndescription: says hello\n---\nhello",
      [`${stage.gongHome}/skills/knit/SKILL.md`]: "---\nname: knit\ndescription: knits\n---\nknit",
    })
    const terminal = openTerminal(t, stage, [])
    await say(
      terminal,
      "/help",
      ...builtIn.map((name) => `\n/${name} `),
      "/weather CITY",
      "asks for the weather (extension)",
      "says hello (prompt)",
      "knits (skill)",
    )
    await leave(terminal)
    const rpc = startRpc(t, stage)
    const { slash } = await rpc.request("get_commands")
    const sources = new Map(slash.map(({ name, source }) => [name, source]))
    assert.deepEqual(
      ["weather", "greet", "skill:knit"].map((name) => sources.get(name)),
      ["extension", "prompt", "skill"],
    )
    rpc.close()
    await rpc.ended
    const doctor = await stage.gong(["doctor"])
    assert.match(doctor.out, /^extensions *weather from \S+weather\.ts: weather, \/weather, beforeToolCall$/m)
  },
)

test("[RES-4] errors on load or in a call are reported with file, line and stack; everything else works", async (t) => {
  const calls = [call("bad", {}), call("good", {}), call("bash", { command: "echo hi" })]
  const stage = await openStage(t, { turns: [{ calls }, { text: "done" }] })
  users(stage, {
    "a-throws.ts":
      'interface A { a: number }\nfunction deep(): A {\n  throw new Error("no luck")\n}\nexport default () => { deep() }\n',
    "b-syntax.ts": "export default function (gong: unknown) {\n  const x: = 3\n}\n",
    "c-enum.ts": "export default () => {}\nenum Color { Red }\n",
    "d-shape.js": extension("", 'gong.tool({ name: "x" })'),
    "e-none.js": "export const nothing = 1\n",
    "f-newer.js": "export const api = 99\nexport default () => {}\n",
    "g-rejects.js": "export default async () => {\n  await null\n  return Promise.reject(new RangeError('late'))\n}\n",
    "h-works.js": extension(
      tool("bad", 'throw new TypeError("not today")'),
      tool("good", 'return "fine"'),
      'gong.hook({ onToolResult() { throw new Error("in a pipe") } })',
      'gong.hook({ beforeToolCall() { throw new Error("in a gate") } })',
      'Promise.reject(new Error("nobody waits"))',
    ),
  })
  const { run, texts, ends, result } = await events(stage, ["--yolo", "go"])
  const at = `${stage.gongHome}/extensions`
  for (const line of [
    `gong: ${at}/a-throws.ts:3: no luck. The extension a-throws is off. Mend it; /reload loads it again.\n    at deep (${at}/a-throws.ts:3:9)\n`,
    `gong: ${at}/b-syntax.ts:2: Unexpected token`,
    `gong: ${at}/c-enum.ts:2: TypeScript enum is not supported in strip-only mode. The extension c-enum is off.`,
    `gong: ${at}/d-shape.js:3: gong.tool(): "x": "description" is text. The extension d-shape is off.`,
    `gong: ${at}/e-none.js: it has no default export that is a function.`,
    `gong: ${at}/f-newer.js: it was written for API 99, and this Gong has 1. Update Gong.`,
    `gong: ${at}/g-rejects.js:3: late. The extension g-rejects is off.`,
    `${at}/h-works.js:6: nobody waits. No call awaited this; catch it there.`,
  ])
    assert.ok(`${run.err}${run.out}`.replaceAll("\\n", "\n").includes(line), `${line}\n${run.err}\n${run.out}`)
  assert.deepEqual(texts, ["not today", "fine", "hi\n"])
  assert.match(String(ends[0]?.details?.["stack"]), /h-works\.js:2:/)
  assert.match(run.out, /hook h-works, onToolResult: in a pipe/)
  assert.match(run.out, /hook h-works, beforeToolCall: in a gate/)
  assert.equal(result.status, "done")
})

test("printed output of extensions is reported up to a limit and never reaches stdout", async (t) => {
  const stage = await openStage(t, { turns: [{ calls: [call("loud", {})] }, { text: "done" }] })
  const ways = [
    'console.log("by console")',
    'process.stdout.write("by stdout\\n")',
    'process.stderr.write(Buffer.from("by stderr\\n"))',
    'process.getBuiltinModule("node:fs").writeSync(1, "by number\\n")',
  ]
  users(stage, {
    "loud.js": extension(
      ...ways,
      tool("loud", 'for (let i = 0; i < 100000; i++) console.log("again " + i); return "ok"'),
    ),
  })
  const { run, texts, said } = await events(stage, ["--yolo", "go"])
  for (const way of ["console", "stdout", "stderr", "number"])
    assert.match(run.err, new RegExp(`^gong: loud printed: by ${way}$`, "m"))
  assert.equal(texts[0], "ok")
  assert.ok(said.length > 10 && said.length <= 200, `${said.length}`)
  assert.match(said.join("\n"), /left out/)
})

test("a noisy extension does not hide problems and lines of the others", async (t) => {
  const stage = await openStage(t, { turns: [{ text: "done" }] })
  users(stage, {
    "a-flood.js": extension("for (let i = 0; i < 100000; i++) console.log('flood ' + i)"),
    "b-throws.js": "throw new Error('no luck')\n",
    "c-stray.js": extension("Promise.reject(new Error('nobody waits'))"),
    "d-says.js": extension("gong.say('hello')"),
  })
  const run = await stage.gong(["-p", "--no-session", "go"])
  assert.deepEqual([run.status, run.out], [0, "done\n"])
  for (const line of [
    /b-throws\.js:1: no luck\. The extension b-throws is off/,
    /nobody waits\. No call awaited/,
    /d-says: hello/,
  ])
    assert.match(run.err, line)
  const flood = run.err.split("\n").filter((line) => line.includes("flood printed"))
  assert.ok(flood.length === 20 && flood.at(-1)?.endsWith("(More is left out.)"), `${flood.length}`)
})

test("lines at the end of a run or session are shown, and returned promises awaited", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "ok" } })
  const later = "new Promise((done) => setImmediate(() => { gong.say(`${event.event} ${event.status}`); done() }))"
  const looks = ["agent.end", "session.shutdown"].map((name) => `gong.on("${name}", (event) => ${later})`)
  users(stage, { "late.js": extension(...looks) })
  const { err } = await stage.gong(["-p", "--no-session", "--quiet", "go"])
  assert.equal(err, "gong: late: agent.end done\ngong: late: session.shutdown undefined\n")
})

test("[SAFE-24] model keys are not in the environment of extensions", async (t) => {
  const stage = await openStage(t, { turns: [{ calls: [call("env", {})] }, { text: "done" }] })
  users(stage, { "env.js": extension(tool("env", "return JSON.stringify(process.env)")) })
  const { texts } = await events(stage, ["--yolo", "go"])
  assert.match(texts[0] ?? "", /"GONG":"1"/)
  assert.doesNotMatch(texts[0] ?? "", new RegExp(`${canary}|GONG_API_KEY`))
})

test("settings of an extension: those of the user for a user extension, and false disables one", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "ok" } })
  users(stage, {
    "a.js": extension("gong.say(JSON.stringify(gong.settings))"),
    "b.js": extension('gong.say("here")'),
  })
  stage.write({
    [`${stage.gongHome}/settings.json`]: '{ "extensions": { "a": { "unit": "C" }, "b": false } }',
    ".gong/settings.json": '{ "extensions": { "a": { "unit": "theirs" } } }',
  })
  const { run } = await events(stage, ["--trust", "yes", "go"])
  assert.equal(run.err, 'gong: a: {"unit":"C"}\n')
})

test("a project's extensions need trust, and import nothing from outside their folder", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "ok" } })
  stage.write({
    "lib.js": "export const word = 'outside'\n",
    ".gong/extensions/good.ts":
      'import { word } from "./parts/word.ts"\nexport default (gong: { say(text: string): void }) => gong.say(word)\n',
    ".gong/extensions/parts/word.ts": "export const word: string = 'inside'\n",
    ".gong/extensions/bad.js": 'import { word } from "../../lib.js"\nexport default (gong) => gong.say(word)\n',
    ".gong/extensions/late.js": 'export default async (gong) => gong.say((await import("../../lib.js")).word)\n',
  })
  const without = await events(stage, ["go"])
  assert.match(
    without.run.err,
    /^gong: this folder contains 4 extension files, which were not loaded \(not trusted\)\./,
  )
  const { run } = await events(stage, ["--trust", "yes", "go"])
  assert.match(run.err, /^gong: good: inside$/m)
  assert.match(run.err, /bad\.js:1: "\.\.\/\.\.\/lib\.js" lies outside of \S+, and what is trusted is that folder\./)
  assert.match(run.err, /late\.js:1: "\.\.\/\.\.\/lib\.js" lies outside of/)
  assert.doesNotMatch(run.err, /outside$/m)
})

test("the first of two extensions or tools with one name wins, which is reported", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "ok" } })
  users(stage, {
    "a.js": extension(tool("one", "return 1"), tool("read", "return 1")),
    "b.js": extension(tool("one", "return 2")),
  })
  stage.write({ ".gong/extensions/a.js": extension(tool("theirs", "return 3")) })
  const { run } = await events(stage, ["--trust", "yes", "go"])
  assert.deepEqual(toolNames(stage).slice(7), ["one"])
  for (const line of [
    `gong: ${stage.repo}/.gong/extensions/a.js: this extension is left out: ${stage.gongHome}/extensions/a.js has its name. Rename one of them.`,
    "gong: The tool one of the extension b is left out: the extension a has one of this name. Rename it.",
    "gong: The tool read of the extension a is left out: Gong has one of this name. Rename it.",
  ])
    assert.ok(run.err.includes(line), `${line}\n${run.err}`)
})

test("/reload loads extensions again", { skip }, async (t) => {
  const stage = await openStage(t)
  const command = (text: string) => extension(`gong.command({ name: "now", about: "a", run: () => "${text}" })`)
  users(stage, { "now.js": command("first") })
  const terminal = openTerminal(t, stage, [])
  await say(terminal, "/now", "first")
  users(stage, { "now.js": command("second") })
  await say(terminal, "/reload", "custom/mock")
  await say(terminal, "/now", "second")
  await leave(terminal)
})

test(
  "a renderer shows the outcome of calls, including those of Gong's own tools; escape sequences are neutralized",
  { skip },
  async (t) => {
    const shows =
      'gong.renderer({ tool: "bash", render: ({ title, content, status, width }) => [[{ text: "ran \u001b[31m" + title, style: "name" }], `  ${content[0].text.trim()} ${status} ${width > 20}`] })'
    const calls = [call("bash", { command: "echo hi" }), call("ls", { path: "." }), call("weather", { city: "Graz" })]
    const stage = await openStage(t, { turns: [{ calls }, { text: "Done." }] })
    users(stage, {
      "weather.ts": weather,
      "shows.js": extension(shows, 'gong.renderer({ tool: "ls", render() { throw new Error("no") } })'),
      "more.js": extension(
        'gong.renderer({ tool: "weather", render: ({ details, args }) => `${args.city}: ${details.degrees}` })',
      ),
    })
    const terminal = openTerminal(t, stage, ["--yolo", "go"])
    await terminal.until("Done.")
    await leave(terminal)
    const text = terminal.text.replaceAll("\r", "")
    assert.match(text, /\n {2}ran \u241b\[31mecho hi\n {6}hi ok true\n {2}ls \. {2}\S+ m?s\n {2}Graz: 21\n/)
    assert.match((await stage.gong(["doctor"])).out, /shows from \S+: how bash is shown, how ls is shown\n/)
  },
)

test("a gate that fails to load refuses the calls it might have judged, and says so; an extension without a gate does not", async (t) => {
  const stage = await openStage(t)
  const gate = "new RegExp(gong.settings.pattern); gong.hook({ beforeToolCall: () => undefined })"
  users(stage, { "guard.js": extension(gate) })
  const texts = async (settings: object) => {
    stage.write({ [`${stage.gongHome}/settings.json`]: JSON.stringify({ extensions: { guard: settings } }) })
    stage.server.begin([{ calls: [call("bash", { command: "echo hi" })] }, { text: "done" }])
    const { texts: shown, run } = await events(stage, ["--yolo", "go"])
    return [shown[0], run.err]
  }
  assert.deepEqual(await texts({ pattern: "a" }), ["hi\n", ""])
  const [refused, err] = await texts({ pattern: "(" })
  assert.match(refused ?? "", /^Refused: the gate "guard" cannot be asked: the extension guard is off/)
  assert.match(
    err ?? "",
    /guard\.js:2: Invalid regular expression: .* is off, and calls that it would judge are refused\. Mend it/,
  )
  assert.match((await stage.gong(["doctor"])).out, /guard from \S+: not loaded\n/)
  assert.deepEqual((await texts(false as unknown as object))[0], "hi\n")
  users(stage, { "guard.js": extension("new RegExp(gong.settings.pattern)") })
  assert.equal((await texts({ pattern: "(" }))[0], "hi\n")
})
