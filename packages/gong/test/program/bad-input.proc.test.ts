import assert from "node:assert/strict"
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { textOf } from "@gong/spec"
import { noOrdinaryUser, ordinaryUser } from "@gong/testing/ordinary-user"
import { eventsOf, ofType, openStage, resultOf, type Run, type RunOptions, noServers } from "./harness.ts"

const unset = { GONG_API: undefined, GONG_BASE_URL: undefined, GONG_MODEL: undefined, GONG_API_KEY: undefined }

test("a usage error is one line with a remedy, exit 2, without a request or leftovers", async (t) => {
  const stage = await openStage(t)
  stage.write({ "image.png": "no image" })
  const wrong = async (args: readonly string[], line: RegExp | string, env: RunOptions["env"] = {}) => {
    const run = await stage.gong(["-p", ...args], { env })
    refusedWith(run, line)
  }
  await wrong(["--modle", "x", "hi"], "gong: unknown option --modle. Did you mean --model?\n")
  await wrong(
    ["-m", "antropic/claude-x", "hi"],
    'gong: unknown provider "antropic" in antropic/claude-x. Did you mean anthropic? For another endpoint: --base-url URL\n',
    unset,
  )
  await wrong(["-m", "anthropic/nope", "hi"], /^gong: unknown model "anthropic\/nope"\. .*--base-url URL\n$/, unset)
  await wrong(
    ["-m", "anthropic/claude-sonnet-4-5", "hi"],
    "gong: no key for Anthropic. Give one: gong login anthropic  or: export ANTHROPIC_API_KEY=...\n",
    unset,
  )
  await wrong(["--base-url", "127.0.0.1:1/v1", "hi"], /^gong: 127\.0\.0\.1:1\/v1 is no base URL\. Write http.*\n$/)
  for (const address of ["http://127.0.0.1:99999/v1", "http://my host/v1", "http://[::1/v1", "http://"]) {
    const line = `${address} is no base URL. Write http://HOST:PORT/v1 or https://HOST/v1.\n`
    await wrong(["--base-url", address, "hi"], `gong: ${line}`)
    await wrong(["hi"], `gong: ${line}`, { GONG_BASE_URL: address })
    await wrong(["--set", `baseUrl=${address}`, "hi"], `gong: ${line}`, { GONG_BASE_URL: undefined })
    const openai = { ...unset, OPENAI_BASE_URL: address, OPENAI_API_KEY: "sk-none-0123456789" }
    await wrong(["-m", "openai/gpt-5.1", "hi"], `gong: OPENAI_BASE_URL: ${line}`, openai)
  }
  await wrong(["--cwd", "/no/such/folder", "hi"], "gong: --cwd /no/such/folder: no such folder.\n")
  await wrong(["-o", "/no/such/folder/x", "hi"], "gong: -o /no/such/folder/x: cannot write there (ENOENT).\n")
  await wrong(["-o", ".", "hi"], "gong: -o .: this is a folder. Name a file in it.\n")
  await wrong(["-i", "image.png", "hi"], /^gong: image\.png is not an image/)
  await wrong(["look", "at", "@nope.ts"], /^gong: @nope\.ts: no such file\./)
  await wrong(["--session", "nope", "hi"], 'gong: there is no session "nope". gong sessions lists them.\n')
  await wrong(
    ["--session-id", "../../evil", "hi"],
    /^gong: "\.\.\/\.\.\/evil" cannot be a session id: .*at most 64\.\n$/,
  )
  await wrong(["-c", "hi"], `gong: no session in ${stage.repo} yet. gong sessions --all lists the others.\n`)
  await wrong(
    ["--max-cost", "1", "hi"],
    /^gong: --max-cost needs prices; none are known for custom\/mock\. Use --max-tokens/,
  )
  await wrong(["--allow", "bash(", "hi"], /^gong: --allow: /)
  await wrong(["--sandbox", "some", "hi"], /^gong: --sandbox wants off, workspace or read-only, not "some"/)
  await wrong(["--network", "off", "hi"], "gong: --network off needs a sandbox: leave out --sandbox off.\n")
  refusedWith(
    await stage.gong(["trust", "me", "on", "this"]),
    'gong: "trust" is a command. For a message write: gong -- trust me on this\n',
  )
  assert.deepEqual([stage.server.requests.length, stage.sessions()], [0, []])
})

