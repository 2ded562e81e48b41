import assert from "node:assert/strict"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { textOf } from "@gong/spec"
import { eventsOf, ofType, openStage, resultOf, type Stage } from "./harness.ts"
import { leave, openTerminal, say, skip } from "./terminal.ts"

const call = (name: string, args: object) => ({ name, args })

/** Prints when it is loaded: before the session starts if it was awaited, otherwise during its run. */
const extension = (...statements: readonly string[]): string =>
  `export default async function (gong) {\ngong.say("here")\n${statements.join("\n")}\n}\n`
const tool = (name: string, text = name): string =>
  `gong.tool({ name: "${name}", description: "${text}", parameters: { type: "object" }, execute: () => "${text}" })`
const noBash =
  'gong.hook({ beforeToolCall: ({ tool }) => tool === "bash" ? { answer: "block", reason: "no bash" } : undefined })'

function users(stage: Stage, files: Readonly<Record<string, string>>): void {
  const entries = Object.entries(files).map(([name, text]) => [`${stage.gongHome}/extensions/${name}`, text])
  stage.write(Object.fromEntries(entries))
}

interface Started {
  /** Whether the registrations were recalled instead of awaited. */
  readonly known: boolean
  readonly tools: readonly string[]
  readonly printed: readonly string[]
  readonly texts: readonly string[]
  readonly system: string
}

async function start(
  stage: Stage,
  more: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const before = stage.server.requests.length
  const run = await stage.gong(["--no-session", "--yolo", "--output", "events", ...more, "go"], { env })
  assert.equal(resultOf(run).status, "done", run.out)
  const all = eventsOf(run)
  const printed = ofType(all, "notice").flatMap(({ code, text }) => (code === "extension" ? [text] : []))
  const body = stage.server.requests[before]?.body as {
    readonly tools: readonly { readonly function: { readonly name: string; readonly description: string } }[]
    readonly messages: readonly { readonly content: unknown }[]
  }
  const waited = /^gong: \S+: here$/m.test(run.err)
  assert.notEqual(
    waited,
    printed.some((line) => line.endsWith(": here")),
    `${run.err}${printed.join("\n")}`,
  )
  return {
    known: !waited,
    tools: body.tools.slice(7).map(({ function: { name, description } }) => `${name}: ${description}`),
    printed: printed.filter((line) => !line.endsWith(": here")),
    texts: ofType(all, "tool_execution_end").map(textOf),
    system: JSON.stringify(body.messages),
  }
}

/** Runs until the registrations are remembered. */
async function knownStage(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  more: readonly string[] = [],
): Promise<Stage> {
  const stage = await openStage(t, { otherwise: { text: "ok" } })
  users(stage, files)
  assert.deepEqual([(await start(stage, more)).known, (await start(stage, more)).known], [false, false])
  return stage
}

function memoryOf(stage: Stage): string {
  const folder = join(stage.gongHome, "cache/extensions")
  const [name = "none", ...others] = readdirSync(folder).filter((one) => one.startsWith("known-"))
  assert.deepEqual(others, [])
  return join(folder, name)
}

test("registrations confirmed by two loads are in the first request before the thread is ready; calls, gates and events reach it", async (t) => {
  const looks = 'for (const name of ["session.start", "agent.start"]) gong.on(name, ({ event }) => gong.say(event))'
  const stage = await knownStage(t, { "a.js": extension(tool("one"), noBash, looks) })
  stage.server.begin([{ calls: [call("bash", { command: "echo hi" }), call("one", {})] }, { text: "done" }])
  const { known, tools, texts, system, printed } = await start(stage)
  assert.equal(known, true)
  assert.deepEqual(tools, ["one: one"])
  assert.match(system, /one: one/)
  assert.deepEqual(texts, ["Refused: no bash. Nothing was run.", "one"])
  assert.deepEqual(printed, ["a: session.start", "a: agent.start"])
})

test("an answer without a tool call ends after loading; a command waits for its extension", async (t) => {
  const stage = await knownStage(t, {
    "a.js": extension('gong.command({ name: "sum", about: "adds", run: (rest) => eval(rest) + "" })'),
  })
  assert.equal((await start(stage)).known, true)
  const typed = await stage.gong(["--no-session", "--output", "events", "/sum 1 + 2"])
  assert.match(typed.out, /"text":"3"/, typed.err)
})

