import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { test } from "node:test"
import { createDenialDetector, type DenialContext } from "../../../../src/host/sandbox/denials/denials.ts"
import { readOnly, writable } from "../../../../src/host/sandbox/plan/mount.ts"
import type { Withheld } from "../../../../src/host/sandbox/secrets/secrets.ts"

const again = "the command may work with permission: run it again with unsandboxed: true"

function found(output: string | readonly string[], more: Partial<DenialContext> = {}) {
  const detector = createDenialDetector({
    cwd: "/repo",
    mounts: [writable("/repo"), readOnly("/repo/kept")],
    network: true,
    withheld: [],
    ...more,
  })
  for (const part of typeof output === "string" ? [output] : output) detector.add(Buffer.from(part))
  return detector.found()
}

const blocked = (...given: Parameters<typeof found>) => found(...given)?.blocked ?? null

test("a write to a read-only path is denied by the sandbox, in the words of each program", () => {
  for (const line of [
    "bash: line 1: /etc/x: Read-only file system",
    "touch: cannot touch '/etc/x': Read-only file system",
    "cp: cannot create regular file ‘/etc/x’: read-only file system",
    "Error: EROFS: read-only file system, open '/etc/x'",
    'OSError: [Errno 30] Read-only file system: "/etc/x"',
    "touch: 无法 touch `/etc/x': 只读文件系统",
    "touch: 唯讀檔案系統: “/etc/./x”",
    "npm error: 'a' to '/etc/x', EROFS",
    "mount: /etc/x: Read-only file system: try again",
    "/etc/x: EROFS",
  ]) {
    assert.deepEqual(found(line), { blocked: "write to /etc/x", note: `[sandbox: blocked write to /etc/x; ${again}]` })
    assert.equal(blocked(`first\n${line}\nlast\n`), "write to /etc/x")
  }
})

test("a relative path is one of the working directory", () => {
  assert.equal(blocked("bash: line 1: kept/x: Read-only file system"), "write to /repo/kept/x")
  assert.equal(blocked("bash: line 1: ../x: Read-only file system"), "write to /x")
  assert.equal(blocked("bash: x: Read-only file system", { cwd: "/etc" }), "write to /etc/x")
  assert.equal(blocked("rm: cannot remove kept/x: Read-only file system"), "write to /repo/kept/x")
})

test("a write to a path that commands may write is not denied by the sandbox", () => {
  for (const how of ["empty", "private"] as const)
    assert.equal(blocked("bash: /tmp/x: Read-only file system", { mounts: [{ how, path: "/tmp" }] }), null)
  assert.equal(blocked("bash: /c/x: Read-only file system", { mounts: [{ how: "own", path: "/c", from: "/x" }] }), null)
  assert.equal(blocked("bash: /repo/x: Read-only file system"), null)
  assert.equal(blocked("bash: x: Read-only file system"), null)
})

test("a mount point that is busy is denied, another path is not", () => {
  for (const words of ["Device or resource busy", "设备或资源忙", "裝置或系統資源忙碌中"]) {
    assert.equal(blocked(`mv: cannot move 'kept': ${words}`), "write to /repo/kept")
    assert.equal(blocked(`mv: cannot move 'kept/x': ${words}`), null)
  }
  assert.equal(blocked("Error: EBUSY: '/repo/kept'"), "write to /repo/kept")
  assert.equal(blocked("it is: EBUSY"), null)
})

test("a denied write without a path is named as such, and a line with the path is preferred", () => {
  const line = "the disk is a read-only file system"
  assert.equal(blocked(line), "a write")
  assert.equal(blocked("cannot write the disk: Read-only file system"), "a write")
  assert.equal(blocked("Read-only file system"), "a write")
  assert.equal(blocked(`bash: /etc/x: Read-only file system\n${line}`), "write to /etc/x")
  assert.equal(blocked(`bash: /etc/a: Read-only file system\nbash: /etc/b: Read-only file system`), "write to /etc/b")
})

test("a denied hook or setting of git gets its own advice", () => {
  const mounts = [readOnly("/repo")]
  for (const [path, own] of [
    [".git/hooks/pre-commit", true],
    [".git/hooks", true],
    [".git/config", true],
    [".git/config.worktree", true],
    [".git/configs", false],
    [".git/hooksx", false],
    ["x.git/config", false],
  ] as const) {
    const { note = "" } = found(`bash: ${path}: Read-only file system`, { mounts }) ?? {}
    assert.equal(note.includes("go on without it (npm ci --ignore-scripts)"), own, path)
  }
})

