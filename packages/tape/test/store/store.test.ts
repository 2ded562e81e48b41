import assert from "node:assert/strict"
import { test } from "node:test"
import { englishOf, type EntryBody, FailureError } from "@gong/spec"
import type { AppendEntry } from "../../src/index.ts"
import { createStore, listTapes, openStore } from "../../src/store/file.ts"
import { disks, input, newTape, putFile, reopen, reply, result, testPorts, user } from "../world.ts"

const bodies: readonly { row: string; body: AppendEntry }[] = [
  { row: "SESSION-3", body: user("hello") },
  { row: "SESSION-3", body: reply("hi", ["c1"]) },
  { row: "SESSION-3", body: result("c1", { lines: 3 }, [{ path: "/a", change: "modified", added: 1, removed: 2 }]) },
  { row: "SESSION-4", body: { type: "thinking_level_change", thinkingLevel: "high" } },
  { row: "SESSION-5", body: { type: "model_change", provider: "acme", modelId: "m2" } },
  { row: "SESSION-6", body: { type: "compaction", summary: "s", firstKeptEntryId: "a00000000001", tokensBefore: 9 } },
  { row: "SESSION-7", body: { type: "branch_summary", fromId: "a00000000001", summary: "left" } },
  { row: "SESSION-8", body: { type: "custom", customType: "x", data: { any: [1, null, "z"] } } },
  {
    row: "SESSION-9",
    body: { type: "custom_message", customType: "x", content: [{ type: "text", text: "t" }], display: true },
  },
  { row: "SESSION-10", body: { type: "label", targetId: "a00000000001", label: "here" } },
  { row: "SESSION-11", body: { type: "session_info", name: "my session" } },
  { row: "", body: input("do it") },
  { row: "", body: { type: "input_drop", inputId: "a00000000001", reason: "no" } },
  { row: "", body: { type: "tool_start", callId: "c1", name: "bash", title: "ls" } },
  { row: "", body: { type: "run_end", status: "done", turns: 2 } },
  { row: "", body: { type: "change", callId: "c1", path: "/a", before: null, after: null } },
  { row: "", body: { type: "prompt", artifact: "sha256-00" } },
]

