import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { constants } from "node:os"
import { delimiter, join } from "node:path"
import { test } from "node:test"
import { killGroup } from "@gong/testing/processes"
import { eventsOf, launcher, openStage, resultOf, type Run, type Stage } from "./harness.ts"
import { tether } from "./tether.ts"

test("--version loads only the launcher; --version --json shows more; --help fits a page", async (t) => {
  const stage = await openStage(t)
  const alone = join(stage.root, "alone", "bin", "gong.js")
  mkdirSync(join(alone, ".."), { recursive: true })
  copyFileSync(launcher, alone)
  assert.equal(execFileSync(process.execPath, [alone, "--version"], { encoding: "utf8" }), "gong 0.1.0\n")
  same(await stage.gong(["-v"]), "gong 0.1.0\n")
  const json = JSON.parse((await stage.gong(["--version", "--json"])).out) as Record<string, string>
  assert.deepEqual([json["version"], json["node"], json["platform"]], ["0.1.0", process.version, process.platform])
  assert.match(json["rg"] ?? "", /^\d+\.\d+/)
  const help = await stage.gong(["--help"])
  assert.deepEqual([help.status, help.err], [0, ""])
  for (const word of ["--output", "--session-id", "--permission", "--max-turns", "demo", "doctor", "undo"]) {
    assert.ok(help.out.includes(word), word)
  }
  assert.ok(
    help.out.split("\n").every((line) => line.length <= 120),
    "no line is too wide",
  )
})

test("a checkout runs its sources, or the bundle with GONG_DIST=1", async (t) => {
  const stage = await openStage(t, { turns: [{ text: "Four." }] })
  const run = await stage.gong(["-pq", "What is 2+2?"], { env: { GONG_DIST: undefined } })
  assert.deepEqual([run.status, run.out, run.err], [0, "Four.\n", ""], "the real ones")
  const folder = join(stage.root, "checkout")
  stage.write({
    [join(folder, "src/main.ts")]: 'export const main = async (): Promise<void> => console.log("sources")\n',
    [join(folder, "dist/main.cjs")]: 'exports.main = async () => console.log("bundle")\n',
    [join(folder, "package.json")]: '{ "type": "module" }\n',
  })
  mkdirSync(join(folder, "bin"))
  copyFileSync(launcher, join(folder, "bin/gong.js"))
  writeFileSync(join(folder, "bin/package.json"), '{ "type": "commonjs" }\n')
  const started = (env: Readonly<Record<string, string>>) =>
    execFileSync(process.execPath, [join(folder, "bin/gong.js"), "x"], {
      cwd: stage.repo,
      env: { ...stage.env, ...env },
      encoding: "utf8",
    })
  assert.equal(started({ GONG_DIST: "" }), "sources\n")
  assert.equal(started({ GONG_DIST: "1" }), "bundle\n")
})

test("doctor reports the checks, never a key, and exits with 0", async (t) => {
  const stage = await openStage(t)
  const key = "sk-ant-canary-abcdefgh"
  const run = await stage.gong(["doctor"], { env: { ANTHROPIC_API_KEY: key } })
  assert.deepEqual([run.status, run.err], [0, ""])
  for (const line of [
    /^gong +0\.1\.0$/m,
    /^node +v\d+/m,
    /^ripgrep +\d+\.\d+/m,
    /^images +large ones are scaled down by (sharp$|photon, )/m,
    /^sandbox +(?:none: |\/\S+bwrap works)/m,
    /^keys +GONG_API_KEY, for any provider$/m,
  ]) {
    assert.match(run.out, line)
  }
  const own = await stage.gong(["doctor"], { env: { ANTHROPIC_API_KEY: key, GONG_API_KEY: undefined } })
  assert.match(own.out, /^keys +anthropic \(ANTHROPIC_API_KEY\)$/m)
  assert.ok(run.out.includes(stage.gongHome) && run.out.includes(stage.repo))
  assert.ok(!`${run.out}${own.out}`.includes("canary"))
  assert.equal(existsSync(stage.gongHome), false, "looking makes nothing")
})

test("the demo repairs its sample, exits with 0, and prints working commands", async (t) => {
  const stage = await openStage(t)
  const unset = { GONG_API: undefined, GONG_BASE_URL: undefined, GONG_MODEL: undefined, GONG_API_KEY: undefined }
  const run = await stage.gong(["demo"], { env: unset })
  assert.deepEqual([run.status, run.err], [0, ""])
  const [, project = ""] = /^Project: (\S+)  \(3 files, 1 failing test\)$/m.exec(run.out) ?? []
  assert.ok(project.startsWith(stage.temp) && project.endsWith("/shop"), run.out)
  for (const row of [
    /^ {2}ls +\. /m,
    /^ {2}bash +node --test +1 failing, exit 1,/m,
    /^ {2}edit +src\/cart\.js +\+1 -1$/m,
    /4 passing/,
  ]) {
    assert.match(run.out, row)
  }
  assert.match(run.out, /6 tool calls · scripted model, \$0\.00/)
  const command = (label: string) => new RegExp(`^${label}: +(.*?)(?:  .*)?$`, "m").exec(run.out)?.[1] ?? ""
  const shell = (text: string) =>
    execFileSync("sh", ["-c", text], { cwd: stage.repo, encoding: "utf8", env: stage.env })
  assert.match(shell(command("Changes")), /^\+ .*return price - \(price \* percent\) \/ 100$/m)
  assert.match(shell(command("Session")), /The test for applyDiscount fails\.[\s\S]*node --test/)
  assert.equal(shell(command("Undo")), `restored  ${project}/src/cart.js\n`)
  assert.equal(shell(command("Changes")), "", "and undone it is")
})

