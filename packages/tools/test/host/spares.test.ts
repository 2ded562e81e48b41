import assert from "node:assert/strict"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { test, type TestContext } from "node:test"
import type { ExecOptions, Host } from "@gong/spec"
import { sandboxed, type SandboxOptions } from "../../src/host/sandbox/index.ts"
import { canWait } from "../../src/host/sandbox/spare.ts"
import { defaults, git, noSandbox, type Ran, sandboxPlace, type SandboxPlace } from "./sandbox-place.ts"
import { spyOnSpares, type Spied } from "./spare-place.ts"

const skip = noSandbox
let jobs = 0

/** A place whose commands have names, so that after each of them a sandbox is begun for the next. */
interface Stage extends SandboxPlace {
  readonly spied: Spied
  readonly host: Host
  run(command: string, more?: Partial<ExecOptions>): Promise<Ran>
  /** In one that waited for it. */
  runSpare(command: string, more?: Partial<ExecOptions>): Promise<Ran>
}

function stage(t: TestContext, more: Partial<SandboxOptions> = {}, give?: Parameters<typeof spyOnSpares>[1]): Stage {
  const here = sandboxPlace(t)
  const spied = spyOnSpares(here.plain, give)
  const host = sandboxed(spied.host, { ...defaults([here.repo, here.temp], here.at("blank")), ...more })
  t.after(() => host.endJobs())
  const run = async (command: string, options: Partial<ExecOptions> = {}) => {
    let out = ""
    const ended = await host.exec(command, {
      cwd: here.repo,
      job: String(++jobs),
      signal: new AbortController().signal,
      onData: (bytes) => void (out += Buffer.from(bytes).toString()),
      ...options,
    })
    return { ...ended, out }
  }
  const runSpare = async (command: string, options: Partial<ExecOptions> = {}) => {
    const { cwd, env } = options
    await run("true", { ...(cwd !== undefined && { cwd }), ...(env && { env }) })
    await spied.waits()
    return run(command, options)
  }
  return { ...here, spied, host, run, runSpare }
}

/** What a command can find out about where it runs, but for its mark. */
const everything = `
echo "last $_ args $0 $# $- $SHLVL $PPID $$ $OLDPWD $PWD"
shopt; set -o; trap; umask; ulimit -a; tty
set | grep -v '^GONG_JOB=\\|^BASHPID=\\|^SRANDOM=\\|^RANDOM=\\|^EPOCH\\|^SECONDS=\\|^_=\\|^PIPESTATUS='
/usr/bin/env -0 | tr '\\0' '\\n' | grep -v ^GONG_JOB= | sort
tr '\\0' '\\n' </proc/$$/cmdline
echo /proc/$$/fd/*; readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2
grep -v 'ctxt\\|^State\\|^Vm\\|^Rss\\|^SigQ\\|^FDSize\\|^Cpus\\|^Mems' /proc/$$/status
cut -d' ' -f4-8,18-20 /proc/$$/stat
cat /proc/$$/limits /proc/$$/oom_score_adj /proc/$$/cgroup
cut -d' ' -f4- /proc/$$/mountinfo
pwd -P; id; hostname
`

test("a command finds the same around it in a sandbox that waited", { skip }, async (t) => {
  const it = stage(t)
  it.put("home/.bashrc", "export READ=bashrc\n")
  const odd = {
    "BASH_FUNC_which%%": "() {  echo a function\n}",
    "npm_config_//r/:_token": "no name of a shell's",
    BASH_ENV: it.put("temp/env.sh", 'echo read >> "$HOME/repo/read"\n'),
    OLDPWD: "/nowhere",
    PWD: "/nowhere",
    LC_ALL: "xx_YY",
    _: "/usr/bin/gong",
    TMOUT: "1",
    EMPTY: "",
    LINES: "two\nlines",
    gong: "工",
  }
  const { SHLVL: _, ...plain } = it.plain.env
  for (const env of [{ ...plain, ...odd }, { ...plain, SHLVL: "3" }, { PATH: plain["PATH"] ?? "" }]) {
    const used = it.spied.used
    const [made, spare] = [await it.inside(everything, { env }), await it.runSpare(everything, { env })]
    assert.equal(it.spied.used, used + 1)
    assert.equal(withoutNumbers(spare.out), withoutNumbers(made.out))
    // While it does not wait yet, the one that this command left behind stands in the way of the next.
    await it.spied.waits()
  }
  // In both it was read by the command's shell alone, here: once for each of the commands with it.
  assert.equal(it.text("home/repo/read"), "read\n".repeat(3))
})

/** In order: what goes to stderr comes anywhere among the rest. */
function withoutNumbers(text: string): string {
  return text
    .replace(/socket:\[\d+\]/g, "socket")
    .split("\n")
    .toSorted()
    .join("\n")
}

test("every character of a command comes through", { skip }, async (t) => {
  const it = stage(t)
  const bytes = Array.from({ length: 255 }, (_, at) => String.fromCodePoint(at + 1)).join("")
  const text = `${bytes}工🛠\n`
  const command = `cat <<'END'\n${text}END\n`
  assert.equal((await it.runSpare(command)).out, (await it.inside(command)).out)
  assert.equal(it.spied.used, 1)
})

