import assert from "node:assert/strict"
import { execFileSync, spawn } from "node:child_process"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { englishOf, type Host } from "@gong/spec"
import { createLocalHost } from "../../../src/host/local.ts"
import { createMemoryHost } from "../../../src/host/memory.ts"
import { acquirePlaceholders } from "../../../src/host/sandbox/plan/placeholders.ts"
import { probeSandbox, createSandboxedHost } from "../../../src/host/sandbox/index.ts"
import { hostCases } from "../host-cases.ts"
import { place } from "../../workspace.ts"
import { defaults, git, noSandbox, sandboxPlace, type SandboxPlace } from "./sandbox-fixture.ts"

const skip = noSandbox

hostCases(
  "sandbox",
  (t) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "gong-host-")))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const cwd = join(folder, "work")
    mkdirSync(cwd)
    return createSandboxedHost(createLocalHost({ cwd, home: join(folder, "none") }), defaults([cwd]))
  },
  { skip },
)

test("the note of a denied command says what was blocked and how to get permission", { skip }, async (t) => {
  const here = sandboxPlace(t)
  const note = (path: string) =>
    `[sandbox: blocked write to ${path}; the command may work with permission: run it again with unsandboxed: true]`
  assert.equal((await here.inside("mkdir ~/.gnupg")).note, note(`${here.home}/.gnupg`))
  assert.equal((await here.inside("echo x > ../x")).note, note(`${here.home}/x`))
  assert.equal(
    (await here.inside("node -e 'fs.writeFileSync(`${process.env.HOME}/n`,``)'")).note,
    note(`${here.home}/n`),
  )
  assert.equal((await here.inside("exit 3")).note, undefined)
  assert.equal((await here.inside("mkdir ~/.gnupg; true")).note, undefined, "the command did not fail")
  const reported = await here.inside("echo \"open '$PWD/a': Read-only file system\" >&2; false")
  assert.equal(reported.note, undefined, "that place can be written to: it is none of the sandbox's doing")
  const asked = await here.inside("mkdir ~/.gnupg", { unsandboxed: true })
  assert.deepEqual([asked.code, asked.note], [0, undefined])
})

test("Gong's own program runs outside the sandbox, unless a command could have written it", { skip }, async (t) => {
  const here = sandboxPlace(t)
  const touch = async (program: string, own: boolean) => {
    const file = join(here.home, "made")
    const options = { cwd: here.repo, own, signal: AbortSignal.timeout(10_000), onData: () => undefined }
    await here.host.exec([program, file], options)
    const made = existsSync(file)
    rmSync(file, { force: true })
    return made
  }
  const planted = join(here.repo, "touch")
  copyFileSync("/usr/bin/touch", planted)
  symlinkSync(planted, join(here.home, "touch"))
  assert.equal(await touch("/usr/bin/touch", true), true)
  assert.equal(await touch("/usr/bin/touch", false), false)
  assert.equal(await touch(planted, true), false)
  assert.equal(await touch(join(here.home, "touch"), true), false, "a link to it")
})

test("a failed start of the sandbox is not a failure of the command, which was not run", async (t) => {
  const here = sandboxPlace(t, { bwrap: "/bin/false" })
  await assert.rejects(here.inside("touch made"), { code: "ESANDBOX", message: /^The sandbox could not be started/ })
  const missing = sandboxPlace(t, { bwrap: "/no/bwrap" })
  await assert.rejects(missing.inside("touch made"), { code: "ESANDBOX", message: /ENOENT.*was not run/ })
  assert.equal(existsSync(join(here.repo, "made")), false)
})

test("a file that disappears between check and mount causes a restart, not a failure", { skip }, async (t) => {
  const here = sandboxPlace(t)
  const socket = here.put("other/socket", "")
  let starts = 0
  const plain: Host = {
    ...here.plain,
    exec(command, options) {
      if (Array.isArray(command) && command.includes("--unshare-pid") && ++starts === 1) rmSync(socket)
      return here.plain.exec(command, options)
    },
  }
  const host = createSandboxedHost(plain, { ...defaults([here.repo, here.temp]), hidden: [socket] })
  let out = ""
  const onData = (bytes: Uint8Array) => void (out += Buffer.from(bytes).toString())
  const options = { cwd: here.repo, signal: new AbortController().signal, onData }
  assert.equal((await host.exec('echo once >> log; echo said; echo "bwrap: Can\'t say" >&2', options)).code, 0)
  assert.equal(starts, 2)
  assert.equal(here.text("home/repo/log"), "once\n")
  assert.deepEqual(out.split("\n").toSorted(), ["", "bwrap: Can't say", "said"])
})

