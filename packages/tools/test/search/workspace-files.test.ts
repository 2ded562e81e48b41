import assert from "node:assert/strict"
import { test } from "node:test"
import { createMemoryHost } from "@gong/tools/host/memory"
import { workspaceFiles } from "@gong/tools/workspace-files"
import { manualClock } from "@gong/testing/sim/clock"

const search = (files: readonly string[], signal = new AbortController().signal) =>
  workspaceFiles(
    createMemoryHost({
      files: Object.fromEntries(files.map((path) => [path, path.endsWith("ignore") ? "*.log\n" : ""])),
    }),
    "/work",
    { clock: manualClock(), signal },
  )

test("files and their folders are listed, the shortest first, then by name", async () => {
  assert.deepEqual(await search(["/work/b", "/work/a", "/work/src/deep/x.ts", "/work/src/y.ts", "/other/z"]), {
    paths: ["a", "b", "src/", "src/y.ts", "src/deep/", "src/deep/x.ts"],
    isComplete: true,
  })
})

test("ignored files, and folders without other files, are left out", async () => {
  const { paths } = await search([
    "/work/.gitignore",
    "/work/a.log",
    "/work/logs/b.log",
    "/work/c",
    "/work/.git/config",
  ])
  assert.deepEqual(paths, ["c", ".gitignore"])
  assert.deepEqual((await search(["/work/node_modules/a", "/work/c"])).paths, ["c"])
})

test("an abort rejects", async () => {
  await assert.rejects(search(["/work/a"], AbortSignal.abort()))
})
