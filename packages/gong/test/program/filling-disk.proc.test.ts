import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { nodeDisk, nodeMachine, openStore, verifyTape } from "@gong/tape/file"
import { systemClock, systemIds } from "@gong/app/ports"
import { straceMissing, under } from "../kill/strace.ts"
import { eventsOf, ofType, openStage, resultOf, type Run, type Stage } from "./harness.ts"
import { linesOf } from "../kill/scenarios.ts"
import { skip as noTerminal } from "./terminal.ts"
import { noSmallDisk, smallDisk } from "./small-disk.ts"

// The disk of the sessions, or that of stdout, fills up while a run works.

const page = "words ".repeat(6_000)

/** Reads and writes long texts four times: 36 KB a reply. The answer itself is short. */
const turns = [
  ...Array.from({ length: 4 }, () => ({
    text: page,
    delta: 4_096,
    calls: [{ name: "read", args: { path: "a.txt" } }],
  })),
  { text: "Four." },
]

async function filling(t: TestContext, kilobytes = 100): Promise<{ stage: Stage; disk: ReturnType<typeof smallDisk> }> {
  const stage = await openStage(t, { turns })
  stage.write({ "a.txt": "alpha\n" })
  return { stage, disk: smallDisk(stage, join(stage.gongHome, "sessions"), kilobytes) }
}

const ports = { disk: nodeDisk(), clock: systemClock, ids: systemIds(systemClock), machine: nodeMachine() }

/** The only session in a folder: every line of it is complete, and it can be continued. Returns its number of entries. */
function wholeSession(folder: string): number {
  const [id = ""] = readdirSync(folder).filter((name) => !name.startsWith("."))
  const path = join(folder, id)
  const { problems, artifacts } = verifyTape(ports, path)
  assert.deepEqual([problems, artifacts.damaged, artifacts.missing], [[], [], []])
  const store = openStore(ports, { path, readOnly: true })
  const lines = store.anchors().map(({ seq, name }) => {
    return readFileSync(join(path, "anchors", `${String(seq).padStart(3, "0")}_${name}`, "entries.jsonl"), "utf8")
  })
  for (const text of lines) assert.ok(text.endsWith("\n"), `a torn last line: ${JSON.stringify(text.slice(-80))}`)
  const { length } = store
  store.close()
  return length
}

const notKept =
  /^gong: Cannot write the session: (.*); the last (?:step of this session is|\d+ steps of this session are) not kept\. (.*)$/m

function notified(run: Run, why: string, advice: string): void {
  assert.equal(run.status, 1, run.err)
  assert.deepEqual(notKept.exec(run.err)?.slice(1), [why, advice], run.err)
}

const full = ["the disk is full", "Free some space there."] as const

test(
  "the disk fills up during -p: the answer is printed, one line reports unstored steps, exit 1, no torn line",
  { skip: noSmallDisk },
  async (t) => {
    const { stage, disk } = await filling(t)
    const run = await stage.gong(["-p", "go"], disk)
    assert.equal(run.out, "Four.\n")
    notified(run, ...full)
    assert.ok(wholeSession(disk.kept) > 3)
  },
)

for (const output of ["json", "events"]) {
  test(
    `the disk fills up with --output ${output}: the result has exit 1, the reason and the answer; no torn line`,
    { skip: noSmallDisk },
    async (t) => {
      const { stage, disk } = await filling(t)
      const run = await stage.gong(["-q", "--output", output, "go"], disk)
      const { status, exit, text, failure } = resultOf(run)
      assert.deepEqual([status, exit, text, failure?.kind], ["done", 1, "Four.", "storage"])
      notified(run, ...full)
      wholeSession(disk.kept)
    },
  )
}

test(
  "the disk fills up in a conversation: reported at once, and at the end with the unstored steps; exit 1",
  { skip: noSmallDisk || noTerminal },
  async (t) => {
    const { stage, disk } = await filling(t)
    const run = await stage.gong([], { ...disk, typed: "go\r" })
    assert.match(run.out, /Cannot write the session: the disk is full; the session continues in memory/)
    assert.match(run.out, /the last \d+ steps of this session are not kept\. Free some space there\./)
    assert.equal(run.status, 1, run.out)
    wholeSession(disk.kept)
  },
)