test("a changed file, import, setting or variable causes a load before the first request", async (t) => {
  const stage = await knownStage(t, {
    "a.ts": `import { word } from "./parts/word.ts"\n${extension(tool("one"), "gong.tool({ name: word + (process.env.COLOR ?? ''), description: gong.settings.text ?? 'none', parameters: { type: 'object' }, execute: () => '' })")}`,
    "parts/word.ts": "export const word: string = 'red'\n",
  })
  assert.deepEqual(await start(stage).then(({ known, tools }) => [known, ...tools]), [true, "one: one", "red: none"])
  users(stage, { "parts/word.ts": "export const word: string = 'tan'\n" })
  assert.deepEqual(await start(stage).then(({ known, tools }) => [known, ...tools]), [false, "one: one", "tan: none"])
  await start(stage)
  assert.equal((await start(stage)).known, true)
  const other = await start(stage, [], { COLOR: "ish" })
  assert.deepEqual([other.known, other.tools[1]], [false, "tanish: none"])
  assert.equal((await start(stage, [], { OTHER: "1", COLOR: "ish" })).known, false)
  assert.equal((await start(stage, [], { OTHER: "2", COLOR: "ish" })).known, true)
  stage.write({ [`${stage.gongHome}/settings.json`]: '{ "extensions": { "a": { "text": "some" } } }' })
  const set = await start(stage)
  assert.deepEqual([set.known, set.tools[1]], [false, "tan: some"])
  users(stage, { "b.js": extension(tool("two")) })
  const more = await start(stage)
  assert.deepEqual([more.known, more.tools.at(-1)], [false, "two: two"])
})

/** Its registrations depend on the existence of a file, which cannot be observed. */
const moody = `import { existsSync } from "node:fs"\n${extension(
  `const late = existsSync(gong.workspace + "/late")`,
  tool("one"),
  `if (late) { ${noBash}; ${tool("two")} }`,
  `else { ${tool("old")} }`,
)}`
const bash = { calls: [call("bash", { command: "touch ran" })] }

test("different registrations with unchanged dependencies: the gate judges the first call, it is reported, and they are never recalled again", async (t) => {
  const stage = await knownStage(t, { "a.js": extension(tool("three")), "b.js": moody })
  stage.write({ late: "" })
  stage.server.begin([{ calls: [...bash.calls, call("old", {}), call("three", {})] }, { text: "done" }])
  const first = await start(stage)
  assert.deepEqual([first.known, first.tools], [true, ["three: three", "one: one", "old: old"]])
  const [gated, gone, there] = first.texts
  assert.deepEqual([gated, there], ["Refused: no bash. Nothing was run.", "three"])
  assert.match(gone ?? "", /it has no such function any more/)
  assert.match(first.printed.join("\n"), /^What extensions bring is not what it was the last times/m)
  for (let i = 0; i < 3; i++) {
    const later = await start(stage)
    assert.deepEqual([later.known, later.tools], [false, ["three: three", "one: one", "two: two"]])
  }
})

test("a remembered extension that fails to load is reported, and the others work", async (t) => {
  const broken = `import { existsSync } from "node:fs"\n${extension('if (existsSync(gong.workspace + "/late")) throw new Error("no luck")', tool("one"))}`
  const stage = await knownStage(t, { "a.js": broken, "b.js": extension(noBash) })
  stage.write({ late: "" })
  stage.server.begin([bash, { text: "done" }])
  const { known, texts, printed } = await start(stage)
  assert.deepEqual([known, texts], [true, ["Refused: no bash. Nothing was run."]])
  assert.match(printed.join("\n"), /a\.js:4: no luck\. The extension a is off\./)
  assert.equal((await start(stage)).known, false)
})

const goesOn = 'gong.hook({ onBeforeAgent: (prompt) => ({ prompt: prompt + " on" }) })'

/** The last message of the first request, and its tools. */
async function firstRequest(stage: Stage): Promise<readonly [prompt: string, ...tools: readonly string[]]> {
  const before = stage.server.requests.length
  const { tools } = await start(stage)
  const body = stage.server.requests[before]?.body as { messages: readonly { content: string }[] }
  return [JSON.stringify(body.messages.at(-1)?.content), ...tools]
}

test("extensions that act before the first request are loaded first and awaited, others are not: their gate still judges the first call", async (t) => {
  const asked = `globalThis.asked = Promise.withResolvers(); gong.on("llm.start", () => asked.resolve())`
  const stage = await knownStage(t, {
    // If the other one was loaded before, it waits for the request.
    "a.js": moody.replace("const late", "await globalThis.asked?.promise\nconst late"),
    "b.js": extension(goesOn, asked),
  })
  stage.write({ late: "" })
  stage.server.begin([bash, { text: "done" }])
  assert.deepEqual(await firstRequest(stage), ['"go on"', "one: one", "old: old"])
  assert.match(JSON.stringify(stage.server.requests.at(-1)?.body), /Refused: no bash/)
})

test("if an early extension registers something else than before, all others are awaited", async (t) => {
  const stage = await knownStage(t, {
    "a.js": moody,
    "b.js": `${moody.slice(0, -2)}${goesOn}\n}\n`.replaceAll('"one"', '"b"'),
  })
  stage.write({ late: "" })
  assert.deepEqual(await firstRequest(stage), ['"go on"', "one: one", "two: two", "b: b"])
})

