import assert from "node:assert/strict"
import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { openStage } from "./harness.ts"

const unset = { GONG_MODEL: undefined }

test("gong config set, get, unset: one value changes, comments and both spellings stay, and overrides are reported", async (t) => {
  const stage = await openStage(t)
  const path = join(stage.gongHome, "settings.json")
  const before =
    '{\n  // my models\n  "model": "openai/gpt-x", // kept\n  "bash": { "timeout": 60, },\n  "limits.maxTime": "5m",\n}\n'
  stage.write({ [path]: before })
  const set = await stage.gong(["config", "set", "bash.timeout", "300"], { env: unset })
  assert.deepEqual([set.status, set.err, set.out], [0, "", `bash.timeout is 300 in ${path}.\n`])
  assert.equal(readFileSync(path, "utf8"), before.replace("60", "300"))
  await stage.gong(["config", "set", "limits.maxTime", "90s"])
  await stage.gong(["config", "set", "env.allow", "A_KEY,B_KEY"])
  await stage.gong(["config", "set", "bash.background", "off"])
  const now = readFileSync(path, "utf8")
  assert.match(now, /\/\/ my models[^]*\/\/ kept[^]*"limits\.maxTime": "90s"/)
  assert.match(now, /"background": false/)
  assert.match(now, /"allow": \[\s*"A_KEY",\s*"B_KEY"\s*\]/)

  const got = await stage.gong(["config", "get", "limits.maxTime", "--json"])
  assert.deepEqual(JSON.parse(got.out), { name: "limits.maxTime", value: 90_000, origin: path })
  assert.equal((await stage.gong(["config", "get", "env.allow"])).out, "A_KEY,B_KEY\n")

  const beaten = await stage.gong(["config", "set", "model", "a/b"])
  assert.equal(beaten.out, `model is a/b in ${path}. Here GONG_MODEL has precedence: mock.\n`)
  const gone = await stage.gong(["config", "unset", "bash.timeout"], { env: unset })
  assert.equal(gone.out, `bash.timeout is not set in ${path}.\n`)
  assert.equal((await stage.gong(["config", "get", "bash.timeout"])).out, "120\n")
})

test("gong config list shows the source of every setting: file of the user or the project, environment, --set, option, default", async (t) => {
  const stage = await openStage(t)
  const user = join(stage.gongHome, "settings.json")
  const project = join(stage.repo, ".gong/settings.json")
  stage.write({ [user]: '{"writeGuard": "off"}', [project]: '{"bash.timeout": 7, "permission": "full"}' })
  const run = await stage.gong(
    ["config", "list", "--json", "--trust", "yes", "--set", "stream.gap=9", "--max-turns", "3"],
    {},
  )
  assert.equal(run.status, 0)
  assert.equal(run.err, `gong: ${project}:1: "permission" is ignored: a project cannot set it.\n`)
  const { settings } = JSON.parse(run.out) as { settings: { name: string; value: unknown; origin: string }[] }
  const of = (name: string) =>
    settings.filter((row) => row.name === name).map(({ value, origin }) => [value, origin])[0]
  assert.deepEqual(of("writeGuard"), ["off", user])
  assert.deepEqual(of("bash.timeout"), [7, project])
  assert.deepEqual(of("model"), ["mock", "GONG_MODEL"])
  assert.deepEqual(of("stream.gap"), [9, "--set"])
  assert.deepEqual(of("limits.maxTurns"), [3, "--max-turns"])
  assert.deepEqual(of("permission"), [null, "default"])

  const untrusted = await stage.gong(["config"])
  assert.match(untrusted.out, /^bash\.timeout +120 +default$/m)
  assert.match(untrusted.err, /1 settings file, which was not loaded \(not trusted\)/)
  const bare = await stage.gong(["config", "--bare", "--trust", "yes"])
  assert.match(bare.out, /^writeGuard +on +default$/m)
})

test("gong config --project writes into the project, except user-only settings; path shows both files", async (t) => {
  const stage = await openStage(t)
  const path = join(stage.repo, ".gong/settings.json")
  const run = await stage.gong(["config", "set", "--project", "bash.timeout", "9"])
  assert.equal(run.out, `bash.timeout is 9 in ${path}.\n`)
  assert.deepEqual(JSON.parse(stage.read(".gong/settings.json")), { bash: { timeout: 9 } })
  const refused = await stage.gong(["config", "set", "--project", "permission", "full"])
  assert.deepEqual([refused.status, refused.out], [2, ""])
  assert.equal(refused.err, 'gong: "permission" cannot be set by a project. Without --project it is set for you.\n')
  assert.ok(!existsSync(join(stage.gongHome, "settings.json")), "nothing of the user's was changed")
  const paths = await stage.gong(["config", "path"])
  assert.equal(paths.out, `user     ${join(stage.gongHome, "settings.json")}\nproject  ${path}\n`)
})

