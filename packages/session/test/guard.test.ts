import assert from "node:assert/strict"
import { test } from "node:test"
import { textOf } from "@gong/spec"
import { place, type Place, start, type StartOptions } from "./world.ts"

const write = (path: string, content: string) => ({ calls: [{ name: "write", arguments: { path, content } }] })
const read = (path: string) => ({ calls: [{ name: "read", arguments: { path } }] })
const done = { text: "done" }
const files = { "/work/a.txt": "alpha\nbeta\n" }

/** One process that runs the script; records the arguments of the last call of each tool. */
async function life(where: Place, script: StartOptions["script"], options: StartOptions = {}) {
  const running = await start(where, { ...options, ...(script && { script }) })
  await running.session.prompt("go on")
  const messages = running.entries().flatMap((entry) => (entry.type === "message" ? [entry.message] : []))
  const reported = messages.filter(({ role }) => role === "tool").map((message) => textOf(message))
  return { ...running, told: reported }
}

async function textIn({ host }: Place): Promise<string> {
  return Buffer.from(await host.readRange("/work/a.txt", 0)).toString()
}

test("a file that the session has not seen is not replaced at the first attempt", async () => {
  const where = place({ files })
  const { told: reported } = await life(where, [write("a.txt", "x"), write("a.txt", "x"), done])
  assert.match(
    reported[0] ?? "",
    /^Not written: a\.txt exists \(2 lines, changed .* ago\) and this session has not looked/,
  )
  assert.match(reported[1] ?? "", /^Successfully wrote 1 bytes/)
  assert.equal(await textIn(where), "x")
})

test("what one process read the next one may write, also when the reading lies before a compaction", async () => {
  const where = place({ files })
  const first = await life(where, [read("a.txt"), done])
  const { leaf } = first.tape
  first.tape.handoff("compaction", {
    entries: [{ type: "compaction", summary: "it was read", firstKeptEntryId: leaf ?? "", tokensBefore: 9 }],
  })
  first.tape.close()
  const { told: reported } = await life(where, [write("a.txt", "x"), done])
  assert.match(reported[0] ?? "", /^Successfully/)
})

test("a refusal is not remembered by the next process", async () => {
  const where = place({ files })
  const first = await life(where, [write("a.txt", "x"), done])
  first.tape.close()
  const { told: reported } = await life(where, [write("a.txt", "x"), done])
  assert.match(reported[0] ?? "", /^Not written/)
  assert.equal(await textIn(where), "alpha\nbeta\n")
})

test("a file that someone else changed after it was read is not replaced", async () => {
  const where = place({ files })
  const first = await life(where, [read("a.txt"), done])
  first.tape.close()
  await where.host.replaceFile("/work/a.txt", Buffer.from("theirs"))
  const { told: reported } = await life(where, [
    write("a.txt", "x"),
    write("a.txt", "x"),
    read("a.txt"),
    write("a.txt", "x"),
    done,
  ])
  assert.match(reported[0] ?? "", /^Not written: a\.txt changed on disk .* ago, after it was read/)
  assert.match(reported[1] ?? "", /^Not written/)
  assert.match(reported[3] ?? "", /^Successfully/)
})

test("a file that came with the message counts as seen", async () => {
  const where = place({ files })
  const stat = await where.host.stat("/work/a.txt")
  assert.ok(stat)
  const running = await start(where, { script: [write("a.txt", "x"), done] })
  const seen = [{ path: "/work/a.txt", size: stat.size, mtimeMs: stat.mtimeMs }]
  await running.session.prompt("rewrite @a.txt", { seen })
  assert.equal(await textIn(where), "x")
})

test("a file that a command of the session created or changed counts as seen", async () => {
  const where: Place = place({
    files,
    exec: async () => {
      await where.host.replaceFile("/work/a.txt", Buffer.from("made"))
      return { code: 0, signal: null }
    },
  })
  const bash = { calls: [{ name: "bash", arguments: { command: "make a.txt" } }] }
  const { told: reported } = await life(where, [bash, write("a.txt", "x"), done])
  assert.match(reported[1] ?? "", /^Successfully/)
})

test("with the guard off everything is written", async () => {
  const where = place({ files })
  const { told: reported } = await life(where, [write("a.txt", "x"), done], { writeGuard: false })
  assert.match(reported[0] ?? "", /^Successfully/)
})