test("the first message of a conversation sees everything loaded by then", { skip }, async (t) => {
  const stage = await knownStage(t, { "a.js": moody })
  stage.write({ late: "" })
  const terminal = openTerminal(t, stage, ["--yolo"])
  stage.server.begin([bash, { text: "done" }])
  await say(terminal, "go", "done")
  await leave(terminal)
  assert.match(JSON.stringify(stage.server.requests.at(-1)?.body), /two: two.*Refused: no bash/)
})

test("a damaged or outdated memory is ignored", async (t) => {
  const stage = await knownStage(t, { "a.js": extension(tool("one")) })
  const file = memoryOf(stage)
  const good = readFileSync(file, "utf8")
  for (const bad of [good.slice(0, -20), "", "null", '{"loads":2,"files":[],"env":[],"offers":[[0,{}]]}', "[]"]) {
    writeFileSync(file, bad)
    const { known, tools } = await start(stage)
    assert.deepEqual([known, tools], [false, ["one: one"]], bad)
    assert.notEqual(readFileSync(file, "utf8"), bad)
  }
  writeFileSync(file, good)
  assert.equal((await start(stage)).known, true)
})

test("registrations of a project are recalled only with trust and unchanged; --no-extensions and doctor ignore the memory", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "ok" } })
  stage.write({ ".gong/extensions/a.js": extension(tool("one")) })
  for (const known of [false, false, true]) assert.equal((await start(stage, ["--trust", "yes"])).known, known)
  for (const options of [[], ["--trust", "yes", "--no-extensions"], ["--trust", "yes", "--bare"]]) {
    await stage.gong(["--no-session", ...options, "go"])
    assert.doesNotMatch(JSON.stringify(stage.server.requests.at(-1)?.body), /one: one/)
  }
  const doctor = await stage.gong(["doctor", "--trust", "yes"])
  assert.match(doctor.out, /^gong: a: here$/m)
  stage.write({ ".gong/extensions/a.js": extension(tool("one", "other")) })
  assert.deepEqual((await start(stage, ["--trust", "yes"])).tools, ["one: other"])
})

test("an extension whose load timed out is not started again while it is unchanged, and its gate stays closed; doctor tries it", async (t) => {
  const stage = await openStage(t)
  const flag = `${stage.root}/hangs`
  const begun = `${stage.root}/begun`
  const file = `import { appendFileSync, existsSync } from "node:fs"
appendFileSync(${JSON.stringify(begun)}, "x")
while (existsSync(${JSON.stringify(flag)})) {}
export default (gong) => { ${noBash} }
`
  stage.write({ [flag]: "" })
  users(stage, { "hangs.mjs": file, "tool.js": extension(tool("other")) })
  const run = async () => {
    stage.server.begin([{ calls: [call("bash", { command: "echo hi" })] }, { text: "done" }])
    const { err, ...rest } = await stage.gong(["--no-session", "--yolo", "--output", "events", "go"])
    const all = eventsOf({ err, ...rest })
    const notifications = ofType(all, "notice").flatMap(({ code, text }) => (code === "extension" ? [text] : []))
    return {
      loads: readFileSync(begun, "utf8").length,
      printed: err.replaceAll(`${stage.gongHome}/`, ""),
      notifications,
      text: ofType(all, "tool_execution_end").map(textOf).join(),
    }
  }
  const refused = /^Refused: the gate "hangs" cannot be asked: the extension hangs is off/
  const first = await run()
  assert.equal(first.loads, 1)
  assert.match(
    first.printed,
    /^gong: extensions\/hangs\.mjs:3: it gave no sign for 5 s .* every loop\. The extension hangs is off/m,
  )
  assert.match(first.text, refused)
  rmSync(flag)
  for (const known of [false, false, true]) {
    const next = await run()
    assert.deepEqual(next.notifications, known ? ["tool: here"] : [])
    assert.equal(next.loads, 1)
    assert.match(
      next.printed,
      /^gong: extensions\/hangs\.mjs:3: .* That was the last time; since it has not changed, no start waits/m,
    )
    assert.match(next.text, refused)
  }
  users(stage, { "hangs.mjs": `${file}// mended\n` })
  const mended = {
    loads: 2,
    printed: "gong: tool: here\n",
    notifications: [],
    text: "Refused: no bash. Nothing was run.",
  }
  assert.deepEqual(await run(), mended)
  users(stage, { "hangs.mjs": file })
  assert.match((await run()).text, refused)
  assert.match((await stage.gong(["doctor"])).out, /hangs from \S+: beforeToolCall\n/)
  assert.equal((await run()).text, "Refused: no bash. Nothing was run.")
})