for (const { name, use } of disks) {
  for (const { row, body } of bodies) {
    test(`${row === "" ? "" : `[${row}] `}${name}: ${body.type} is stored and reloaded`, () => {
      return use((disk, sessions) => {
        const ports = testPorts(disk)
        const tape = newTape(ports, sessions)
        const [entry] = tape.append([body], { sync: true })
        tape.close()
        const again = reopen(ports, `${sessions}/s1`)
        assert.deepEqual(again.entriesOfBranch().at(-1), entry)
        assert.deepEqual(again.store.damage, [])
        again.close()
      })
    })
  }

  test(`[SESSION-2] ${name}: each entry has an id and its parent is the entry before it; the first is the session's start`, () => {
    return use((disk, sessions) => {
      const ports = testPorts(disk)
      const tape = newTape(ports, sessions)
      tape.append([input("a"), user("a")], { sync: true })
      tape.append([reply("b")], { sync: false })
      tape.close()
      const heads = reopen(ports, `${sessions}/s1`).store.heads()
      assert.deepEqual(
        heads.map((head) => head.type),
        ["anchor", "input", "message", "message"],
      )
      heads.forEach((head, at) => assert.equal(head.parentId, heads[at - 1]?.id ?? null))
    })
  })

  test(`[TAPE-S.01] ${name}: a tape is a folder with tape.json and one folder of lines per phase`, () => {
    return use((disk, sessions) => {
      const ports = testPorts(disk)
      const tape = newTape(ports, sessions)
      tape.append([user("a")], { sync: true })
      tape.handoff("compaction", { entries: [user("b")] })
      tape.handoff("../no way/")
      tape.append([user("c")], { sync: true })
      tape.close()
      const path = `${sessions}/s1`
      assert.deepEqual([...disk.list(path)].sort(), ["anchors", "tape.json"])
      assert.deepEqual([...disk.list(`${path}/anchors`)].sort(), [
        "001_session-start",
        "002_compaction",
        "003_..-no-way-",
      ])
      const again = openStore(ports, { path })
      assert.deepEqual(again.anchors(), [
        { seq: 1, name: "session-start", first: 0 },
        { seq: 2, name: "compaction", first: 2 },
        { seq: 3, name: "..-no-way-", first: 4 },
      ])
      assert.deepEqual(
        again.heads().map((head) => head.type),
        ["anchor", "message", "anchor", "message", "anchor", "message"],
      )
    })
  })

  test(`${name}: an unknown entry type is kept, chained and handed out`, () => {
    return use((disk, sessions) => {
      const ports = testPorts(disk)
      const tape = newTape(ports, sessions)
      const strange = { type: "telepathy", thought: "hm" } as unknown as AppendEntry
      const [entry] = tape.append([strange, user("next")], { sync: true })
      tape.close()
      const again = reopen(ports, `${sessions}/s1`)
      assert.deepEqual(again.entry(entry?.id ?? ""), entry)
      assert.equal(again.branch.length, 3)
    })
  })

  test(`${name}: an entry is the same frozen object while it is referenced`, () => {
    return use((disk, sessions) => {
      const ports = testPorts(disk)
      const tape = newTape(ports, sessions)
      const [entry] = tape.append([user("a")], { sync: true })
      assert.equal(tape.entry(entry?.id ?? ""), entry)
      tape.close()
      const again = reopen(ports, `${sessions}/s1`)
      const read = again.entry(entry?.id ?? "")
      assert.equal(again.entriesOfBranch()[1], read)
      assert.equal(Object.isFrozen((read as EntryBody & { type: "message" }).message.content), true)
    })
  })

  test(`${name}: images and details over 64 KB lie in artifacts and come back whole`, () => {
    return use((disk, sessions) => {
      const ports = testPorts(disk)
      const tape = newTape(ports, sessions)
      const image = { type: "image" as const, mimeType: "image/png", data: Buffer.from("pixels").toString("base64") }
      const [shot, big] = tape.append(
        [
          { type: "message", message: { role: "user", content: [{ type: "text", text: "see" }, image] } },
          result("c1", { diff: "x".repeat(70_000) }),
          { ...input("look"), images: [image] },
        ],
        { sync: true },
      )
      const path = `${sessions}/s1`
      assert.ok((disk.stat(`${path}/anchors/001_session-start/entries.jsonl`)?.size ?? 0) < 3000)
      assert.equal(disk.list(`${path}/artifacts`).length, 2)
      tape.close()
      const again = reopen(ports, path)
      assert.deepEqual(again.entry(shot?.id ?? ""), shot)
      assert.deepEqual(again.entry(big?.id ?? ""), big)
      assert.deepEqual(again.entriesOfBranch().at(-1), { ...tape.entry(again.leaf ?? ""), images: [image] })
      for (const artifact of disk.list(`${path}/artifacts`)) disk.unlink(`${path}/artifacts/${artifact}`)
      const without = openStore(ports, { path, readOnly: true })
      assert.match(JSON.stringify(without.entry(1)), /image is missing: sha256-/)
    })
  })

  test(`${name}: artifacts are named by content, and nothing else can be read through them`, () => {
    return use(async (disk, sessions) => {
      const tape = newTape(testPorts(disk), sessions)
      const { artifacts } = tape.store
      const bytes = new TextEncoder().encode("before")
      const artifact = await artifacts.put(bytes)
      assert.equal(await artifacts.put(bytes, { sync: true }), artifact)
      assert.match(artifact, /^sha256-[0-9a-f]{64}$/)
      assert.deepEqual(Buffer.from((await artifacts.get(artifact)) ?? []).toString(), "before")
      assert.equal(await artifacts.get("../tape.json"), null)
      assert.equal(await artifacts.spillPath("gong-bash-c1.log"), `${sessions}/s1/artifacts/gong-bash-c1.log`)
      tape.close()
    })
  })

  test(`${name}: tapes are listed newest first; other folders are not tapes`, () => {
    return use((disk, sessions) => {
      const ports = testPorts(disk)
      newTape(ports, sessions, "one").close()
      newTape(ports, sessions, "two").close()
      disk.mkdir(`${sessions}/not-a-tape`)
      disk.mkdir(`${sessions}/broken`)
      putFile(disk, `${sessions}/broken/tape.json`, Buffer.from("{"))
      const listed = listTapes(disk, sessions)
      assert.deepEqual(listed.map((tape) => tape.id).sort(), ["one", "two"])
      assert.ok((listed[0]?.modified ?? 0) >= (listed[1]?.modified ?? 0))
      assert.equal(listed[0]?.info.workspace, "/w")
      assert.deepEqual(listTapes(disk, `${sessions}/nowhere`), [])
    })
  })

  test(`${name}: an existing session is not created again, a missing one is not opened`, () => {
    return use((disk, sessions) => {
      const ports = testPorts(disk)
      newTape(ports, sessions).close()
      const make = (id: string) => () => createStore(ports, { sessions, id, cwd: "/", workspace: "/" })
      assert.throws(make("s1"), (error) => error instanceof FailureError && /is there already/.test(error.message))
      assert.throws(make("../s2"), /cannot be a session id/)
      assert.throws(() => openStore(ports, { path: `${sessions}/s9` }), /No session at/)
    })
  })

  test(`${name}: a newer format opens read-only`, () => {
    return use((disk, sessions) => {
      const ports = testPorts(disk)
      newTape(ports, sessions).close()
      const info = { format: 2, id: "s1", cwd: "/w", workspace: "/w", created: "x" }
      putFile(disk, `${sessions}/s1/tape.json`, Buffer.from(JSON.stringify(info)))
      const tape = reopen(ports, `${sessions}/s1`)
      assert.match(englishOf(tape.store.readOnly ?? ""), /newer gong \(format 2\)/)
      assert.throws(() => tape.append([user("a")], { sync: true }), /newer gong/)
      assert.equal(tape.branch.length, 1)
    })
  })
}
