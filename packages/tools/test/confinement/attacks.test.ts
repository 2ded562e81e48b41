import assert from "node:assert/strict"
import { linkSync, mkdirSync, openSync, closeSync, renameSync, symlinkSync, writeFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import type { Host } from "@gong/spec"
import { attacks } from "@gong/testing/attacks"
import { createLocalHost } from "../../src/host/local.ts"
import { context, messages } from "../workspace.ts"
import { byPathOnly, changers, fenced, type Fenced, type Roots } from "./place.ts"

/** A setup in which the path alone leads out of the workspace, and the path to pass. */
interface Way {
  readonly name: string
  /** Only on this platform. */
  readonly on?: NodeJS.Platform
  make(here: Fenced, after: (work: () => void) => void): string
}

/** In the same order as `changers`. */
const tools = ["write", "edit"]

const ways: readonly Way[] = [
  { name: "..", make: () => "../outside/file.txt" },
  { name: ".. behind a folder", make: () => "a/b/../../../outside/file.txt" },
  { name: ".. behind @", make: () => "@../outside/file.txt" },
  { name: "an absolute path", make: ({ outside }) => join(outside, "file.txt") },
  {
    name: "a folder whose name starts like the workspace's",
    make: ({ work }) => put(`${work}-evil/file.txt`),
  },
  { name: "another case", on: "linux", make: ({ base }) => put(join(base, "WORK/file.txt")) },
  {
    name: "another Unicode form",
    on: "linux",
    make({ work }) {
      put(join(work, "../cafe\u0301/file.txt"))
      symlinkSync("../cafe\u0301", join(work, "caf\u00e9"))
      return "caf\u00e9/file.txt"
    },
  },
  {
    name: "a link to a file",
    make({ work, outside }) {
      symlinkSync(join(outside, "file.txt"), join(work, "link"))
      return "link"
    },
  },
  {
    name: "a chain of links to a folder",
    make({ work, outside }) {
      symlinkSync("second", join(work, "first"))
      symlinkSync("third", join(work, "second"))
      symlinkSync(outside, join(work, "third"))
      return "first/file.txt"
    },
  },
  { name: "/proc/self/root", on: "linux", make: ({ outside }) => `/proc/self/root${outside}/file.txt` },
  {
    name: "/proc/self/cwd",
    on: "linux",
    make: ({ outside }) => `/proc/self/cwd/${upFrom(process.cwd())}${outside}/file.txt`,
  },
  {
    name: "an open folder below /dev/fd",
    on: "linux",
    make({ outside }, after) {
      const fd = openSync(outside, "r")
      after(() => closeSync(fd))
      return `/dev/fd/${fd}/file.txt`
    },
  },
  {
    name: "a hard link",
    make({ work, outside }) {
      linkSync(join(outside, "file.txt"), join(work, "linked.txt"))
      return "linked.txt"
    },
  },
]

function put(path: string): string {
  mkdirSync(join(path, ".."))
  writeFileSync(path, "one\n")
  return path
}

function upFrom(path: string): string {
  return path
    .split("/")
    .map(() => "..")
    .join("/")
}

/** Tools that changed something outside. */
async function escapes(
  t: Parameters<typeof fenced>[0],
  way: Way,
  roots: (here: Fenced) => Roots,
): Promise<readonly string[]> {
  const out: string[] = []
  for (const [at, name] of tools.entries()) {
    const here = fenced(t)
    const path = way.make(here, (work) => t.after(work))
    const before = here.look()
    const changer = changers(here.work, roots(here))[at]
    assert.ok(changer)
    await changer.tool.execute("c", changer.args(path) as never, context())
    if (here.look() !== before) out.push(name)
  }
  return out
}

for (const way of ways) {
  const skip = way.on !== undefined && way.on !== process.platform && `only on ${way.on}`
  attacks(
    `${way.name} leads out of the workspace, and nothing outside is changed`,
    tools,
    (t, guard) => escapes(t, way, ({ work }) => (guard === "on" ? [work] : "anywhere")),
    { skip },
  )
}

test("no files or folders are created outside", async (t) => {
  const here = fenced(t)
  symlinkSync(here.outside, join(here.work, "link"))
  symlinkSync(join(here.outside, "new"), join(here.work, "dangling"))
  const before = here.look()
  const [{ tool, args } = assert.fail()] = changers(here.work, [here.work])
  for (const path of ["../outside/new", "link/new", "link/a/b/new", "dangling", "dangling/new"])
    assert.equal((await tool.execute("c", args(path) as never, context())).isError, true, path)
  assert.equal(here.look(), before)
})

test("a file with several hard links in the workspace is written under all of them", async (t) => {
  for (const at of [0, 1]) {
    const here = fenced(t)
    mkdirSync(join(here.work, "deep/er"), { recursive: true })
    linkSync(join(here.work, "file.txt"), join(here.work, "deep/er/other.txt"))
    const { tool, args } = changers(here.work, [here.work])[at] ?? assert.fail()
    assert.equal((await tool.execute("c", args("file.txt") as never, context())).isError, false)
    assert.equal(readFileSync(join(here.work, "deep/er/other.txt"), "utf8"), "changed\n")
  }
})

/** The moments of a call at which a folder of the workspace is replaced by a link to outside. */
const moments = {
  "the path was judged": (host: Host, swap: () => void): Host => ({
    ...host,
    async realpath(path) {
      const real = await host.realpath(path)
      if (path.endsWith("file.txt")) swap()
      return real
    },
  }),
  "the file was looked at": (host: Host, swap: () => void): Host => ({
    ...host,
    async access(path, mode) {
      await host.access(path, mode)
      if (mode === "write") swap()
    },
  }),
} as const

/** What is replaced, and the target of the link. */
const swaps = {
  folder: ["d", "outside"],
  file: ["d/file.txt", "outside/file.txt"],
} as const

for (const [moment, wrap] of Object.entries(moments)) {
  for (const [what, [inside, outside]] of Object.entries(swaps)) {
    test(`[SAFE-21] a ${what} is replaced by a link when ${moment}: nothing outside is changed or kept (2 attacks with controls)`, async (t) => {
      for (const guarded of [true, false]) {
        for (const at of [0, 1]) {
          const here = fenced(t)
          put(join(here.work, "d/file.txt"))
          writeFileSync(join(here.outside, "file.txt"), "one outside\n")
          const before = here.look()
          let swapped = false
          const swap = () => {
            if (swapped) return
            swapped = true
            renameSync(join(here.work, inside), join(here.work, "aside"))
            symlinkSync(join(here.base, outside), join(here.work, inside))
          }
          const local = createLocalHost({ cwd: here.work })
          const host = wrap(guarded ? local : byPathOnly(local), swap)
          const kept: unknown[] = []
          const record = async (change: unknown) => void kept.push(change)
          const { tool, args } = changers(here.work, [here.work], host)[at] ?? assert.fail()
          const result = await tool.execute("c", args("d/file.txt") as never, context({ record }))
          assert.equal(here.look() !== before, !guarded, messages(result))
          assert.equal(JSON.stringify(kept).includes("one outside"), !guarded, "what lies outside is no before-image")
          if (guarded) assert.match(messages(result), /^ESTALE: .*Look at it again, then repeat\.$/)
        }
      }
    })
  }
}

test("a folder is replaced by a link after the change was recorded: nothing outside is changed (2 attacks with controls)", async (t) => {
  for (const guarded of [true, false]) {
    for (const at of [0, 1]) {
      const here = fenced(t)
      put(join(here.work, "d/file.txt"))
      const before = here.look()
      const local = createLocalHost({ cwd: here.work })
      const host = guarded ? local : byPathOnly(local)
      const record = async () => {
        renameSync(join(here.work, "d"), join(here.work, "aside"))
        symlinkSync(here.outside, join(here.work, "d"))
      }
      const { tool, args } = changers(here.work, [here.work], host)[at] ?? assert.fail()
      await tool.execute("c", args("d/file.txt") as never, context({ record }))
      assert.equal(here.look() !== before, !guarded)
    }
  }
})

test("a parent folder is replaced by a link before folders are created: none is created outside (attack with control)", async (t) => {
  for (const guarded of [true, false]) {
    const here = fenced(t)
    mkdirSync(join(here.work, "d"))
    const before = here.look()
    const local = createLocalHost({ cwd: here.work })
    let asked = 0
    const host: Host = {
      ...(guarded ? local : byPathOnly(local)),
      async stat(path, options) {
        const found = await local.stat(path, options)
        // The path check asks for each missing name; then the tool asks for the file.
        if (path.endsWith("new.txt") && options?.link !== true && ++asked === 1) {
          renameSync(join(here.work, "d"), join(here.work, "aside"))
          symlinkSync(here.outside, join(here.work, "d"))
        }
        return found
      },
    }
    const [{ tool, args } = assert.fail()] = changers(here.work, [here.work], host)
    await tool.execute("c", args("d/a/b/new.txt") as never, context())
    assert.equal(here.look() !== before, !guarded)
  }
})