test(
  "the disk fills up under rpc: the result has exit 1 and the reason, and the process exits with 1",
  { skip: noSmallDisk },
  async (t) => {
    const { stage, disk } = await filling(t)
    const run = await stage.gong(["rpc"], {
      ...disk,
      stdin: `${JSON.stringify({ id: 1, type: "prompt", text: "go" })}\n`,
    })
    const [result] = ofType(eventsOf(run), "result")
    assert.deepEqual(
      [result?.status, result?.exit, result?.failure?.kind],
      ["done", 1, "storage"],
      run.out.slice(-2000),
    )
    notified(run, ...full)
    wholeSession(disk.kept)
  },
)

test("the file size limit of the session (ulimit -f): one line reports unstored steps and a remedy, exit 1, no torn line", async (t) => {
  const { stage } = await filling(t)
  const small = ["sh", "-c", 'ulimit -f 100; exec "$@"', "sh"]
  const run = await stage.gong(["-pq", "go"], { under: small, env: { NODE_DISABLE_COMPILE_CACHE: "1" } })
  assert.equal(run.out, "Four.\n")
  notified(run, "a file may not grow further here (EFBIG)", "Raise the file size limit (ulimit -f).")
  wholeSession(join(stage.gongHome, "sessions"))
})

const refusals = {
  EDQUOT: ["the disk quota is used up", "Free some space there."],
  EIO: ["the disk reports an error (EIO)", "Check the system log, and back up your data."],
  EROFS: ["the file system is read-only", "Set GONG_HOME to a writable folder."],
} as const

for (const [code, [why, advice]] of Object.entries(refusals)) {
  // Of the calls on its lines the first write makes the session, and the first sync is that of the input.
  for (const [call, first] of [
    ["write", 4],
    ["fdatasync", 2],
  ] as const) {
    test(
      `${call} fails with ${code} during a run: one line reports unstored steps, exit 1`,
      { skip: straceMissing() },
      async (t) => {
        const { stage } = await filling(t)
        const path = linesOf(stage, "s1")
        const words = under({ log: join(stage.root, "trace"), path, inject: [`${call}:error=${code}:when=${first}+`] })
        const run = await stage.gong(["-pq", "--session-id", "s1", "go"], { under: words })
        assert.equal(run.out, "Four.\n")
        notified(run, why, advice)
        wholeSession(join(stage.gongHome, "sessions"))
      },
    )
  }
}

const stdoutFull = "gong: cannot write to stdout: the disk is full (ENOSPC). Free some space, or redirect the output."

test(
  "the disk of stdout fills up during events: one line, exit 1, and no partial line",
  { skip: noSmallDisk },
  async (t) => {
    const stage = await openStage(t, { turns })
    stage.write({ "a.txt": "alpha\n" })
    const disk = smallDisk(stage, join(stage.root, "stream"), 100, { out: true })
    const run = await stage.gong(["-q", "--output", "events", "go"], disk)
    assert.equal(run.status, 1, run.err)
    assert.ok(run.err.includes(stdoutFull), run.err)
    const lines = eventsOf({ ...run, out: disk.read("out") })
    assert.ok(lines.length > 5, `${lines.length} lines`)
  },
)

test(
  "the last write to stdout fails partially: exit 1, and the output ends with a complete line",
  { skip: noSmallDisk },
  async (t) => {
    const stage = await openStage(t, { otherwise: { text: "a line of the answer\n".repeat(300) } })
    const disk = smallDisk(stage, join(stage.root, "stream"), 4, { out: true })
    const run = await stage.gong(["-pq", "go"], disk)
    assert.deepEqual([run.status, run.err], [1, `${stdoutFull}\n`])
    assert.equal(disk.read("out"), "a line of the answer\n".repeat(Math.floor(4096 / 21)))
  },
)
