import assert from "node:assert/strict"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { textOf } from "@gong/spec"
import { canary, eventsOf, ofType, openStage, resultOf, type Stage } from "./harness.ts"

const bash = (command: string) => ({ name: "bash", args: { command } })

/** The user's own settings with these hooks. */
function userHooks(stage: Stage, hooks: object): void {
  mkdirSync(stage.gongHome, { recursive: true, mode: 0o700 })
  writeFileSync(join(stage.gongHome, "settings.json"), JSON.stringify({ hooks }))
}

function one(command: string, more: object = {}) {
  const { matcher, ...hook } = { matcher: "*", ...more }
  return [{ matcher, hooks: [{ type: "command", command, ...hook }] }]
}

async function results(stage: Stage, args: readonly string[] = []) {
  const run = await stage.gong(["--yolo", "--no-session", "--output", "events", ...args, "go"])
  const ends = ofType(eventsOf(run), "tool_execution_end")
  return { run, ends, texts: ends.map(textOf), result: resultOf(run) }
}

test("[HOOK-5.1] a PreToolUse hook in the format of Claude Code blocks rm with its reason, and permits other commands", async (t) => {
  const stage = await openStage(t, { turns: [{ calls: [bash("rm -rf keep"), bash("echo fine")] }, { text: "done" }] })
  stage.write({ "keep/a.txt": "kept\n" })
  const script = `node -e 'let s="";process.stdin.on("data",d=>s+=d).on("end",()=>{const i=JSON.parse(s);if(i.tool_name==="Bash"&&/^rm /.test(i.tool_input.command)){console.error("no rm here");process.exit(2)}})'`
  userHooks(stage, { PreToolUse: one(script, { matcher: "Bash" }) })
  const { texts, ends, result } = await results(stage)
  assert.deepEqual(texts, ["Refused: no rm here. Nothing was run.", "fine\n"])
  assert.deepEqual([ends[0]?.status, result.status], ["refused", "done"])
  assert.ok(existsSync(join(stage.repo, "keep/a.txt")))
})

test("a PostToolUse hook adds context for the model; its input has the call and the result", async (t) => {
  const stage = await openStage(t, { turns: [{ calls: [bash("echo one")] }, { text: "done" }] })
  const answer = { hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "remember the milk" } }
  const seen = join(stage.root, "seen.json")
  userHooks(stage, { PostToolUse: one(`cat > ${seen}; env > ${seen}.env; echo '${JSON.stringify(answer)}'`) })
  const { texts } = await results(stage)
  assert.match(texts[0] ?? "", /^one\n+remember the milk$/)
  const last = stage.server.requests.at(-1)
  assert.match(JSON.stringify(last?.body), /remember the milk/)
  const given = JSON.parse(readFileSync(seen, "utf8")) as Record<string, unknown>
  const { session_id, transcript_path, tool_use_id, tool_response, ...rest } = given
  assert.deepEqual(rest, {
    cwd: stage.repo,
    permission_mode: "bypassPermissions",
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_input: { command: "echo one" },
  })
  assert.deepEqual([typeof session_id, transcript_path, typeof tool_use_id], ["string", "", "string"])
  assert.match(JSON.stringify(tool_response), /"success":true,"stdout":"one/)
  const env = readFileSync(`${seen}.env`, "utf8")
  assert.match(env, new RegExp(`^CLAUDE_PROJECT_DIR=${stage.repo}$`, "m"))
  assert.doesNotMatch(env, new RegExp(canary))
})