test("the demo with --no-session works with an unwritable home, and names no session", async (t) => {
  const stage = await openStage(t)
  stage.write({ "a-file": "" })
  const env = { GONG_HOME: join(stage.repo, "a-file", "x") }
  const refused = await stage.gong(["demo"], { env })
  assert.equal(refused.status, 2)
  assert.match(refused.err, /ENOTDIR.* or use --no-session\.\n$/)
  const run = await stage.gong(["demo", "--no-session"], { env })
  assert.deepEqual([run.status, run.err], [0, ""])
  assert.match(run.out, /4 passing/)
  assert.doesNotMatch(run.out, /^(?:Session|Undo):/m)
})

test("with an old Node the bundled Node runs, with streams, exit status and signals", async (t) => {
  const node = oldNode()
  if (node === null) return t.skip("no Node older than 24.15 is in the PATH")
  const held = await tether(t)
  const stage = await openStage(t, {
    turns: [{ text: "ok" }, { calls: [{ name: "bash", args: { command: held.command } }] }],
  })
  same(await stage.gong(["--version"], { node }), "gong 0.1.0\n")
  same(await stage.gong(["-pq"], { node, stdin: "from stdin" }), "ok\n")
  assert.equal((await stage.gong(["--nope"], { node })).status, 2)
  const live = stage.start(["--output", "events", "--yolo", "go"], { node })
  await held.held
  live.child.kill("SIGTERM")
  const run = await live.ended
  await held.released
  assert.deepEqual([run.status, resultOf(run).exit, eventsOf(run).at(-1)?.type], [143, 143, "result"])
  lonely(stage, node)
})

test("if the launcher on an old Node is killed, Gong and its commands end", async (t) => {
  const node = oldNode()
  if (node === null) return t.skip("no Node older than 24.15 is in the PATH")
  const held = await tether(t)
  const stage = await openStage(t, { turns: [{ calls: [{ name: "bash", args: { command: held.command } }] }] })
  const live = stage.start(["--output", "events", "--yolo", "go"], { node })
  await held.held
  live.child.kill("SIGKILL")
  await held.released
  const run = await live.ended
  assert.deepEqual([resultOf(run).status, resultOf(run).exit], ["interrupted", 143], "it has told its end")
})

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  test(`on an old Node, ${signal} to the process group counts once, and the result line is written`, async (t) => {
    const node = oldNode()
    if (node === null) return t.skip("no Node older than 24.15 is in the PATH")
    const held = await tether(t)
    const stage = await openStage(t, { turns: [{ calls: [{ name: "bash", args: { command: held.command } }] }] })
    const live = stage.start(["--output", "json", "--yolo", "go"], { node, group: true })
    await held.held
    assert.ok(killGroup(live.child, signal), "it is there")
    const run = await live.ended
    await held.released
    const status = 128 + constants.signals[signal]
    assert.deepEqual([run.status, resultOf(run).exit, resultOf(run).status], [status, status, "interrupted"])
    assert.ok(stage.entries().some(({ type }) => type === "run_end"))
  })
}

/** Without a carried Node it names its requirement. */
function lonely(stage: Stage, node: string): void {
  const alone = join(stage.root, "gong.js")
  copyFileSync(launcher, alone)
  const options = { encoding: "utf8", stdio: "pipe" } as const
  assert.throws(
    () => execFileSync(node, [alone, "doctor"], options),
    (error: { status: number; stdout: string; stderr: string }) => {
      assert.deepEqual([error.status, error.stdout], [2, ""])
      assert.match(
        error.stderr,
        /^gong: needs Node 24\.15 or newer; this is \d+\.\d+\.\d+\. Install it, or run npm ci in a checkout\.\n$/,
      )
      return true
    },
  )
}

function oldNode(): string | null {
  const places = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"]
  for (const node of new Set(places.map((folder) => join(folder, "node")))) {
    if (!existsSync(node)) continue
    const [major = 0, minor = 0] = execFileSync(node, ["-p", "process.versions.node"], { encoding: "utf8" })
      .split(".")
      .map(Number)
    if (major < 24 || (major === 24 && minor < 15)) return node
  }
  return null
}

function same(run: Run, out: string): void {
  assert.deepEqual([run.status, run.out, run.err], [0, out, ""])
}