test("no model: exactly three lines, exit 2, nothing on stdout", async (t) => {
  const stage = await openStage(t)
  stage.write({ [`${stage.gongHome}/models.json`]: noServers })
  const run = await stage.gong(["-p", "what does this repository do?"], {
    env: { ...unset, OLLAMA_HOST: "127.0.0.1:1" },
  })
  assert.deepEqual([run.status, run.out], [2, ""])
  assert.deepEqual(run.err.split("\n"), [
    "gong: no model is configured.",
    "  Give a key:   export ANTHROPIC_API_KEY=...   (also OPENAI_API_KEY, GEMINI_API_KEY, DEEPSEEK_API_KEY, ... see gong models --keys)",
    '  Or an endpoint: gong --base-url http://127.0.0.1:11434/v1 -m MODEL "..."      Or look first: gong demo',
    "",
  ])
  assert.deepEqual(stage.sessions(), [])
})

test("an invalid settings, auth or permissions file is reported with line and remedy, exit 2", async (t) => {
  const stage = await openStage(t)
  const files = {
    "settings.json": [
      ['{\n  "model": "x",\n  "thinking" "low"\n}\n', /settings\.json:3:\d+: .*Fix it there or move the file away\.$/],
      ['{\n  "thinking": "lots"\n}\n', /settings\.json:2: "thinking" must be off, minimal, low.*not "lots"\.$/],
    ],
    "auth.json": [
      ['{\n  "anthropic": {"key": }\n}\n', /auth\.json:2:\d+: .*Fix it there or move the file away\.$/],
      [
        '{"anthropic": {"key": "x"}}',
        /auth\.json: "anthropic" has no key with an origin\. Write .* or move the file away\.$/,
      ],
    ],
    "permissions.json": [["[]", /permissions\.json: write .* or move the file away\.$/]],
  } as const
  for (const [name, texts] of Object.entries(files)) {
    for (const [text, line] of texts) {
      stage.write({ [join(stage.gongHome, name)]: text })
      const run = await stage.gong(["-p", "hi"])
      refusedWith(run, line)
      assert.ok(run.err.includes(stage.gongHome), run.err)
    }
    stage.write({ [join(stage.gongHome, name)]: "{}" })
  }
  assert.equal(stage.server.requests.length, 0)
})

const noHome = /^gong: cannot write to \S+ \(\w+\)\. Set GONG_HOME to a writable folder, or use --no-session\.\n$/

test("a home that cannot be a folder: exit 2 with a remedy", async (t) => {
  const stage = await openStage(t)
  const file = join(stage.root, "file")
  writeFileSync(file, "")
  refusedWith(await stage.gong(["-p", "hi"], { env: { GONG_HOME: file } }), noHome)
  refusedWith(await stage.gong(["-p", "hi"], { env: { GONG_HOME: join(file, "below") } }), noHome)
  if (process.platform === "linux")
    refusedWith(await stage.gong(["-p", "hi"], { env: { GONG_HOME: "/proc/gong" } }), noHome)
  assert.equal(stage.server.requests.length, 0)
})

const unwritable = "an unwritable home: exit 2 with a remedy, and --no-session works"

// Root may write anywhere.
test(unwritable, { skip: noOrdinaryUser }, async (t) => {
  const stage = await openStage(t, { turns: [{ text: "ok" }] })
  const closed = join(stage.root, "closed")
  mkdirSync(closed)
  chmodSync(closed, 0o555)
  const env = { GONG_HOME: join(closed, "gong") }
  chmodSync(stage.root, 0o755)
  refusedWith(await stage.gong(["-p", "hi"], { env, ...ordinaryUser }), noHome)
  assert.equal(stage.server.requests.length, 0)
  const run = await stage.gong(["-pq", "--no-session", "hi"], { env, ...ordinaryUser })
  assert.deepEqual([run.status, run.out, run.err], [0, "ok\n", ""])
})

