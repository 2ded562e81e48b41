import assert from "node:assert/strict"
import { mkdirSync, symlinkSync } from "node:fs"
import { test } from "node:test"
import { checkArguments } from "@gong/spec"
import { createMemoryHost } from "../../src/host/memory.ts"
import { createLsTool, type LsOptions } from "../../src/index.ts"
import { abortedContext, context, place, messages, type TestPlace } from "../workspace.ts"

async function ls(here: TestPlace, args: { path?: string; limit?: number } = {}, options: LsOptions = {}) {
  const result = await createLsTool(here.cwd, options).execute("c", args, context())
  return { result, text: messages(result) }
}

test("[LS-1.1] [LS-G.1] dotfiles and dot directories", async (t) => {
  const here = place(t)
  here.put(".hidden-file", "")
  mkdirSync(here.at(".hidden-dir"))
  assert.equal((await ls(here)).text, ".hidden-dir/\n.hidden-file")
})

test("[LS-1.2] [LS-P.4] an empty directory", async (t) => {
  const { result, text } = await ls(place(t))
  assert.equal(text, "(empty directory)")
  assert.equal(result.details?.entry_count, 0)
})

test("[LS-1.3] [LS-S.05] [LS-S.01] alphabetical order, ignoring case", async (t) => {
  const here = place(t)
  for (const name of ["Zebra.txt", "apple.txt", "Banana.txt"]) here.put(name, "")
  mkdirSync(here.at("middle"))
  assert.equal((await ls(here)).text, "apple.txt\nBanana.txt\nmiddle/\nZebra.txt")
})

test("[LS-P.2] directories first, on request", async (t) => {
  const here = place(t)
  here.put("a.txt", "")
  mkdirSync(here.at("z"))
  assert.equal((await ls(here, {}, { sort: "dirs-first" })).text, "z/\na.txt")
})

test("[LS-2.1] a file is not a directory", async (t) => {
  const here = place(t)
  here.put("a.txt", "")
  const { result, text } = await ls(here, { path: "a.txt" })
  assert.equal(result.isError, true)
  assert.match(text, /Not a directory/)
})

test("[LS-2.2] a missing path", async (t) => {
  const { result, text } = await ls(place(t), { path: "nix" })
  assert.equal(result.isError, true)
  assert.match(text, /Path not found/)
})

test("[LS-2.3] [LS-P.3] 500 of 1100 entries, and the number of the others", async (t) => {
  const here = place(t)
  for (let at = 0; at < 1100; at++) here.put(`f${at}`, "")
  const { result, text } = await ls(here)
  assert.equal(result.details?.entry_count, 500)
  assert.match(text, /^(f\d+\n){500}\n\[500 entries limit reached, 600 more\. Use limit=1000 for more\]$/)
})

test("[LS-3.1] a path of the wrong type fails the schema", async () => {
  assert.equal((await checkArguments(createLsTool("/").parameters, { path: 42 })).ok, false)
})

test("[LS-P.1] name, size and type of each entry in the details", async (t) => {
  const here = place(t)
  here.put("a.txt", "12345")
  mkdirSync(here.at("d"))
  symlinkSync("a.txt", here.at("l"))
  const { result } = await ls(here)
  assert.deepEqual(result.details?.entries, [
    { name: "a.txt", type: "file", size: 5 },
    { name: "d/", type: "directory", size: 0 },
    { name: "l", type: "symlink", size: 5 },
  ])
})

test("[LS-S.02] a dangling link is skipped", async (t) => {
  const here = place(t)
  here.put("a.txt", "")
  symlinkSync("nowhere", here.at("broken"))
  assert.equal((await ls(here)).text, "a.txt")
})

test("[LS-S.03] one level only", async (t) => {
  const here = place(t)
  here.put("d/inner.txt", "")
  assert.equal((await ls(here)).text, "d/")
})

test("[LS-S.04] [TRUNC-S.10] the list is truncated by bytes only", async (t) => {
  const here = place(t)
  for (let at = 0; at < 300; at++) here.put(String(at).padStart(200, "x"), "")
  assert.match((await ls(here)).text, /^x+100\nx+101\n.*50\.0KB limit reached\]$/s)
  const files = Object.fromEntries(Array.from({ length: 2500 }, (_, at) => [`/w/${at}`, ""]))
  const host = createMemoryHost({ cwd: "/w", files })
  const short = await createLsTool("/w", { host }).execute("c", { limit: 3000 }, context())
  assert.equal(messages(short).split("\n").length, 2500)
})

test("[LS-S.06] limit 10 of 50", async (t) => {
  const here = place(t)
  for (let at = 0; at < 50; at++) here.put(`f${at}`, "")
  const { result, text } = await ls(here, { limit: 10 })
  assert.equal(result.details?.entry_count, 10)
  assert.match(text, /^(f\d+\n){10}\n\[10 entries limit reached, 40 more/)
})

test("[LS-S.07] an abort lists nothing", async (t) => {
  const result = await createLsTool(place(t).cwd).execute("c", {}, abortedContext())
  assert.deepEqual([result.isError, messages(result)], [true, "Operation aborted"])
})
