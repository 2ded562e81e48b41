import { englishOf } from "@gong/spec"
import assert from "node:assert/strict"
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import fc from "fast-check"
import type { ScriptedStep } from "@gong/llm/scripted"
import { createAllTools, builtInDeclarations } from "@gong/tools"
import { createLocalHost } from "@gong/tools/host/local"
import { remake } from "@gong/tools/remake"
import { undo, type UndoDeps } from "../../src/changes/undo.ts"
import { appendTo, place, type Place, start, type StartOptions } from "../world.ts"

const path = "/work/a.txt"
const numbers = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`)
const text = numbers(20).join("")

const write = (content: string) => ({ calls: [{ name: "write", arguments: { path: "a.txt", content } }] })
const edit = (oldText: string, newText: string) => ({
  calls: [{ name: "edit", arguments: { path: "a.txt", edits: [{ oldText, newText }] } }],
})
const command = { calls: [{ name: "bash", arguments: { command: "format" } }] }
const read = { calls: [{ name: "read", arguments: { path: "a.txt" } }] }

async function bytesIn({ host }: Place): Promise<Buffer | null> {
  return (await host.stat(path)) ? Buffer.from(await host.readRange(path, 0)) : null
}

/** An external change of the file between two runs; an empty change would prove nothing. */
async function theyReplace(where: Place, old: string, text: string): Promise<void> {
  const now = (await bytesIn(where))?.toString("latin1") ?? ""
  assert.ok(now.includes(old), old)
  await where.host.replaceFile(path, Buffer.from(now.replace(old, text), "latin1"))
}

interface Life {
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** The change made by the session's command; null: it removes the file. */
  readonly format?: (now: string) => string | null
  readonly remake?: UndoDeps["remake"]
}

/** A session whose runs and other people's changes alternate; then it is undone. */
async function lived(
  { files = { [path]: text }, format, remake: again = remake }: Life,
  ...acts: readonly (ScriptedStep[] | ((where: Place) => Promise<void>))[]
) {
  const where: Place = place({
    files,
    exec: async () => {
      const next = format?.((await bytesIn(where))?.toString() ?? "")
      if (next === null) await where.host.remove(path)
      else if (next !== undefined) await where.host.replaceFile(path, Buffer.from(next))
      return { code: 0, signal: null }
    },
  })
  const script = acts.flatMap((act) => (typeof act === "function" ? [] : [...act, { text: "done" }]))
  const { session, tape } = await start(where, { writeGuard: false, script } satisfies StartOptions)
  for (const act of acts) {
    await (typeof act === "function" ? act(where) : session.prompt("go on"))
    await where.clock.advance(1000)
  }
  const undone = await undo({
    tape,
    append: appendTo(tape),
    host: where.host,
    declared: builtInDeclarations,
    remake: again,
  })
  const { restored, merged, kept } = undone
  const [how = "nothing"] = [
    restored[0] && "restored",
    merged[0] && "merged",
    kept[0] && englishOf(kept[0].reason),
  ].filter(Boolean)
  return { how, now: await bytesIn(where) }
}

test("what others changed elsewhere in the file stays, the session's edits go", async () => {
  const { how, now } = await lived({}, [edit("line 3\n", "LINE 3\n"), edit("line 4\n", "")], (where) =>
    theyReplace(where, "line 12\n", "line 12 of theirs\nand one more\n"),
  )
  assert.equal(how, "merged")
  assert.equal(now?.toString(), text.replace("line 12\n", "line 12 of theirs\nand one more\n"))
})

test("a file whose content after the session's change is not known any more is left alone", async () => {
  const theirs = text.replace("line 3\n", "LINE 3\n").replace("line 12\n", "theirs\n")
  for (const again of [async () => Buffer.from("another content"), async () => null]) {
    const { how, now } = await lived({ remake: again }, [edit("line 3\n", "LINE 3\n")], (where) =>
      theyReplace(where, "line 12\n", "theirs\n"),
    )
    assert.deepEqual([how, now?.toString()], ["it was changed by someone else since", theirs])
  }
})

test("the same for a whole new text", async () => {
  const { how, now } = await lived({}, [write(text.replace("line 3\n", "LINE 3\n"))], (where) =>
    theyReplace(where, "line 12\n", ""),
  )
  assert.deepEqual([how, now?.toString()], ["merged", text.replace("line 12\n", "")])
})

test("on conflicting external changes the file is left alone and the lines are named", async () => {
  const { how, now } = await lived(
    {},
    [edit("line 3\n", "LINE 3\n"), edit("line 12\n", "LINE 12\n")],
    async (where) => {
      await theyReplace(where, "LINE 3\n", "three\nof theirs\n")
      await theyReplace(where, "line 8\n", "line eight\n")
      await theyReplace(where, "LINE 12\n", "twelve\n")
    },
  )
  assert.equal(how, "it was changed by someone else since, where the session had changed it: lines 3-4, line 13")
  assert.match(now?.toString() ?? "", /three\nof theirs\n[^]*line eight\n[^]*twelve/)
})

test("at most ten places of a conflict are named, and the others are counted", async () => {
  const conflictsAt = async (count: number) => {
    const places = Array.from({ length: count }, (_, at) => 3 * at + 1)
    const long = numbers(60).join("")
    const edits = places.map((line) => edit(`line ${line}\n`, `LINE ${line}\n`))
    const { how } = await lived({ files: { [path]: long } }, edits, async (where) => {
      for (const line of places) await theyReplace(where, `LINE ${line}\n`, `theirs ${line}\n`)
    })
    return how
  }
  const ten = "line 1, line 4, line 7, line 10, line 13, line 16, line 19, line 22, line 25, line 28"
  const head = "it was changed by someone else since, where the session had changed it: "
  assert.equal(await conflictsAt(10), head + ten)
  assert.equal(await conflictsAt(12), `${head}${ten} and 2 more places`)
})

test("a conflict with deleted lines is reported by the line before", async () => {
  const { how } = await lived({}, [edit("line 3\n", "LINE 3\n")], (where) => theyReplace(where, "LINE 3\n", ""))
  assert.match(how, /changed by someone else since, where .*: behind line 2$/)
})

test("the same change by someone else is no conflict", async () => {
  const { how, now } = await lived({}, [edit("line 3\n", "LINE 3\n"), edit("line 9\n", "LINE 9\n")], (where) =>
    theyReplace(where, "LINE 3\n", "line 3\n"),
  )
  assert.deepEqual([how, now?.toString()], ["merged", text])
})

test("bytes that are no UTF-8 come back as they were, around and inside of what changed", async () => {
  const bytes = Buffer.from(
    numbers(20)
      .map((line) => `caf\xe9 ${line}`)
      .join("")
      .replaceAll("5\n", "5\r\n"),
    "latin1",
  )
  const { how, now } = await lived({ files: { [path]: bytes } }, [edit("line 3\n", "LINE 3\n")], (where) =>
    theyReplace(where, "\xe9 line 15\r\n", "\xff theirs\r"),
  )
  assert.equal(how, "merged")
  assert.equal(now?.toString("latin1"), bytes.toString("latin1").replace("\xe9 line 15\r\n", "\xff theirs\r"))
})

test("what they changed between two changes of the session stays", async () => {
  const { how, now } = await lived(
    {},
    [edit("line 3\n", "LINE 3\n")],
    (where) => theyReplace(where, "line 12\n", "theirs\n"),
    [read, edit("line 18\n", "LINE 18\n")],
  )
  assert.deepEqual([how, now?.toString()], ["merged", text.replace("line 12\n", "theirs\n")])
})

test("a change of the session's command to the file is undone with the session's changes", async () => {
  const format = (now: string) => now.replaceAll("line", "  line")
  const between = await lived({ format }, [edit("line 3\n", "LINE 3\n"), command, edit("line 9\n", "LINE 9\n")])
  assert.deepEqual([between.how, between.now?.toString()], ["restored", text])
  const after = await lived({ format }, [edit("line 3\n", "LINE 3\n"), command])
  assert.deepEqual([after.how, after.now?.toString()], ["restored", text])
  const removed = await lived({ format: () => null }, [edit("line 3\n", "LINE 3\n"), command])
  assert.deepEqual([removed.how, removed.now?.toString()], ["restored", text])
})

test("a change after the last command counts as made by someone else", async () => {
  const { how, now } = await lived({}, [edit("line 3\n", "LINE 3\n"), command], (where) =>
    theyReplace(where, "line 12\n", "theirs\n"),
  )
  assert.deepEqual([how, now?.toString()], ["merged", text.replace("line 12\n", "theirs\n")])
})

test("a file created by the session and changed by others is left alone; so is a binary file changed by others", async () => {
  const made = await lived({ files: {} }, [write("one\n")], (where) => theyReplace(where, "one", "two"))
  assert.deepEqual(
    [made.how, made.now?.toString()],
    ["the session made it, and it was changed by someone else since", "two\n"],
  )
  const binary = await lived({ files: { [path]: Buffer.from([0, 1, 2, 255]) } }, [write("one\n")], (where) =>
    theyReplace(where, "one", "two"),
  )
  assert.equal(binary.how, "it is binary and was changed by someone else since")
  const whole = await lived({ files: { [path]: Buffer.from([0, 1, 2, 255]) } }, [write("one\n")])
  assert.deepEqual([whole.how, whole.now], ["restored", Buffer.from([0, 1, 2, 255])])
})

test("any changes that do not touch: undo leaves exactly theirs", async () => {
  const line = fc.string({ unit: fc.constantFrom("a", "b", " ", "\xe9", "\r"), maxLength: 6 })
  const arbitrary = fc.record({
    lines: fc.array(line, { minLength: 8, maxLength: 40 }),
    ours: fc.nat(),
    theirs: fc.nat(),
    added: line,
  })
  await fc.assert(
    fc.asyncProperty(arbitrary, async ({ lines, ours, theirs, added }) => {
      const own = ours % lines.length
      const their = (own + 2 + (theirs % Math.max(1, lines.length - 3))) % lines.length
      fc.pre(Math.abs(own - their) >= 2)
      // Numbered, so that one way only leads from one text to the other.
      const all = lines.map((one, at) => `<${at}>${one}\n`)
      const before = all.join("")
      const expected = all.with(their, `theirs ${added}\n`).join("")
      const { how, now } = await lived(
        { files: { [path]: Buffer.from(before, "latin1") } },
        [edit(`<${own}>`, "<ours>")],
        (where) => theyReplace(where, all[their] ?? "", `theirs ${added}\n`),
      )
      assert.deepEqual([how, now?.toString("latin1")], ["merged", expected])
    }),
    { numRuns: 60 },
  )
})

test("on a real disk: bytes and modes are restored, created files are removed, created folders stay", async (t) => {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "gong-undo-")))
  t.after(() => rmSync(cwd, { recursive: true, force: true }))
  mkdirSync(join(cwd, "bin"))
  writeFileSync(join(cwd, "bin/run"), Buffer.from([255, 254, 0, 10]))
  chmodSync(join(cwd, "bin/run"), 0o751)
  const host = createLocalHost({ cwd })
  const tools = createAllTools(cwd, { host })
  const call = (path: string) => ({ calls: [{ name: "write", arguments: { path, content: "new\n" } }] })
  const script = [call("bin/run"), call("made/deep/a.txt"), { text: "done" }]
  const { session, tape } = await start(place(), { writeGuard: false, script, tools: () => [tools.write] })
  await session.prompt("go on")
  assert.equal(readFileSync(join(cwd, "made/deep/a.txt"), "utf8"), "new\n")
  const { restored } = await undo({ tape, append: appendTo(tape), host, declared: builtInDeclarations, remake })
  assert.deepEqual(restored, [join(cwd, "bin/run"), join(cwd, "made/deep/a.txt")])
  assert.deepEqual(readFileSync(join(cwd, "bin/run")), Buffer.from([255, 254, 0, 10]))
  assert.equal(statSync(join(cwd, "bin/run")).mode & 0o777, 0o751)
  assert.equal(statSync(join(cwd, "made/deep")).isDirectory(), true)
  assert.equal(statSync(join(cwd, "made/deep/a.txt"), { throwIfNoEntry: false }), undefined)
})
