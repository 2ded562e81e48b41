import assert from "node:assert/strict"
import { test } from "node:test"
import type { ExecOptions, ExecResult, Host } from "@gong/spec"
import type { Gateway } from "../../../src/host/gateway/index.ts"
import { createMemoryHost } from "../../../src/host/memory.ts"
import { createSandboxedHost, type SandboxOptions } from "../../../src/host/sandbox/index.ts"
import { defaults } from "./sandbox-fixture.ts"

interface Ending {
  readonly code?: number | null
  readonly stdout?: string
  readonly stderr?: string | readonly string[]
  /** Whether bubblewrap reports that the command ran. Default: true. */
  readonly ran?: boolean
  readonly error?: Error
}

interface Started {
  readonly command: string | readonly string[]
  readonly options: ExecOptions
}

/** A sandboxed host on which bubblewrap ends like this, each time the next. */
function sandboxed(endings: readonly Ending[], more: Partial<SandboxOptions> = {}, home: Partial<Host> = {}) {
  const starts: Started[] = []
  const memory = createMemoryHost({
    home: "/h",
    cwd: "/w",
    env: { OWN: "1", DISPLAY: ":0" },
    files: { "/usr/bin/tool": "", "/w/tool": "" },
    async exec(command, options) {
      starts.push({ command, options })
      const {
        code = 0,
        stdout = "",
        stderr = [],
        ran = true,
        error,
      } = endings[starts.length - 1] ?? endings.at(-1) ?? {}
      if (error !== undefined) throw error
      options.onStatus?.(Buffer.from('{ "child-pid": 7, "pid-name'))
      options.onStatus?.(Buffer.from('space": 42 }\n'))
      if (stdout !== "") options.onData(Buffer.from(stdout), "stdout")
      for (const text of [stderr].flat()) options.onData(Buffer.from(text), "stderr")
      if (ran) options.onStatus?.(Buffer.from(`{ "exit-code": ${code} }`))
      return { code, signal: null }
    },
  })
  const ended: unknown[] = []
  const plain: Host = { ...memory, endJobs: async (keep) => void ended.push(keep), ...home }
  const host = createSandboxedHost(plain, { ...defaults(["/w"]), bwrap: "/usr/bin/bwrap", autorun: [], ...more })
  const out: string[] = []
  const signal = new AbortController().signal
  const exec = (command: string | readonly string[], options: Partial<ExecOptions> = {}): Promise<ExecResult> =>
    host.exec(command, {
      cwd: "/w",
      signal,
      onData: (bytes, stream) => void out.push(`${stream}: ${Buffer.from(bytes).toString()}`),
      ...options,
    })
  return { host, exec, starts, out, ended }
}

test("a command runs in a shell inside the sandbox, with its output and without variables of services", async () => {
  const here = sandboxed([{ stdout: "out", stderr: "err" }])
  assert.deepEqual(await here.exec("echo"), { code: 0, signal: null })
  assert.deepEqual(here.out, ["stdout: out", "stderr: err"])
  const [{ command, options } = assert.fail()] = here.starts
  assert.equal(command[0], "/usr/bin/bwrap")
  assert.deepEqual(command.slice(-4), ["--", "/bin/bash", "-c", "echo"])
  assert.deepEqual(options.env, { OWN: "1" })
  await here.exec(["ls", "-l"], { env: { LD_PRELOAD: "/x" } })
  const [, second] = here.starts
  assert.deepEqual(second?.command.slice(-5), ["--", "/usr/bin/env", "LD_PRELOAD=/x", "ls", "-l"])
  assert.deepEqual(second?.options.env, {})
})