test("the network is named if it is off", () => {
  for (const line of [
    "connect: Network is unreachable",
    "Temporary failure in name resolution",
    "curl: (6) Could not resolve host: a.com",
    "ENETUNREACH",
    "EAI_AGAIN a.com",
    "ENOTFOUND a.com",
    "connect ECONNREFUSED 127.0.0.1:1",
    "Connection refused",
    "Failed to connect to a.com",
    "psql: could not connect to server",
  ]) {
    assert.deepEqual(found(line, { network: false }), {
      blocked: "the network",
      note: "[sandbox: the network is off for commands (--network off); go on without it or ask the user]",
    })
    assert.equal(found(line), null, line)
  }
  assert.equal(found("all is well", { network: false }), null)
})

test("more rights and services are named", () => {
  for (const [line, what] of [
    ['sudo: The "no new privileges" flag is set', "more rights"],
    ["sudo: effective uid is not 0", "more rights"],
  ] as const)
    assert.deepEqual(found(line), { blocked: what, note: `[sandbox: blocked ${what}; ${again}]` })
  for (const [line, what] of [
    ["Could not open a connection to your authentication agent.", "the SSH agent"],
    ["error: ssh-agent is gone", "the SSH agent"],
    ["Cannot connect to the Podman socket.", "the container daemon"],
    ["no gpg-agent running", "the GnuPG agent"],
    ["Failed to connect to bus: no medium", "the message bus"],
    ["System has not been booted with systemd as init system", "the service manager"],
    ["no $DISPLAY environment variable", "the display"],
    ["cannot open X display", "the display"],
    ["cannot open the X11 display", "the display"],
    ["unable to open display", "the display"],
    ["cannot connect to X server :0", "the display"],
    ["no Wayland display", "the display"],
  ] as const)
    assert.deepEqual(found(line), {
      blocked: what,
      note: `[sandbox: ${what} does not answer in the sandbox; ${again}]`,
    })
  assert.equal(found("connect to it. The bus is late"), null)
})

test("an existing path in /run is a service, a page of a server is none", (t) => {
  const [name] = readdirSync("/run")
  if (name === undefined) return t.skip("/run is empty")
  const path = `/run/${name}`
  for (const line of [`no answer: ${path}`, `unix://${path}.`, `(${path})`, `"${path}",`, path])
    assert.equal(blocked(line), path, line)
  assert.equal(blocked(`x${path}`), null)
  assert.equal(blocked("GET /run/none-there/1"), null)
  assert.equal(blocked("no gpg-agent at /run/none-there"), "the GnuPG agent")
})

const ssh: Withheld = {
  name: "ssh",
  base: "/home",
  path: ".ssh",
  at: "/home/.ssh",
  real: "/data/ssh",
  says: /publickey/,
  mount: { how: "bare", path: "/data/ssh" },
}
const npm: Withheld = {
  name: "npm",
  base: "/home",
  path: ".npmrc",
  at: "/home/.npmrc",
  real: "/home/.npmrc",
  mount: { how: "text", path: "/home/.npmrc", text: "" },
}

test("a failure that names a secret says how to get at it", () => {
  const withheld = [ssh, npm]
  const keys = (path: string, seen: string, name: string) => ({
    blocked: `read of ${path}`,
    note: `[sandbox: ${path} ${seen}; ${again}. For good the user can set sandbox.reveal to ["${name}"]]`,
  })
  const bare = keys("/home/.ssh", "holds keys and is not shown to commands", "ssh")
  for (const line of [
    "cat: /home/.ssh/id: Permission denied",
    "/home/.ssh: Permission denied",
    "cat: ~/.ssh: no such file",
    "error in /data/ssh/id",
    "git@x: (publickey)",
  ])
    assert.deepEqual(found(line, { withheld }), bare, line)
  const text = keys("/home/.npmrc", "is shown to commands without its keys", "npm")
  assert.deepEqual(found("cannot use /home/.npmrc", { withheld }), text)
  for (const line of ["reads /home/.ssh/id", "denied: /home/.sshx", "denied: /home/.ssh-x", "denied", "denied: .ssh"])
    assert.equal(found(line, { withheld }), null, line)
})

test("the last 100 lines and 8192 bytes of the output count", () => {
  const line = "bash: /etc/x: Read-only file system\n"
  assert.equal(blocked(line + "\n".repeat(98)), "write to /etc/x")
  assert.equal(blocked(line + "\n".repeat(99)), null)
  const filler = (bytes: number) => "x".repeat(bytes)
  assert.equal(blocked([line, filler(8192 - line.length)]), "write to /etc/x")
  const start = "/etc/x: EROFS\n"
  assert.equal(blocked([start, filler(8192 - start.length)]), "write to /etc/x")
  assert.equal(blocked([start, filler(8193 - start.length)]), null, "the first character is missing")
  assert.equal(blocked([line, filler(8192)]), null)
  assert.equal(blocked([filler(10_000), line]), "write to /etc/x")
  assert.equal(blocked([`${line}${filler(8192 - line.length)}`]), "write to /etc/x")
  assert.equal(blocked([...line]), "write to /etc/x")
})