test("gong config: an unknown name, an invalid value and an invalid file are one line each, and change nothing", async (t) => {
  const stage = await openStage(t)
  const path = join(stage.gongHome, "settings.json")
  const lines: readonly (readonly [readonly string[], string])[] = [
    [
      ["set", "bash.timeuot", "9"],
      'gong: there is no setting "bash.timeuot". Did you mean bash.timeout? gong config list shows all.\n',
    ],
    [["set", "bash.timeout", "soon"], 'gong: "bash.timeout" must be a whole number from 1, not "soon".\n'],
    [["get", "x"], 'gong: there is no setting "x". gong config list shows all.\n'],
    [["set", "model"], 'gong: "config set" needs a value: gong config set NAME VALUE\n'],
    [["list", "--project"], "gong: --project works only with gong config set and unset, not with list.\n"],
    [["list", "--set", "modle=a"], 'gong: --set: there is no setting "modle". Did you mean model?\n'],
  ]
  for (const [words, line] of lines) {
    const run = await stage.gong(["config", ...words])
    assert.deepEqual([run.status, run.out, run.err], [2, "", line])
  }
  assert.ok(!existsSync(path))
  const broken = '{\n  "model": "a/b"\n  "tools": "minimal"\n}\n'
  stage.write({ [path]: broken })
  const set = await stage.gong(["config", "set", "model", "c/d"])
  assert.deepEqual(
    [set.status, set.err],
    [2, `gong: ${path}:3:3: comma expected. Fix it there or move the file away.\n`],
  )
  assert.equal(readFileSync(path, "utf8"), broken)
  const wrong = '{"model": "a/b", "bash.timeout": "soon"}'
  stage.write({ [path]: wrong })
  const list = await stage.gong(["config", "list"])
  assert.deepEqual([list.status, list.err], [2, `gong: ${path}:1: "bash.timeout" must be a number, not "soon".\n`])
  const mended = await stage.gong(["config", "set", "bash.timeout", "30"])
  assert.deepEqual([mended.status, mended.err], [0, ""])
  assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), { model: "a/b", "bash.timeout": 30 })
})

test("[PROMPT-5] [PROMPT-12] gong config prompt shows the parts with sizes and sources; those of a trusted project come first", async (t) => {
  const stage = await openStage(t)
  const piHome = join(stage.home, ".pi/agent")
  stage.write({
    "AGENTS.md": "Use tabs.",
    ".pi/SYSTEM.md": "You are the project's.",
    ".pi/APPEND_SYSTEM.md": "Project's addition.",
    [join(piHome, "SYSTEM.md")]: "You are the user's.",
    [join(stage.gongHome, "APPEND_SYSTEM.md")]: "User's addition.",
  })
  interface Part {
    name: string
    bytes: number
    from: string[]
    text: string
  }
  const partsOf = async (...args: readonly string[]): Promise<ReadonlyMap<string, Part>> => {
    const run = await stage.gong(["config", "prompt", "--json", ...args])
    assert.equal(run.status, 0, run.err)
    const { parts } = JSON.parse(run.out) as { parts: Part[] }
    return new Map(parts.map((part) => [part.name, part]))
  }
  const trusted = await partsOf("--trust", "yes")
  assert.deepEqual(trusted.get("own prompt")?.from, [join(stage.repo, ".pi/SYSTEM.md")])
  assert.equal(trusted.get("own prompt")?.text, "You are the project's.")
  assert.equal(trusted.get("appended")?.text, "Project's addition.")
  assert.deepEqual(trusted.get("appended")?.from, [join(stage.repo, ".pi/APPEND_SYSTEM.md")])
  assert.equal(trusted.get("role"), undefined)

  const untrusted = await partsOf()
  assert.deepEqual(untrusted.get("own prompt")?.from, [join(piHome, "SYSTEM.md")])
  assert.deepEqual(untrusted.get("appended")?.from, [join(stage.gongHome, "APPEND_SYSTEM.md")])
  assert.deepEqual(untrusted.get("context files")?.from, [join(stage.repo, "AGENTS.md")])

  const given = await partsOf("--system-prompt", "A poet.", "--append-system-prompt", "In verse.", "--no-context")
  assert.deepEqual([given.get("own prompt")?.text, given.get("own prompt")?.from], ["A poet.", ["--system-prompt"]])
  assert.deepEqual([given.get("appended")?.text, given.get("context files")], ["In verse.", undefined])

  const bare = await partsOf("--bare")
  assert.ok(bare.has("role"), "a bare run has Gong's own words")
  assert.deepEqual([...bare.keys()].slice(0, 5), ["role", "tools", "guidelines", "documentation", "date and time"])
  let fixed = 0
  for (const name of ["role", "tools", "guidelines", "documentation", "date and time", "tool schemas"])
    fixed += bare.get(name)?.bytes ?? NaN
  assert.ok(fixed <= 6 * 1024, `${fixed} bytes`)

  const shown = await stage.gong(["config", "prompt", "--tools", "read,bash"])
  assert.match(shown.out, /^context files +\d+ bytes +~\d+ tokens +.*AGENTS\.md$/m)
  assert.match(shown.out, /^tool schemas +\d+ bytes +~\d+ tokens +read, bash$/m)
  assert.ok(!existsSync(join(stage.gongHome, "sessions")), "no session was made")
})

test("gong config keeps the mode 0600 of the user's file", async (t) => {
  const stage = await openStage(t)
  await stage.gong(["config", "set", "images.block", "on"])
  assert.equal(statSync(join(stage.gongHome, "settings.json")).mode & 0o777, 0o600)
  assert.equal(statSync(stage.gongHome).mode & 0o777, 0o700)
})