test("permitted commands and trusted programs of Gong run outside", async () => {
  const more: Partial<SandboxOptions> = {
    outside: (command) => (command.startsWith("git remote") ? command.split(" ") : null),
  }
  const here = sandboxed([{}], more)
  const direct = async (command: string | readonly string[], options: Partial<ExecOptions> = {}) => {
    await here.exec(command, options)
    const { command: run } = here.starts.at(-1) ?? assert.fail()
    return run[0] === "/usr/bin/bwrap" ? null : run
  }
  assert.equal(await direct("echo"), null)
  assert.equal(await direct("echo", { unsandboxed: true }), "echo")
  assert.deepEqual(await direct("git remote add a b"), ["git", "remote", "add", "a", "b"])
  assert.deepEqual(await direct(["/usr/bin/tool"], { own: true }), ["/usr/bin/tool"])
  assert.equal(await direct(["/w/tool"], { own: true }), null, "a command can have changed it")
  assert.equal(await direct(["/usr/bin/tool"]), null)
  assert.equal(await direct("/usr/bin/tool", { own: true }), null)
  assert.equal(await direct([], { own: true }), null)
})

test("a sandbox that does not start is an error with the reason; one that fails to mount is tried three times", async () => {
  const failed = (reason: string) => ({
    code: "ESANDBOX",
    message: `The sandbox could not be started (${reason}), so the command was not run. The user can find out more with gong doctor; run it again with unsandboxed: true to ask for it without the sandbox.`,
  })
  for (const [ending, reason, tries] of [
    [{ code: 1, ran: false, stderr: "bwrap: setting up uid map: no\n" }, "bwrap: setting up uid map: no", 1],
    [{ code: 1, ran: false, stderr: ["bwrap: ", "Can't mkdir x"] }, "bwrap: Can't mkdir x", 3],
    [{ code: 1, ran: false }, "", 1],
    [{ error: new Error("no descriptor") }, "no descriptor", 1],
    [{ code: 1, ran: false, stderr: `a\n${"x".repeat(301)}` }, "x".repeat(300), 1],
  ] as const) {
    const here = sandboxed([ending])
    await assert.rejects(here.exec("echo"), failed(reason))
    assert.equal(here.starts.length, tries, reason)
  }
  const late = sandboxed([
    { code: 1, ran: false, stderr: ["bwrap: ", "Can't mkdir x"] },
    { stdout: "out", code: 3 },
  ])
  assert.equal((await late.exec("echo")).code, 3)
  assert.deepEqual(late.out, ["stdout: out"], "messages of the failed start are not those of the command")
})

test("a program that is missing, and troubles that are not the sandbox's, keep their code", async () => {
  const missing = (why: string) => ({ code: 1, ran: false, stderr: `x\nbwrap: execvp /bin/x y: ${why}\n` })
  for (const [ending, code] of [
    [missing("No such file or directory"), "ENOENT"],
    [missing("Permission denied"), "EACCES"],
    [missing("Text file busy"), "ESANDBOX"],
    [missing("Permission denied for it"), "ESANDBOX"],
    [{ code: 1, ran: false, stderr: "said bwrap: execvp /x: Permission denied\n" }, "ESANDBOX"],
    [{ code: 1, ran: false, stdout: "bwrap: execvp /x: Permission denied\n" }, "ESANDBOX"],
    [{ error: Object.assign(new Error("too long"), { code: "E2BIG" }) }, "E2BIG"],
    [{ error: Object.assign(new Error("odd"), { code: "ENOENT" }) }, "ESANDBOX"],
  ] as const)
    await assert.rejects(sandboxed([ending]).exec("echo"), { code })
  const gone = sandboxed([{ error: Object.assign(new Error("gone"), { code: "ENOENT" }) }])
  await assert.rejects(gone.exec("echo", { cwd: "/none" }), { code: "ENOENT", message: "gone" })
})

test("a command that was killed or aborted has its result, whether it started or not", async () => {
  const killed = sandboxed([{ code: null, ran: false, stderr: "bwrap: Can't see" }])
  assert.deepEqual(await killed.exec("echo"), { code: null, signal: null })
  assert.deepEqual(killed.out, ["stderr: bwrap: Can't see"])
  const aborted = sandboxed([{ code: 1, ran: false, stderr: "bash: /etc/x: Read-only file system" }])
  assert.deepEqual(await aborted.exec("echo", { signal: AbortSignal.abort() }), { code: 1, signal: null })
})