test("errors that would occur outside as well are not attributed to the sandbox", { skip }, async (t) => {
  const here = sandboxPlace(t)
  await assert.rejects(here.inside(`echo ${"x".repeat(3_000_000)}`), { code: "E2BIG" })
  await assert.rejects(here.inside("true", { cwd: here.at("nowhere") }), { code: "ENOENT" })
})

test("messages of bubblewrap are distinguished from the same text printed by a command", { skip }, async (t) => {
  const ran = await sandboxPlace(t).inside("echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1")
  assert.deepEqual([ran.code, ran.note], [1, undefined])
})

test(
  "placeholder folders exist only while a command needs them, and stay if content was added",
  { skip },
  async (t) => {
    const here = sandboxPlace(t)
    git(here.repo, "init", "--quiet", "--template=")
    const [, seen] = await Promise.all([here.inside("true"), here.inside("test -f .git/remotes && test -d .git/hooks")])
    assert.equal(seen.code, 0)
    assert.deepEqual(readdirSync(here.repo), [".git"])
    assert.equal(existsSync(join(here.repo, ".git/hooks")), false)
    const running = here.inside("until [ -e go ]; do sleep 0.01; done")
    while (!existsSync(join(here.repo, ".git/hooks"))) await new Promise((resolve) => setImmediate(resolve))
    await here.inside("true")
    assert.ok(existsSync(join(here.repo, ".git/hooks")), "the other command still needs it")
    here.put("home/repo/.git/hooks/notes", "mine")
    here.put("home/repo/go", "")
    await running
    assert.equal(here.text("home/repo/.git/hooks/notes"), "mine")
  },
)

test("placeholders stay until the last command ends, and modified ones stay", (t) => {
  const here = place(t)
  const wanted = [
    { path: here.at("folder"), text: null },
    { path: here.at("file"), text: ".\n" },
    { path: here.at("missing/file"), text: "" },
  ]
  const [first, second] = [acquirePlaceholders(wanted), acquirePlaceholders(wanted)]
  assert.deepEqual(first.folders, [here.cwd], "what could not be made is not held")
  first.release()
  assert.deepEqual([readdirSync(here.at("folder")), here.text("file")], [[], ".\n"])
  second.release()
  assert.deepEqual(readdirSync(here.cwd), [])
  const third = acquirePlaceholders(wanted)
  here.put("folder/a", "")
  here.put("file", "other")
  third.release()
  assert.deepEqual(readdirSync(here.cwd), ["file", "folder"])
})

test("a placeholder of a dead process is removed; similar files of the user stay", (t) => {
  const here = place(t)
  const wanted = [
    { path: here.at("file"), text: ".\n" },
    { path: here.at("folder"), text: null },
  ]
  acquirePlaceholders(wanted)
  assert.deepEqual(readdirSync(here.cwd), ["file", "folder"])
  // To another process this one looks dead, because it has locked nothing.
  execFileSync(process.execPath, ["-e", letGoElsewhere(wanted)])
  assert.deepEqual(readdirSync(here.cwd), [])
  here.put("file", ".\n")
  mkdirSync(here.at("folder"))
  execFileSync(process.execPath, ["-e", letGoElsewhere(wanted)])
  assert.deepEqual(readdirSync(here.cwd), ["file", "folder"])
})

function letGoElsewhere(wanted: readonly unknown[]): string {
  const source = new URL("../../../src/host/sandbox/plan/placeholders.ts", import.meta.url).href
  return `import(${JSON.stringify(source)}).then(({ acquirePlaceholders }) => acquirePlaceholders(${JSON.stringify(wanted)}).release())`
}

test("placeholders used by another process stay until its sandbox ends", { skip }, async (t) => {
  const here = sandboxPlace(t)
  git(here.repo, "init", "--quiet", "--template=")
  const made = () => [".git/commondir", ".git/hooks"].filter((name) => existsSync(join(here.repo, name)))
  const line = (name: string) => `touch ${name}; until [ -e ${name}-ends ]; do sleep 0.01; done`
  const script = here.put("other.ts", otherProcess(here, line("other")))
  const other = spawn(process.execPath, [script], { stdio: "inherit" })
  const ended = new Promise((resolve) => other.once("exit", resolve))
  while (!existsSync(join(here.repo, "other"))) await new Promise((resolve) => setTimeout(resolve, 2))
  const ours = here.inside(line("ours"))
  while (!existsSync(join(here.repo, "ours"))) await new Promise((resolve) => setTimeout(resolve, 2))
  here.put("home/repo/other-ends", "")
  await ended
  const left = made()
  here.put("home/repo/ours-ends", "")
  await ours
  assert.deepEqual([left, made()], [[".git/commondir", ".git/hooks"], []])
})