test("what cannot wait is what bash would not pass on as it is, or would read too slowly", () => {
  const options = { cwd: "/", signal: new AbortController().signal, onData: () => {}, job: "1" }
  const words = ["/bin/bash", "-c", "true"]
  assert.equal(canWait(words, options), true)
  assert.equal(canWait(["bash", "-c", "true"], options), false)
  assert.equal(canWait(["/bin/bash", "-c", "x".repeat(5000)], options), false)
  assert.equal(canWait(["/bin/bash", "-c", "a\0b"], options), false)
  assert.equal(canWait(words, { ...options, env: { SHELLOPTS: "xtrace" } }), false)
  assert.equal(canWait(words, { ...options, input: "text" }), false)
  const { job: _, ...nameless } = options
  assert.equal(canWait(words, nameless), false)
})

test("another folder, another environment: the one that waits is not used, and goes", { skip }, async (t) => {
  const it = stage(t)
  mkdirSync(it.at("home/repo/src"))
  assert.equal((await it.runSpare("pwd")).out, `${it.repo}\n`)
  await it.spied.waits()
  const used = it.spied.used
  assert.equal((await it.run("pwd", { cwd: it.at("home/repo/src") })).out, `${it.repo}/src\n`)
  await it.spied.waits()
  assert.equal((await it.run("echo $A", { env: { ...it.plain.env, A: "a" } })).out, "a\n")
  assert.equal(it.spied.used, used)
})

test("the folder of the command is another one by now: it runs once, and there", { skip }, async (t) => {
  const it = stage(t)
  const cwd = it.at("home/repo/src")
  mkdirSync(cwd)
  await it.run("true", { cwd })
  await it.spied.waits()
  renameSync(cwd, it.at("home/repo/old"))
  mkdirSync(cwd)
  assert.equal((await it.run("echo x >> made; echo out", { cwd })).out, "out\n")
  assert.deepEqual([it.text("home/repo/src/made"), existsSync(it.at("home/repo/old/made"))], ["x\n", false])
})

test("the temporary folders of the read-only tier are each command's own", { skip }, async (t) => {
  const it = stage(t, { tier: "read-only" })
  assert.equal((await it.runSpare("echo x > ~/a; echo x > /tmp/a; ls ~/a /tmp/a")).code, 0)
  assert.notEqual((await it.runSpare("ls ~/a || ls /tmp/a")).code, 0)
  assert.equal(it.spied.used, 2)
})

test("a sandbox that waits holds its folders, and lets go of them at the end of the session", { skip }, async (t) => {
  const it = stage(t)
  git(it.repo, "init", "--quiet", "--template=")
  await it.runSpare("true")
  await it.spied.waits()
  assert.deepEqual(readdirSync(it.repo).toSorted(), [".git", ".gong"])
  await it.host.endJobs()
  assert.deepEqual([readdirSync(it.repo), existsSync(it.at("home/repo/.git/hooks"))], [[".git"], false])
})

test("a folder that is removed is not made again for a sandbox that would wait in it", { skip }, async (t) => {
  const it = stage(t)
  await it.run("true")
  rmSync(it.home, { recursive: true })
  await new Promise((resolve) => setTimeout(resolve, 15))
  await it.host.endJobs()
  assert.equal(existsSync(it.home), false)
})

test("an abort, a job that is kept, and what the sandbox blocked are as ever", { skip }, async (t) => {
  const it = stage(t)
  const stop = new AbortController()
  const began = (bytes: Uint8Array) => void (bytes.length > 0 && stop.abort())
  const killed = await it.runSpare("echo on; sleep 1000 & sleep 1000", { signal: stop.signal, onData: began })
  assert.deepEqual([killed.code, killed.signal], [null, "SIGKILL"])
  assert.match((await it.runSpare("mkdir ~/.gnupg")).note ?? "", /blocked write to .*\/\.gnupg;/)
  assert.match((await it.runSpare("kill -SEGV $$")).note ?? "", /^\[139 is/)
  const { promise, resolve } = Promise.withResolvers<void>()
  const job = it.runSpare("echo on; until [ -e go ]; do sleep 0.01; done", { job: "kept", onData: () => resolve() })
  await promise
  await it.host.endJobs(["kept"])
  it.put("home/repo/go", "")
  assert.equal((await job).code, 0)
  assert.equal(it.spied.used, 4)
})

test(
  "words that were cut anywhere are not run there: the command runs once, in a sandbox of its own",
  { skip },
  async (t) => {
    const command = "echo x >> made"
    const whole = ["/bin/bash", "-c", command, "run", ""].join("\0").length
    let length = 0
    const it = stage(t, {}, (words) => words.slice(0, length))
    for (; length < whole; length++) {
      const { code } = await it.runSpare(command)
      assert.equal(code, 0)
      assert.equal(readFileSync(it.at("home/repo/made"), "utf8"), "x\n", `cut at ${length}`)
      rmSync(it.at("home/repo/made"))
    }
    assert.equal(it.spied.used, whole)
  },
)

test("one that is killed at whatever moment runs no command twice, and none is lost unsaid", { skip }, async (t) => {
  let turns = 0
  const kill = () => {
    if (it.spied.pid !== null) process.kill(it.spied.pid, "SIGKILL")
  }
  const it = stage(t, {}, async (words) => {
    if (turns === 0) kill()
    else void turn(turns).then(kill, () => undefined)
    return words
  })
  for (; turns < 40; turns++) {
    rmSync(it.at("home/repo/made"), { force: true })
    const { code } = await it.runSpare("echo x >> made; sleep 0.02")
    console.log(turns, code)
    const made = existsSync(it.at("home/repo/made")) ? it.text("home/repo/made") : ""
    if (code === 0) assert.equal(made, "x\n")
    else assert.match(made, /^(x\n)?$/)
  }
})

async function turn(count: number): Promise<void> {
  for (let at = 0; at < count; at++) await new Promise((resolve) => setImmediate(resolve))
}