test("an output that looks like a message of bubblewrap is that of the command, if it ran", async () => {
  const some = sandboxed([{ code: 1, stderr: ["bwrap: ", "Can't do it", "\nmore"] }])
  await some.exec("echo")
  assert.deepEqual(some.out.join(""), "stderr: bwrap: stderr: Can't do itstderr: \nmore")
  const inner = sandboxed([{ code: 1, stderr: "x bwrap: Can't", ran: false }])
  await assert.rejects(inner.exec("echo"), { code: "ESANDBOX" })
  assert.deepEqual(inner.out, ["stderr: x bwrap: Can't"])
  const long = ["bwrap: Can't ", "x".repeat(4096 - 13), "y", "z"]
  const much = sandboxed([{ code: 1, stderr: long, ran: false }])
  await assert.rejects(much.exec("echo"), { code: "ESANDBOX" })
  assert.equal(much.out.filter((text) => text === "stderr: y").length > 0, true, "a long one is passed on")
  const less = sandboxed([{ code: 1, stderr: long.slice(0, 2), ran: false }])
  await assert.rejects(less.exec("echo"), { code: "ESANDBOX" })
  assert.deepEqual(less.out, [])
})

test("a failed command has a note: what the sandbox denied, or the signal of its exit code", async () => {
  const note = async (ending: Ending) => (await sandboxed([ending]).exec("echo")).note ?? null
  const signal = (code: number, name: string) => `[${code} is what a command ends with that ${name} has ended]`
  assert.equal(await note({ code: 139 }), signal(139, "SIGSEGV"))
  assert.equal(await note({ code: 137 }), signal(137, "SIGKILL"))
  for (const code of [0, 1, 9, 128, 255]) assert.equal(await note({ code }), null)
  const denied = { stderr: "bash: /etc/x: Read-only file system\n" }
  assert.match((await note({ ...denied, code: 1 })) ?? "", /^\[sandbox: blocked write to \/etc\/x;/)
  assert.match((await note({ ...denied, code: 137 })) ?? "", /^\[sandbox: blocked write to \/etc\/x;/)
  assert.equal(await note({ ...denied, code: 0 }), null)
  assert.equal((await sandboxed([{ ...denied, code: 1 }]).exec("echo")).blocked, "write to /etc/x")
})

/** A gateway, and what was called. */
function gateway(refused: string | null, error?: Error) {
  const calls: string[] = []
  const made = {
    enter: async () => {
      if (error !== undefined) throw error
      calls.push("enter")
      return {
        enter: ["nsenter", "--"],
        mounts: [],
        environment: (env: Readonly<Record<string, string>>) => ({ ...env, IN: "1" }),
        leave: () => (calls.push("leave"), refused),
      }
    },
    close: () => void calls.push("close"),
  } as unknown as Gateway
  return { made, calls }
}

test("with a gateway the command runs in its network, and refused hosts are its note", async () => {
  const { made, calls } = gateway("[network: a.com was refused]")
  const here = sandboxed([{ code: 1, stderr: "bash: /etc/x: Read-only file system\n" }, {}], { gateway: made })
  assert.equal((await here.exec("echo")).note, "[network: a.com was refused]")
  assert.deepEqual(here.starts[0]?.command.slice(0, 3), ["nsenter", "--", "/usr/bin/bwrap"])
  assert.equal(here.starts[0]?.options.env?.["IN"], "1")
  assert.equal((await here.exec("echo")).note, undefined, "it did not fail")
  assert.deepEqual(calls, ["enter", "leave", "leave", "enter", "leave", "leave"])
  await here.host.endJobs(["1"])
  await here.host.endJobs()
  assert.deepEqual(
    [here.ended, calls.slice(-2)],
    [
      [["1"], undefined],
      ["close", "close"],
    ],
  )
  const failing = sandboxed([{}], { gateway: gateway(null, new Error("no network")).made })
  await assert.rejects(failing.exec("echo"), { code: "ESANDBOX", message: /\(no network\)/ })
  assert.equal(failing.starts.length, 0)
})

test("files are written as without a sandbox", async () => {
  const { host } = sandboxed([{}])
  await host.replaceFile("/w/tool", Buffer.from("new"))
  assert.equal(Buffer.from(await host.readRange("/w/tool", 0)).toString(), "new")
  await assert.rejects(host.replaceFile("/none/x", Buffer.from("")), { code: "ENOENT" })
})