test("an unreachable endpoint, or one that is not a model API: exit 1, one line, and the failure kind in the result", async (t) => {
  const stage = await openStage(t, { otherwise: { fault: { kind: "body", body: "html" } } })
  const quick = ["--set", "retry.baseMs=1"]
  const far = await stage.gong(["-pq", ...quick, "--base-url", "http://127.0.0.1:1/v1", "hi"])
  failedWith(
    far,
    /^gong: custom is not reachable \(ECONNREFUSED 127\.0\.0\.1:1\)\. Check .*http:\/\/127\.0\.0\.1:1\/v1/,
  )
  const web = await stage.gong(["-pq", "hi"])
  failedWith(web, /^gong: http:\S+\/v1 answered with a web page, not with an API: check the base URL\. /)
  assert.doesNotMatch(web.err, /<html|It works/)
  const json = await stage.gong(["--output", "json", "-q", ...quick, "--base-url", "http://127.0.0.1:1/v1", "hi"])
  assert.deepEqual([json.status, resultOf(json).status, resultOf(json).failure?.kind], [1, "failed", "network"])
  assert.equal(stage.sessions().length, 3, "what was asked is kept")
})

for (const api of ["openai-completions", "openai-responses", "anthropic-messages"] as const) {
  test(`[AGENT-S.24] [AGENT-S.25] [AGENT-S.22] unknown tools, invalid arguments and invalid JSON are tool errors, and the run continues (${api})`, async (t) => {
    const stage = await openStage(t, {
      api,
      turns: [
        {
          calls: [
            { name: "teleport", args: { to: "mars" } },
            { name: "read", args: { file: 7 } },
            { name: "edit", args: '{"path": "a.txt", "edits": [{"oldText" "x"' },
            { name: "read", args: { path: "not-there.txt" } },
            { name: "no such/tool!", args: {} },
          ],
        },
        { text: "I give up." },
      ],
    })
    const run = await stage.gong(["--output", "events", "--yolo", "go"])
    assert.deepEqual([run.status, run.err, resultOf(run).text], [0, "", "I give up."])
    const ends = ofType(eventsOf(run), "tool_execution_end")
    assert.deepEqual(
      ends.map(({ status }) => status),
      ["error", "error", "error", "error", "error"],
    )
    const printed = ends.map(textOf)
    const known = "The tools are: read, write, edit, bash, grep, find, ls. Use one of these."
    assert.equal(printed[0], `There is no tool "teleport". ${known}`)
    assert.match(printed[1] ?? "", /^The arguments do not fit read:\n- .*path/)
    assert.match(printed[2] ?? "", /^The arguments of edit are not valid JSON: .*Near: .*\nNothing was run\./)
    assert.match(printed[3] ?? "", /not-there\.txt/)
    assert.equal(printed[4], `There is no tool "no such/tool!". ${known}`)
    assert.equal(ofType(eventsOf(run), "tool_execution_start").length, 1, "only what may run is begun")
  })
}

test("[AGENT-1.7] a second gong on the same session exits with 2 and names the holder; the first one loses nothing", async (t) => {
  const stage = await openStage(t, {
    turns: [
      { calls: [{ name: "bash", args: { command: "until [ -e go ]; do sleep 0.05; done; echo went" } }] },
      { text: "done" },
    ],
  })
  const first = stage.start(["--output", "events", "--yolo", "wait"])
  const { id } = await first.event("session")
  await first.event("tool_execution_start")
  const line =
    /^gong: session (\w+) is open in another gong \(pid \d+, this machine, \d+ s\)\. --fork \1 starts a copy; gong attach \1 watches it\.\n$/
  refusedWith(await stage.gong(["-p", "-c", "me too"]), line)
  refusedWith(await stage.gong(["-p", "--session", id.slice(0, 20), "me too"]), line)
  refusedWith(await stage.gong(["undo", "--session", id]), line)
  const shown = await stage.gong(["sessions", "show", id])
  assert.match(shown.out, /> wait/)
  stage.write({ go: "" })
  const run = await first.ended
  assert.deepEqual([run.status, resultOf(run).text], [0, "done"])
  assert.equal(stage.server.requests.length, 2)
})

