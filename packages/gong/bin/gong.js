#!/usr/bin/env node
// Plain JavaScript for any Node: answers --version before any import, finds a Node that can run Gong, then loads it.
"use strict"

const version = "0.1.0"
const needed = [24, 15]

function main() {
  const args = process.argv.slice(2)
  if (args.length === 1 && (args[0] === "--version" || args[0] === "-v")) {
    process.stdout.on("error", unwritten).write("gong " + version + "\n")
    return
  }
  endWithLauncher()
  if (fits(process.versions.node)) load(args)
  else runWithCarriedNode(args)
}

// As the whole program says it: silent where the reader has gone.
function unwritten({ code }) {
  if (code === "EPIPE") process.exit(141)
  process.stderr.write(
    "gong: cannot write to stdout" + (code === "ENOSPC" ? ": the disk is full" : "") + " (" + code + ").\n",
  )
  process.exitCode = 1
}

function fits(text) {
  const [major, minor] = text.split(".").map(Number)
  return major > needed[0] || (major === needed[0] && minor >= needed[1])
}

// Who was killed outright passes nothing on: one that an older Node has started looks whether that is still there.
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
  if (given && !mayBeBelieved(given)) {
    // Node has opened this cache and has no way to close it.
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

// As homeFolder in src/config/home.ts; null for a relative one, which can have come with the repository.
function gongHome() {
  const { isAbsolute, join } = require("node:path")
  const set = process.env.GONG_HOME || "~/.gong"
  if (set === "~" || set.startsWith("~/")) return join(require("node:os").homedir(), set.slice(1))
  return isAbsolute(set) ? set : null
}

// Cached code runs without a check, so its folder must be one that only the user can write to: privateFolder in
// src/config/private-folder.ts. Null: nothing is cached. A home that is not there is not made for it.
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

// A cache that the environment names. Commands of a session may write to the temporary folder and to the workspace.
function mayBeBelieved(cache) {
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

// Null: the folder is gone, and nothing can lie in it.
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

// The compile cache holds what was compiled when a file was loaded. V8 leaves functions to their first call, so without
// this each start would parse them anew (docs/decisions/whole-code-in-the-cache.md).
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

// Looks upward from this file, never from the working directory: a repository must not be able to choose our Node.
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
  // Ctrl+C and timeout(1) reach the child as well; it takes what comes twice at once for one wish.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
  child.on("error", fail)
  const terminal = require("node:tty").isatty(0)
  child.on("exit", (code, signal) => {
    // An older Node crashes where it puts back the settings of a terminal that is gone: the signal ends it before that.
    if (terminal && code === 129) {
      process.removeAllListeners("SIGHUP")
      process.kill(process.pid, "SIGHUP")
    }
    if (signal) process.exitCode = 128 + require("node:os").constants.signals[signal]
    else process.exitCode = code
  })
}

main()
