#!/usr/bin/env node
// Plain JavaScript for any Node: answers --version before any import, finds a Node that can run Gong, then loads it.
"use strict"

const version = "0.1.0"
const needed = [24, 15]

function main() {
  const args = process.argv.slice(2)
  if (args.length === 1 && (args[0] === "--version" || args[0] === "-v")) {
    process.stdout.on("error", onWriteError).write("gong " + version + "\n")
    return
  }
  endWithLauncher()
  if (isSupported(process.versions.node)) load(args)
  else runWithCarriedNode(args)
}

// The same message as in the program itself; silent if the reader has closed the pipe.
function onWriteError({ code }) {
  if (code === "EPIPE") process.exit(141)
  process.stderr.write(
    "gong: cannot write to stdout" + (code === "ENOSPC" ? ": the disk is full" : "") + " (" + code + ").\n",
  )
  process.exitCode = 1
}

function isSupported(text) {
  const [major, minor] = text.split(".").map(Number)
  return major > needed[0] || (major === needed[0] && minor >= needed[1])
}

// A launcher killed by SIGKILL forwards no signal, so a program started by an older Node checks that its parent is alive.
function endWithLauncher() {
  const launcher = Number(process.env.GONG_LAUNCHER)
  delete process.env.GONG_LAUNCHER
  if (launcher !== process.ppid) return
  const timer = setInterval(() => {
    if (process.ppid === launcher) return
    clearInterval(timer)
    process.kill(process.pid, "SIGTERM")
  }, 1000)
  timer.unref()
}

// A checkout runs its sources; a package, or GONG_DIST=1, the bundle.
function load(args) {
  const { existsSync } = require("node:fs")
  const given = require("node:module").getCompileCacheDir()
  if (given && !isTrustedCache(given)) {
    // Node has opened this cache already and cannot close it.
    delete process.env.NODE_COMPILE_CACHE
    return spawnNode(process.execPath, [...process.execArgv, __filename, ...args])
  }
  const { join } = require("node:path")
  const source = join(__dirname, "..", "src", "main.ts")
  if (process.env.GONG_DIST !== "1" && existsSync(source)) {
    const { pathToFileURL } = require("node:url")
    import(pathToFileURL(source).href).then((gong) => gong.main(version)).catch(fail)
    return
  }
  const cache = given || codeCache()
  if (cache) require("node:module").enableCompileCache(cache)
  const bundle = () => require(join(__dirname, "..", "dist", "main.cjs"))
  try {
    ;(cache ? withWholeCode(bundle) : bundle()).main(version).catch(fail)
  } catch (error) {
    fail(error)
  }
}

// Like homeFolder in packages/config/src/home.ts; null for a relative path, which could lead into the repository.
function gongHome() {
  const { isAbsolute, join } = require("node:path")
  const set = process.env.GONG_HOME || "~/.gong"
  if (set === "~" || set.startsWith("~/")) return join(require("node:os").homedir(), set.slice(1))
  return isAbsolute(set) ? set : null
}

// Cached code runs without a check, so only the user may be able to write to its folder (privateFolder in
// packages/config/src/private-folder.ts). Null: nothing is cached. A missing home is not created for it.
function codeCache() {
  const { lstatSync, mkdirSync, statSync } = require("node:fs")
  const { join } = require("node:path")
  try {
    let folder = gongHome()
    if (folder === null || !isPrivate(statSync(folder))) return null
    for (const name of ["cache", "code"]) {
      folder = join(folder, name)
      if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) mkdirSync(folder, { mode: 0o700 })
      if (!isPrivate(lstatSync(folder))) return null
    }
    return folder
  } catch {
    return null
  }
}

function isPrivate(stat) {
  if (!stat.isDirectory()) return false
  return process.geteuid === undefined || (stat.uid === process.geteuid() && (stat.mode & 0o022) === 0)
}

// Whether a cache named by the environment is safe: commands of a session can write to the temporary folder and the workspace.
function isTrustedCache(cache) {
  const { realpathSync, statSync } = require("node:fs")
  const { dirname, sep } = require("node:path")
  try {
    const path = realpathSync(cache)
    const reachable = [workspaceOf(), realpathSync(require("node:os").tmpdir())].filter((folder) => folder !== null)
    if (reachable.some((folder) => (path + sep).startsWith(folder + sep))) return false
    return isPrivate(statSync(path)) && isPrivate(statSync(dirname(path)))
  } catch {
    return false
  }
}

// Null if the folder no longer exists.
function workspaceOf() {
  const { existsSync, realpathSync } = require("node:fs")
  const { dirname, join } = require("node:path")
  let start
  try {
    start = realpathSync(process.cwd())
  } catch {
    return null
  }
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, ".git"))) return folder
  return start
}

// The compile cache stores what was compiled during a load. V8 compiles functions at their first call, so without this
// each start would parse them again (docs/decisions/whole-code-in-the-cache.md).
function withWholeCode(work) {
  const { setFlagsFromString } = require("node:v8")
  setFlagsFromString("--no-lazy")
  try {
    return work()
  } finally {
    setFlagsFromString("--lazy")
  }
}

function fail(error) {
  const missing = error && (error.code === "ERR_MODULE_NOT_FOUND" || error.code === "MODULE_NOT_FOUND")
  const what = missing
    ? "a file of this installation is missing; run npm ci (and npm run build with GONG_DIST=1)"
    : "could not start"
  process.stderr.write("gong: " + what + " (" + String(error && error.message).split("\n")[0] + ")\n")
  if (process.env.GONG_DEBUG) process.stderr.write(String(error && error.stack) + "\n")
  process.exitCode = 1
}

// Searches upward from this file, never from the working directory: a repository must not choose the Node that runs.
function runWithCarriedNode(args) {
  const { existsSync } = require("node:fs")
  const { dirname, join } = require("node:path")
  const name = process.platform === "win32" ? "node.exe" : "node"
  for (let folder = dirname(__filename); ; folder = dirname(folder)) {
    const platform = process.platform === "win32" ? "win" : process.platform
    const carried = join(folder, "node_modules", "node-" + platform + "-" + process.arch, "bin", name)
    if (existsSync(carried)) return spawnNode(carried, [__filename, ...args])
    if (folder === dirname(folder)) break
  }
  process.stderr.write(
    "gong: needs Node " +
      needed.join(".") +
      " or newer; this is " +
      process.versions.node +
      ". Install it, or run npm ci in a checkout.\n",
  )
  process.exitCode = 2
}

function spawnNode(node, args) {
  const { spawn } = require("node:child_process")
  const env = { ...process.env, GONG_LAUNCHER: String(process.pid) }
  const child = spawn(node, args, { stdio: "inherit", env })
  // Ctrl+C and timeout(1) reach the child too; it treats two signals at once as one.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
  child.on("error", fail)
  const terminal = require("node:tty").isatty(0)
  child.on("exit", (code, signal) => {
    // An older Node crashes while it restores the settings of a closed terminal; the signal ends it before that.
    if (terminal && code === 129) {
      process.removeAllListeners("SIGHUP")
      process.kill(process.pid, "SIGHUP")
    }
    if (signal) process.exitCode = 128 + require("node:os").constants.signals[signal]
    else process.exitCode = code
  })
}

main()