/** A program that runs one command in a similar sandbox. */
function otherProcess({ repo, temp, home }: SandboxPlace, command: string): string {
  const source = (name: string) => JSON.stringify(new URL(`../../../src/host/${name}`, import.meta.url).href)
  const options = JSON.stringify(defaults([repo, temp]))
  return `
    import { createLocalHost } from ${source("local.ts")}
    import { createSandboxedHost } from ${source("sandbox/index.ts")}
    const host = { ...createLocalHost({ cwd: ${JSON.stringify(repo)}, home: ${JSON.stringify(home)} }), tmp: ${JSON.stringify(temp)} }
    const exec = { cwd: host.cwd, signal: new AbortController().signal, onData() {} }
    await createSandboxedHost(host, ${options}).exec(${JSON.stringify(command)}, exec)
  `
}

test("[SAFE-16] with the network off nothing is reachable, and the note says so", { skip }, async (t) => {
  const { createServer } = await import("node:net")
  const server = createServer((socket) => socket.end("hello")).listen(0, "127.0.0.1")
  t.after(() => server.close())
  await new Promise((resolve) => server.once("listening", resolve))
  const address = server.address()
  const port = typeof address === "object" ? address?.port : 0
  const connect = `exec 9<>/dev/tcp/127.0.0.1/${port} && cat <&9`
  assert.equal((await sandboxPlace(t).inside(connect)).out, "hello")
  const off = sandboxPlace(t, { network: false })
  assert.equal((await off.inside(connect)).code, 1)
  assert.match(
    (await off.inside("echo 'curl: (6) Could not resolve host: x' >&2; exit 6")).note ?? "",
    /network is off/,
  )
})

test("read-only: nothing is writable, the home is hidden except the project, temp is private", { skip }, async (t) => {
  const here = sandboxPlace(t, { tier: "read-only" })
  here.put("home/.secret", "key")
  here.put("home/repo/a", "text")
  here.put("temp/b", "other")
  const seen = await here.inside("cat a; ls -A ~ $TMPDIR; echo > $TMPDIR/c && cat $TMPDIR/c && echo x > a")
  assert.match(seen.out, /^text/)
  assert.doesNotMatch(seen.out, /\.secret|^b$/m)
  assert.deepEqual([seen.code, here.text("home/repo/a")], [1, "text"])
  assert.match(seen.note ?? "", /blocked write to .*\/repo\/a;/)
  assert.equal(existsSync(join(here.temp, "c")), false)
})

test("the probe reports why a sandbox is not available", async () => {
  const local = createLocalHost({ cwd: "/" })
  const nowhere = await probeSandbox(local, "/no/bwrap", 0)
  assert.match(englishOf(nowhere.works ? "" : nowhere.reason), /^\/no\/bwrap cannot be run \(.*ENOENT/)
  const blocked = (flag: string) =>
    createMemoryHost({
      files: { "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": flag },
      exec: async (_, { onData }) => {
        onData(Buffer.from("bwrap: setting up uid map: Permission denied\n"), "stderr")
        return { code: 1, signal: null }
      },
    })
  const reason = async (flag: string) => {
    const probed = await probeSandbox(blocked(flag), "/usr/bin/bwrap", 1000)
    return probed.works ? "" : englishOf(probed.reason)
  }
  assert.equal(await reason("1\n"), "user namespaces are blocked by AppArmor")
  assert.equal(await reason("0\n"), "user namespaces are blocked here")
})

test("a kernel without seccomp filters gets a sandbox without one; an old bubblewrap sets no modes", async () => {
  const answering = (version: string, takesFilter: boolean) =>
    createMemoryHost({
      files: {},
      exec: async (command, { onData }) => {
        const refused = command.includes("--seccomp") && !takesFilter
        const output = refused ? "bwrap: prctl(PR_SET_SECCOMP): Invalid argument" : `bubblewrap ${version}`
        onData(Buffer.from(`${output}\n`), refused ? "stderr" : "stdout")
        return { code: refused ? 1 : 0, signal: null }
      },
    })
  const probe = (version: string, takesFilter: boolean) =>
    probeSandbox(answering(version, takesFilter), "/usr/bin/bwrap", 1000)
  const works = (filter: boolean, modes: boolean) => ({ works: true, features: { filter, modes } })
  assert.deepEqual(await probe("0.8.0", true), works(true, true))
  assert.deepEqual(await probe("0.4.1", true), works(true, false))
  assert.deepEqual(await probe("1.0", false), works(false, true))
})

test("the signal that ended a command is named", { skip }, async (t) => {
  const ran = await sandboxPlace(t).inside("kill -SEGV $$")
  assert.deepEqual([ran.code, ran.note], [139, "[139 is what a command ends with that SIGSEGV has ended]"])
})