test("an internal error is one line, also as an unhandled rejection; the stack is shown only with GONG_DEBUG", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "ok", delayMs: 50 } })
  const preload = (name: string, code: string) => {
    stage.write({ [name]: `const fs = require("node:fs")\n${code}` })
    return { NODE_OPTIONS: `--require ${join(stage.repo, name)}` }
  }
  const thrown = preload("thrown.cjs", 'fs.readdirSync = () => { throw new Error("no luck\\nat all") }')
  crashedWith(await stage.gong(["-pq", "-c", "hi"], { env: thrown }), "gong: no luck (GONG_DEBUG=1 shows where)\n")
  const later = preload("later.cjs", 'fs.fdatasyncSync = () => setImmediate(() => { throw new Error("later") })')
  crashedWith(await stage.gong(["-pq", "hi"], { env: later }), "gong: later (GONG_DEBUG=1 shows where)\n")
  const debug = await stage.gong(["-pq", "-c", "hi"], { env: { ...thrown, GONG_DEBUG: "1" } })
  assert.match(debug.err, /^gong: no luck .*\nError: no luck\nat all\n {4}at /)
  const gone = join(stage.root, "gone")
  mkdirSync(gone)
  const away = preload("away.cjs", `process.chdir(${JSON.stringify(gone)}); fs.rmdirSync(${JSON.stringify(gone)})`)
  const line = "gong: could not start (the folder you are in is gone; go to another one)\n"
  crashedWith(await stage.gong(["-p", "hi"], { env: away }), line)
})

test("a missing path is a tool error with a hint and not a refusal, so --strict continues", async (t) => {
  const stage = await openStage(t)
  stage.write({ "a.txt": "one\n" })
  symlinkSync("circle", join(stage.repo, "circle"))
  const paths = ["circle", "a.txt/below", "x".repeat(300), "x".repeat(4097), "a\0b"]
  const calls = paths.flatMap((path) => [
    { name: "read", args: { path } },
    { name: "write", args: { path, content: "x" } },
  ])
  stage.server.begin([{ calls }, { text: "done" }])
  const run = await stage.gong(["--strict", "--output", "events", "read them"])
  const ends = ofType(eventsOf(run), "tool_execution_end")
  const advice =
    /ELOOP: circle: .* Use the real path|ENOTDIR: a\.txt\/below: .* Check the path|ENAMETOOLONG: x+: .* Use a shorter|Use a shorter one|Give a plain path/
  for (const end of ends) assert.match(textOf(end), advice)
  assert.deepEqual([ends.length, resultOf(run).denials, run.status], [calls.length, [], 0], run.err)
})

function crashedWith(run: Run, line: string): void {
  assert.deepEqual([run.status, run.out, run.err], [1, "", line])
}

function refusedWith(run: Run, line: RegExp | string): void {
  assert.deepEqual([run.status, run.out], [2, ""], run.err)
  assert.equal(run.err.split("\n").length, 2, `one line: ${run.err}`)
  if (typeof line === "string") assert.equal(run.err, line)
  else assert.match(line.source.endsWith("\\n$") ? run.err : run.err.trimEnd(), line)
}

function failedWith(run: Run, line: RegExp): void {
  assert.deepEqual([run.status, run.out], [1, ""], run.err)
  assert.equal(run.err.split("\n").length, 2, `one line: ${run.err}`)
  assert.match(run.err, line)
}