test("a gate that hangs blocks the call after its timeout, and is killed", async (t) => {
  const stage = await openStage(t, { turns: [{ calls: [bash("touch ran")] }, { text: "done" }] })
  const pid = join(stage.root, "pid")
  userHooks(stage, { PreToolUse: one(`echo $$ > ${pid}; sleep 600`, { timeout: 0.5 }) })
  const { texts, result, run } = await results(stage)
  assert.match(
    texts[0] ?? "",
    /^Refused: the gate "PreToolUse \(echo .*\)" gave no answer in time\. Nothing was run\.$/,
  )
  assert.equal(result.status, "done")
  assert.equal(existsSync(join(stage.repo, "ran")), false)
  assert.match(run.out, /"code":"hook-error".*no answer after 500 ms; blocked/)
  const status = `/proc/${readFileSync(pid, "utf8").trim()}/status`
  assert.ok(!existsSync(status) || /^State:\s+[ZX]/m.test(readFileSync(status, "utf8")), "it is gone")
})

test('"allow" of a hook is not a permission: a refused command stays refused, and a deny rule applies', async (t) => {
  const stage = await openStage(t, { turns: [{ calls: [bash("touch ran")] }, { text: "done" }] })
  const allow = { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" } }
  userHooks(stage, { PreToolUse: one(`echo '${JSON.stringify(allow)}'`) })
  for (const args of [
    ["--permission", "ask"],
    ["--deny", "bash(touch *)"],
  ]) {
    stage.server.begin([{ calls: [bash("touch ran")] }, { text: "done" }])
    const { ends } = await results(stage, args)
    assert.deepEqual([ends[0]?.status, existsSync(join(stage.repo, "ran"))], ["refused", false])
  }
})

test("hooks of an untrusted folder do not run, which one line reports; with trust they run, also those of Claude's file", async (t) => {
  const stage = await openStage(t)
  const trip = (name: string) => ({ hooks: { UserPromptSubmit: one(`touch ${join(stage.root, name)}`) } })
  stage.write({
    ".gong/hooks.json": JSON.stringify(trip("gong")),
    ".claude/settings.json": JSON.stringify({ permissions: { allow: ["Bash"] }, ...trip("claude") }),
  })
  const ran = () => ["gong", "claude"].filter((name) => existsSync(join(stage.root, name)))
  for (const args of [[], ["--trust", "no"], ["--bare"]]) {
    stage.server.begin([{ text: "done" }])
    const run = await stage.gong([...args, "--no-session", "hi"])
    const printed = run.err.includes(
      "gong: this folder contains 2 hooks, which were not loaded (not trusted). Trust it for one run: --trust yes; permanently: gong trust\n",
    )
    assert.deepEqual([ran(), printed, run.status], [[], args.length === 0, 0])
  }
  stage.server.begin([{ text: "done" }])
  await stage.gong(["--trust", "yes", "--no-session", "hi"])
  assert.deepEqual(ran(), ["gong", "claude"])
})

test("an invalid hook configuration is reported with file, line and remedy; other hooks work", async (t) => {
  const stage = await openStage(t, { turns: [{ text: "done" }] })
  const marker = join(stage.root, "ran")
  const text = `{
  "hooks": {
    "PreTool": [],
    "PreToolUse": [
      {"matcher": "(", "hooks": []},
      {"hooks": [
        {"type": "prompt", "prompt": "ok?"},
        {"type": "command", "command": 5},
        {"type": "command", "command": "x", "timeout": "soon"}
      ]}
    ],
    // comments are fine
    "UserPromptSubmit": [{"hooks": [{"type": "command", "command": "touch ${marker}"}]}],
  }
}
`
  stage.write({ ".gong/hooks.json": text, ".claude/settings.json": "{nonsense" })
  const run = await stage.gong(["--trust", "yes", "--no-session", "hi"])
  const file = join(stage.repo, ".gong/hooks.json")
  const left = "Left out; the rest works."
  assert.deepEqual(
    run.err.split("\n").filter((line) => line.startsWith("gong: /")),
    [
      `gong: ${join(stage.repo, ".claude/settings.json")}:1:2: invalid symbol. Fix it there or move the file away. Its hooks and rules are not active.`,
      `gong: ${file}:3: there is no hook event "PreTool" in this version; there are PreToolUse, PostToolUse, UserPromptSubmit, Stop, SubagentStop, SessionStart, SessionEnd, PreCompact, PreSwitch, Notification. ${left}`,
      `gong: ${file}:5: "matcher" is no regular expression: "(". ${left}`,
      `gong: ${file}:7: only "type": "command" works in this version, not "prompt". ${left}`,
      `gong: ${file}:8: "command" must be text. ${left}`,
      `gong: ${file}:9: "timeout" must be seconds, up to 600. ${left}`,
    ],
  )
  assert.deepEqual([run.status, existsSync(marker)], [0, true])
})

test("hooks of prompts, session starts and ends, and stops: added context, a refused prompt, a continued run", async (t) => {
  const stage = await openStage(t, { turns: [{ text: "first" }, { text: "second" }] })
  const log = join(stage.root, "log")
  const end = `node -e 'let s="";process.stdin.on("data",d=>s+=d).on("end",()=>{const i=JSON.parse(s);if(!i.stop_hook_active){console.error("run the tests first");process.exit(2)}})'`
  userHooks(stage, {
    SessionStart: one(`echo "start $(cat | grep -o startup)"`, { matcher: "startup|resume" }),
    UserPromptSubmit: one(
      `read -r line; case "$line" in *secret*) echo "do not say that" >&2; exit 2;; esac; echo "branch: main"`,
    ),
    Stop: one(end),
    SessionEnd: one(`cat > ${log}`),
  })
  const run = await stage.gong(["--output", "json", "hi"])
  assert.deepEqual([run.status, resultOf(run).text], [0, "second"])
  const [first, second] = stage.server.requests.map(({ body }) => JSON.stringify(body))
  assert.match(first ?? "", /start startup.*branch: main.*hi/)
  assert.match(second ?? "", /run the tests first/)
  assert.match(readFileSync(log, "utf8"), /"hook_event_name":"SessionEnd","reason":"other"/)

  const refused = await stage.gong(["--output", "json", "my secret is 5"])
  assert.deepEqual([refused.status, resultOf(refused).status], [1, "failed"])
  assert.match(refused.out, /A hook ended the run: do not say that/)
  assert.equal(stage.server.requests.length, 2)
  assert.doesNotMatch(JSON.stringify(stage.sessions().map((id) => stage.entries(id))), /my secret/)
})

test("a formatter hook after each edit: its change belongs to the session, and the next edit is not refused", async (t) => {
  const stage = await openStage(t)
  stage.write({ "a.txt": "one\ntwo\n" })
  const edit = (oldText: string, newText: string) => ({
    calls: [{ name: "edit", args: { path: "a.txt", edits: [{ oldText, newText }] } }],
  })
  const turns = [{ calls: [{ name: "read", args: { path: "a.txt" } }] }, edit("one", "uno"), edit("two", "due")]
  stage.server.begin([...turns, { text: "done" }])
  const file = `node -p 'JSON.parse(require("fs").readFileSync(0)).tool_input.file_path'`
  userHooks(stage, { PostToolUse: one(`f=$(${file}) && echo formatted >> "$f"`, { matcher: "Edit|Write" }) })
  const { ends } = await results(stage)
  assert.deepEqual(
    ends.map(({ status }) => status),
    ["ok", "ok", "ok"],
  )
  assert.equal(stage.read("a.txt"), "uno\ndue\nformatted\nformatted\n")
})

/** The examples of docs/hooks.md, unchanged. */
const documented = readFileSync(new URL("../../../../docs/hooks.md", import.meta.url), "utf8")
function example(heading: string, language: string): string {
  const part = documented.split(/^### /m).find((text) => text.startsWith(heading)) ?? ""
  return new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(part)?.[1] ?? assert.fail(`no example "${heading}"`)
}

/** Programs of these names, which write down how they were called. */
function fakes(stage: Stage, ...names: readonly string[]): { readonly env: Record<string, string>; log(): string } {
  const bin = join(stage.root, "bin")
  mkdirSync(bin)
  for (const name of names)
    writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >> ${bin}/log\n`, { mode: 0o755 })
  return { env: { PATH: `${bin}:${stage.env["PATH"]}` }, log: () => readFileSync(join(bin, "log"), "utf8") }
}

function settings(stage: Stage, text: string): void {
  userHooks(stage, (JSON.parse(text) as { hooks: object }).hooks)
}

test("the gate of docs/hooks.md works", async (t) => {
  const stage = await openStage(t, {
    turns: [{ calls: [bash("git push --force"), bash("git status -s")] }, { text: "x" }],
  })
  mkdirSync(join(stage.home, ".gong/hooks"), { recursive: true })
  writeFileSync(join(stage.home, ".gong/hooks/no-force-push.mjs"), example("A gate", "js"))
  settings(stage, example("A gate", "json"))
  const { texts, ends } = await results(stage)
  assert.match(texts[0] ?? "", /^Refused: Forced pushes are not allowed\./)
  assert.equal(ends[1]?.status, "ok")
})

test("the formatter and the notification of docs/hooks.md work", async (t) => {
  const stage = await openStage(t)
  const { env, log } = fakes(stage, "prettier", "notify-send")
  const write = { name: "write", args: { path: "a b.md", content: "x\n" } }
  for (const heading of ["A formatter", "A desktop notification"]) {
    settings(stage, example(heading, "json"))
    stage.server.begin([{ calls: [write] }, { text: "done" }])
    await stage.gong(["--yolo", "--no-session", "go"], { env })
  }
  assert.equal(log(), `prettier --write --ignore-unknown ${stage.repo}/a b.md\nnotify-send Gong is done\n`)
})

test("doctor lists the active hooks with their sources", async (t) => {
  const stage = await openStage(t)
  userHooks(stage, { PreToolUse: one("check", { matcher: "Bash" }), Stop: one("bell") })
  const run = await stage.gong(["doctor"])
  const file = join(stage.gongHome, "settings.json")
  assert.ok(run.out.includes(`hooks      PreToolUse Bash (check) from ${file}\n           Stop (bell) from ${file}\n`))
  assert.ok((await stage.gong(["doctor", "--bare"])).out.includes("hooks      none\n"))
})

test("an OpenTelemetry SDK loaded by the user receives the spans of a run; one of the repository is never loaded", async (t) => {
  const stage = await openStage(t, { turns: [{ calls: [bash("echo hi")] }, { text: "done" }] })
  const [api, sdk] = ["@opentelemetry/api", "@opentelemetry/sdk-trace"].map((name) => import.meta.resolve(name))
  const register = join(stage.root, "register.mjs")
  writeFileSync(
    register,
    `import { trace } from ${JSON.stringify(api)}
import { SimpleSpanProcessor, TracerProvider } from ${JSON.stringify(sdk)}
const exporter = {
  export(spans, done) {
    for (const { name } of spans) process.stderr.write("SPAN " + name + "\\n")
    done({ code: 0 })
  },
  shutdown: async () => undefined,
  forceFlush: async () => undefined,
}
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }))
`,
  )
  const options = ["--yolo", "--no-session", "go"]
  const run = await stage.gong(options, { env: { NODE_OPTIONS: `--import=${register}` } })
  const spans = run.err.split("\n").filter((line) => line.startsWith("SPAN "))
  assert.deepEqual(spans, ["SPAN chat mock", "SPAN execute_tool bash", "SPAN chat mock", "SPAN invoke_agent gong"])

  const trap = `require("fs").writeFileSync(${JSON.stringify(join(stage.root, "trap"))}, "")`
  stage.write({
    "node_modules/@opentelemetry/api/build/src/index.js": trap,
    "node_modules/@opentelemetry/api/package.json": '{"name":"@opentelemetry/api","main":"build/src/index.js"}',
  })
  stage.server.begin([{ text: "done" }])
  await stage.gong(["--trust", "yes", ...options], { env: { NODE_OPTIONS: "--no-warnings" } })
  assert.equal(existsSync(join(stage.root, "trap")), false)
})
