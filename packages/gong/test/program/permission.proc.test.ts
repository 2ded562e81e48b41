import assert from "node:assert/strict"

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { textOf } from "@gong/spec"
import type { PlayedCall, Turn } from "@gong/testing/model-server"
import { canary, eventsOf, ofType, openStage, resultOf, type Stage } from "./harness.ts"

const done: Turn = { text: "done" }

test("headless auto: reads and edits inside the workspace run, everything else is refused with the documented text; exit 0", async (t) => {
  const outside = "/etc/gong-test-outside"
  const stage = await openStage(t, {
    turns: [
      calls(bash("git status --short"), bash("ls -la && cat a.txt | wc -l"), write("a.txt"), edit("a.txt")),
      calls(bash("git push origin main"), bash("make install"), bash("ls; curl http://127.0.0.1:1"), write(outside)),
      done,
    ],
  })
  const run = await stage.gong(["--output", "events", "do it"])
  const result = resultOf(run)
  assert.deepEqual([run.status, result.status, result.text], [0, "done", "done"])
  const ends = ofType(eventsOf(run), "tool_execution_end")
  assert.deepEqual(
    ends.map(({ status }) => status),
    ["ok", "ok", "ok", "ok", "refused", "refused", "refused", "refused"],
  )
  const refused = (what: string) =>
    `Refused: "${what}" needs permission and nobody is here to give it. Do not try another way around; go on without it, or stop and say what you need.`
  assert.deepEqual(ends.slice(4).map(textOf), [
    refused("git push origin main"),
    refused("make install"),
    refused("ls; curl http://127.0.0.1:1"),
    `Refused: ${outside} is outside the workspace (${stage.repo}). Allow it with --add-dir /etc or --allow "write(${outside})".`,
  ])
  assert.deepEqual(
    result.denials.map(({ tool, args }) => [tool, args["command"] ?? args["path"]]),
    [
      ["bash", "git push origin main"],
      ["bash", "make install"],
      ["bash", "ls; curl http://127.0.0.1:1"],
      ["write", outside],
    ],
  )
  assert.equal(existsSync(outside), false)
})

test("[SAFE-27] headless auto refuses to write files that other programs execute, and git hooks at the configured path", async (t) => {
  const stage = await openStage(t)
  stage.write({ ".git/config": `${stage.read(".git/config")}[core]\n\thooksPath = tools/hooks\n` })
  const paths = [".github/workflows/ci.yml", "tools/hooks/pre-commit", "tools/other"]
  stage.server.begin([calls(...paths.map((path) => write(path))), done])
  const ends = ofType(eventsOf(await stage.gong(["--output", "events", "go"])), "tool_execution_end")
  assert.deepEqual(
    ends.map(({ status }) => status),
    ["refused", "refused", "ok"],
  )
})

test("stderr has the refusal, without the advice for the model", async (t) => {
  const stage = await openStage(t)
  const texts = [
    [[], 'gong: bash was refused: "make x" needs permission and nobody is here to give it.\n'],
    [["--permission", "plan"], 'gong: bash was refused: "make x" is not run, because this session only plans.\n'],
    [["--deny", "bash(make *)"], 'gong: bash was refused: "make x" is forbidden by the rule bash(make *).\n'],
  ] as const
  for (const [args, line] of texts) {
    stage.server.begin([calls(bash("make x")), done])
    const run = await stage.gong(["-pq", "go", ...args])
    assert.deepEqual([run.status, run.err], [0, line])
    const reported = JSON.stringify(stage.server.requests.at(-1)?.body)
    assert.match(
      reported,
      /Refused: .*(Do not try another way around; go on|Read what you need and say what you would do\.)/,
    )
  }
  stage.server.begin([calls(bash("make x")), done])
  const strict = await stage.gong(["-pq", "go", "--strict"])
  assert.deepEqual(
    [strict.status, strict.err],
    [4, 'gong: Refused: "make x" needs permission and nobody is here to give it.\n'],
  )
})

