import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { createReadTool, createWriteTool } from "../../src/index.ts"
import { context, lines, place, messages } from "../workspace.ts"

const full = join(import.meta.dirname, "..", "fixtures", "full-disk.ts")

/** Runs a script in its own mount namespace, in which `folder` is a file system of this size. */
function onSmallDisk(folder: string, bytes: number, script: string) {
  const disk = ["--dev-bind", "/", "/", "--size", String(bytes), "--tmpfs", folder]
  return spawnSync("bwrap", [...disk, "--", process.execPath, script, folder], { encoding: "utf8", timeout: 60_000 })
}

function cannotMount(): string | false {
  const tried = spawnSync("bwrap", ["--dev-bind", "/", "/", "--size", "65536", "--tmpfs", "/mnt", "--", "true"])
  return tried.status === 0 ? false : "no bubblewrap here that can make a small file system"
}

test("a disk that fills up during a write leaves the old file intact", { skip: cannotMount() }, (t) => {
  const here = place(t)
  mkdirSync(here.at("disk"))
  const run = onSmallDisk(here.at("disk"), 256 * 1024, full)
  assert.equal(run.status, 0, run.stderr)
  const found: unknown = JSON.parse(run.stdout)
  assert.deepEqual(found, {
    isError: true,
    printed: "ENOSPC: a.txt: no space left on the device; nothing was changed. Ask the user to free space.",
    content: "the old text\n",
    names: ["a.txt"],
    after: "Successfully wrote 6 bytes to a.txt",
  })
})

/** A writable folder on NFS, or null. */
function nfsFolder(): string | null {
  const mounts = readFileSync("/proc/self/mounts", "utf8").split("\n")
  const folders = mounts.filter((line) => /^\S+ \S+ nfs4? /.test(line)).map((line) => line.split(" ")[1] ?? "")
  return folders.map((name) => name.replaceAll("\\040", " ")).find(isWritable) ?? null
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const nfs = process.platform === "linux" ? nfsFolder() : null

test("[PATH-4] read and write on NFS", { skip: nfs === null && "no writable NFS mount on this machine" }, async (t) => {
  const cwd = mkdtempSync(join(nfs ?? "/", "gong-nfs-"))
  t.after(() => rmSync(cwd, { recursive: true, force: true }))
  const content = lines(3000)
  const wrote = await createWriteTool(cwd).execute("c", { path: "a/b.txt", content }, context())
  assert.equal(messages(wrote), `Successfully wrote ${content.length} bytes to a/b.txt`)
  const read = await createReadTool(cwd).execute("c", { path: "a/b.txt", offset: 2999 }, context())
  assert.equal(messages(read), "line 2999\nline 3000\n")
})