test("--strict ends the run at the first refusal, exit 4; --allow, --deny, --yolo and plan control what may run", async (t) => {
  const stage = await openStage(t)
  stage.write({ Makefile: "hello:\n\t@echo made\n" })
  const outcome = async (args: readonly string[], ...wanted: readonly PlayedCall[]) => {
    stage.server.begin([calls(...wanted), done])
    const run = await stage.gong(["--output", "events", "--no-session", ...args, "go"])
    const statuses = ofType(eventsOf(run), "tool_execution_end").map(({ status }) => status)
    return [run.status, resultOf(run).status, ...statuses]
  }
  assert.deepEqual(await outcome(["--strict"], bash("make hello"), write("never.txt")), [
    4,
    "refused",
    "refused",
    "skipped",
  ])
  assert.equal(existsSync(join(stage.repo, "never.txt")), false)
  assert.deepEqual(await outcome(["--allow", "bash(make *)"], bash("make hello"), bash("make hello; touch x")), [
    0,
    "done",
    "ok",
    "refused",
  ])
  assert.deepEqual(await outcome(["--deny", "write(*.txt)", "--yolo"], write("a.txt"), write("a.md")), [
    0,
    "done",
    "refused",
    "ok",
  ])
  assert.deepEqual(
    await outcome(["--permission", "plan"], bash("make hello"), write("p.md"), { name: "ls", args: {} }),
    [0, "done", "refused", "refused", "ok"],
  )
  assert.deepEqual(await outcome(["--yolo"], bash("make hello"), write(join(stage.root, "out.txt"))), [
    0,
    "done",
    "ok",
    "ok",
  ])
  assert.deepEqual(await outcome(["--yolo"], bash("rm -rf ~"), bash(`rm -rf ${stage.repo}`)), [
    0,
    "done",
    "refused",
    "refused",
  ])
  const keys = join(stage.gongHome, "auth.json")
  assert.deepEqual(await outcome([], { name: "read", args: { path: keys } }, bash("cat ~/.ssh/id_rsa")), [
    0,
    "done",
    "refused",
    "refused",
  ])
  assert.deepEqual(await outcome(["--add-dir", stage.home], write(join(stage.home, "notes.txt"))), [0, "done", "ok"])
  assert.deepEqual(await outcome(["--allow", `write(${stage.temp}x/**)`], write(`${stage.temp}x/a.txt`)), [
    0,
    "done",
    "ok",
  ])
})

test("[AGENT-F.5] --max-turns ends the run with exit 3 and a line; so do five identical turns", async (t) => {
  const stage = await openStage(t, { otherwise: calls({ name: "ls", args: { path: "." } }) })
  const few = await stage.gong(["--output", "json", "-q", "--max-turns", "2", "go"])
  const { status, limit, turns, exit } = resultOf(few)
  assert.deepEqual([few.status, exit, status, limit, turns], [3, 3, "limit", "turns", 2])
  assert.equal(few.err, "gong: The limit of this run was reached: turns.\n")
  const same = await stage.gong(["--output", "json", "-q", "go"])
  assert.deepEqual([same.status, resultOf(same).limit, resultOf(same).turns], [3, "repeat", 5])
})

test("[SAFE-24] no key reaches a command, a request body, a session, an event or the screen", async (t) => {
  const other = "sk-other-canary-0123456789"
  const stored = "sk-stored-canary-0123456789"
  const stage = await openStage(t, {
    turns: [
      calls(
        bash("env; echo GONG=$GONG AI_AGENT=$AI_AGENT S=$GONG_SESSION P=$PAGER T=$GIT_TERMINAL_PROMPT MINE=$MINE"),
        bash('cat "$GONG_HOME/auth.json" || cat ../gong/auth.json'),
        { name: "read", args: { path: "../gong/auth.json" } },
        write("leak.txt", "nothing"),
      ),
      { fault: { kind: "status", status: 401, message: `bad key ${canary}` } },
    ],
  })
  stage.write({
    [join(stage.gongHome, "auth.json")]: JSON.stringify({ openai: { key: stored, origin: "https://api.openai.com" } }),
  })
  const run = await stage.gong(["--output", "events", "--partial", "--yolo", "show me"], {
    env: { ANTHROPIC_API_KEY: other, MINE: "mine" },
  })
  assert.equal(run.status, 1)
  const [env = "", auth = "", read = ""] = ofType(eventsOf(run), "tool_execution_end").map(textOf)
  assert.match(env, /GONG=1 AI_AGENT=gong S=[0-9a-f-]{36} P=cat T=0 MINE=mine/)
  assert.doesNotMatch(env, /_API_KEY/)
  assert.match(auth, /"key":"\[redacted\]"/)
  assert.match(read, /redacted|Refused/)
  for (const key of [canary, other, stored]) {
    assert.ok(!`${run.out}${run.err}`.includes(key), "not in the events")
    assert.deepEqual(filesWith(stage, key), key === stored ? ["gong/auth.json"] : [], "in no file")
    for (const { body } of stage.server.requests) assert.ok(!JSON.stringify(body).includes(key), "in no request's body")
  }
})

function calls(...list: readonly PlayedCall[]): Turn {
  return { calls: list }
}

function bash(command: string): PlayedCall {
  return { name: "bash", args: { command } }
}

function write(path: string, content = "one\n"): PlayedCall {
  return { name: "write", args: { path, content } }
}

function edit(path: string): PlayedCall {
  return { name: "edit", args: { path, edits: [{ oldText: "one", newText: "two" }] } }
}

/** Files of the stage that hold a text. */
function filesWith(stage: Stage, text: string): readonly string[] {
  const names = readdirSync(stage.root, { recursive: true, encoding: "utf8" })
  return names.filter(
    (name) => statSync(join(stage.root, name)).isFile() && readFileSync(join(stage.root, name)).includes(text),
  )
}
