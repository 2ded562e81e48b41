import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { textOf } from "@gong/spec"
import type { PlayedCall, Turn } from "@gong/testing/model-server"
import { eventsOf, ofType, openStage, type Run, type Stage } from "./harness.ts"

const bwrap = "/usr/bin/bwrap"
const skip = whyNot()

function whyNot(): string | false {
  const tried = spawnSync(bwrap, ["--ro-bind", "/", "/", "--unshare-pid", "--proc", "/proc", "--", bwrap, "--version"])
  return tried.status === 0 ? false : "no sandbox works on this machine"
}

const done: Turn = { text: "done" }
const on = { env: { GONG_SANDBOX: undefined } }

function bash(command: string, more = {}): PlayedCall {
  return { name: "bash", args: { command, ...more } }
}

async function results(stage: Stage, args: readonly string[], ...calls: readonly PlayedCall[]) {
  stage.server.begin([{ calls }, done])
  const run = await stage.gong(["--output", "events", ...args, "go"], on)
  const events = eventsOf(run)
  const ends = ofType(events, "tool_execution_end")
  const session = ofType(events, "session")[0]
  return { run, session, statuses: ends.map(({ status }) => status), texts: ends.map(textOf) }
}

test(
  "[SAFE-29] commands cannot change files that other programs execute, and the model gets the reason",
  { skip },
  async (t) => {
    const stage = await openStage(t)
    stage.write({ ".vscode/tasks.json": "mine\n" })
    const { texts } = await results(stage, [], bash("echo no > .vscode/tasks.json"), bash("echo no > .ENVRC"))
    assert.equal(stage.read(".vscode/tasks.json"), "mine\n")
    assert.match(texts[0] ?? "", /blocked write to .*tasks\.json; the command may work with permission/)
    assert.match(
      texts[1] ?? "",
      /\.ENVRC was renamed to .*\.ENVRC\.sandbox, since programs outside the sandbox run what it says/,
    )
    assert.equal(existsSync(join(stage.repo, ".ENVRC")), false)
  },
)

test("with a sandbox, headless auto runs commands in it; access outside is blocked", { skip }, async (t) => {
  const stage = await openStage(t)
  writeFileSync(join(stage.root, "outside"), "mine")
  const { session, statuses, texts } = await results(
    stage,
    [],
    bash(
      "echo made > here && git add here && git -c user.name=t -c user.email=t@t commit -qm made && git status --short",
    ),
    bash("echo no > ../outside"),
    bash("mkdir .gong && echo x > .gong/settings.json; git config core.fsmonitor x"),
    bash("git push origin main"),
  )
  assert.deepEqual(session?.sandbox, { mode: "workspace", enforced: ["files", "processes"] })
  assert.equal(session.permission, "auto")
  assert.deepEqual(statuses, ["ok", "error", "error", "refused"])
  assert.equal(stage.read("here"), "made\n")
  assert.equal(readFileSync(join(stage.root, "outside"), "utf8"), "mine")
  assert.match(texts[2] ?? "", /\.gong was renamed to .*\.gong\.sandbox/)
  assert.equal(existsSync(join(stage.repo, ".gong")), false)
  assert.doesNotMatch(stage.read(".git/config"), /fsmonitor/)
})

test("the keys of Gong's home cannot be read by a command, and its settings cannot be written", { skip }, async (t) => {
  const stage = await openStage(t)
  await stage.gong(["--no-tools", "hi"])
  const auth = join(stage.gongHome, "auth.json")
  writeFileSync(auth, "{}\n", { mode: 0o600 })
  const read = `cat ${auth} > size 2>/dev/null; echo x > ${stage.gongHome}/settings.json`
  await results(stage, ["--add-dir", stage.root], bash(read))
  assert.equal(stage.read("size"), "")
  assert.equal(existsSync(join(stage.gongHome, "settings.json")), false)
  stage.server.begin([{ calls: [bash(read)] }, done])
  await stage.gong(["--yolo", "go"])
  assert.deepEqual([stage.read("size"), existsSync(join(stage.gongHome, "settings.json"))], ["{}\n", true])
})

test("keys of the user are hidden from commands, except those in sandbox.reveal", { skip }, async (t) => {
  const stage = await openStage(t)
  stage.write({ [`${stage.home}/.ssh/id`]: "key\n", [`${stage.home}/.kube/config`]: "moved\n" })
  stage.write({
    [`${stage.home}/.npmrc`]: "registry=r\n//r/:_authToken=key\n",
    [`${stage.gongHome}/settings.json`]: "{}",
  })
  const look = bash("f=~; cat $f/.npmrc; cat $f/.ssh/id $f/.kube/config")
  const hidden = await results(stage, [], look)
  assert.match(hidden.texts[0] ?? "", /^registry=r\n\/\/r\/:_authToken=""\ncat: /)
  assert.match(hidden.texts[0] ?? "", /sandbox\.reveal to \["kube"\]/)
  const shown = await results(stage, ["--set", "sandbox.reveal=ssh,npm,~/.kube/config"], look)
  assert.equal(shown.texts[0], "registry=r\n//r/:_authToken=key\nkey\nmoved\n")
  stage.server.begin([done])
  const wrong = await stage.gong(["-p", "--set", "sandbox.reveal=shh", "hi"], on)
  assert.deepEqual(
    [wrong.status, wrong.err],
    [2, 'gong: sandbox.reveal: there is no secret "shh". Did you mean ssh?\n'],
  )
})

test("caches of commands are stored in Gong's home by workspace, and reused", { skip }, async (t) => {
  const stage = await openStage(t)
  const cached = `${stage.home}/.cache/tool`
  await results(stage, [], bash(`echo kept > ${cached}`))
  const again = await results(stage, ["--no-session"], bash(`cat ${cached}`))
  assert.deepEqual(again.texts, ["kept\n"])
  assert.equal(existsSync(cached), false)
  const [workspace = "", ...more] = readdirSync(join(stage.gongHome, "cache/tools"))
  assert.match(workspace, /^repo-[0-9a-f]{16}$/)
  assert.deepEqual(more, [])
  assert.equal(readFileSync(join(stage.gongHome, "cache/tools", workspace, "home/.cache/tool"), "utf8"), "kept\n")
  const found = (await stage.gong(["doctor"], on)).out
  assert.match(found, /^caches +\/\S+\/cache; of package managers in the sandbox: 0 MB, workspaces 1$/m)
  await results(stage, [], bash(`echo x >> $(dirname ${cached})/../../gong/cache/tools/${workspace}/home/.cache/tool`))
  assert.equal(readFileSync(join(stage.gongHome, "cache/tools", workspace, "home/.cache/tool"), "utf8"), "kept\n")
})

test("plan runs commands that cannot write; full has no sandbox by default", { skip }, async (t) => {
  const stage = await openStage(t)
  stage.write({ "a.txt": "text" })
  const plan = await results(
    stage,
    ["--permission", "plan"],
    bash("cat a.txt | tr t T"),
    bash("echo x > a.txt"),
    bash("curl x"),
  )
  assert.deepEqual(plan.session?.sandbox, { mode: "read-only", enforced: ["files", "processes"] })
  assert.deepEqual([plan.statuses, plan.texts[0], stage.read("a.txt")], [["ok", "error", "refused"], "TexT", "text"])

  const env = { GONG_SANDBOX: undefined }
  const line = async (...args: readonly string[]) => {
    stage.server.begin([done])
    return (await stage.gong(["-p", ...args, "hi"], { env })).err
  }
  assert.match(await line("--yolo"), / · full · sandbox: off\n/)
  assert.match(await line("--yolo", "--sandbox", "workspace"), / · full · sandbox: files, network open\n/)
  assert.match(await line("--network", "off"), / · auto · sandbox: files, no network\n/)
  assert.match(await line("--sandbox", "off"), / · auto · sandbox: off\n/)
})

test("the sandbox test is cached per boot; doctor repeats it", { skip }, async (t) => {
  const stage = await openStage(t)
  const kept = join(stage.gongHome, "sandbox.json")
  const line = async () => {
    stage.server.begin([done])
    return (await stage.gong(["-p", "hi"], on)).err
  }
  assert.match(await line(), / · auto · sandbox: files, network open\n/)
  const known = JSON.parse(readFileSync(kept, "utf8")) as Record<string, unknown>
  writeFileSync(kept, JSON.stringify({ ...known, reason: "as it was kept" }))
  assert.match(await line(), / · auto · sandbox: off \(as it was kept; gong doctor explains\)\n/)
  writeFileSync(kept, JSON.stringify({ key: "another boot", reason: "as it was kept" }))
  assert.match(await line(), / · auto · sandbox: files, network open\n/)
  writeFileSync(kept, JSON.stringify({ ...known, reason: "as it was kept" }))
  assert.match((await stage.gong(["doctor"], on)).out, /^sandbox +\/usr\/bin\/bwrap works/m)
  assert.match(await line(), / · auto · sandbox: files, network open\n/)
})

test("an unavailable sandbox: off with the reason, or exit 2 if it was requested", { skip }, async (t) => {
  const stage = await openStage(t)
  const node = join(stage.root, "node-without-bwrap")
  // A Node that sees no program at bubblewrap's place.
  writeFileSync(
    node,
    `#!/bin/sh\nexec ${bwrap} --dev-bind / / --ro-bind /dev/null ${bwrap} -- ${process.execPath} "$@"\n`,
  )
  chmodSync(node, 0o755)
  const run = (...args: readonly string[]): Promise<Run> => {
    stage.server.begin([{ calls: [bash("make install")] }, done])
    return stage.gong(["-p", ...args, "hi"], { ...on, node })
  }
  const fallen = await run()
  assert.match(
    fallen.err,
    / · auto · sandbox: off \(\/usr\/bin\/bwrap cannot be run \(.*EACCES\); gong doctor explains\)\n/,
  )
  const asked = await run("--sandbox", "workspace")
  assert.deepEqual([asked.status, asked.out], [2, ""])
  assert.match(
    asked.err,
    /^gong: --sandbox workspace is not available here: .* \(gong doctor explains\)\. --sandbox off runs without it\.\n$/,
  )
})

test(
  "a blocked access is reported with the way to request it; headless the request is refused and names the flag",
  { skip },
  async (t) => {
    const stage = await openStage(t)
    writeFileSync(join(stage.root, "outside"), "mine")
    const write = "echo changed > ../outside"
    const line = `[sandbox: blocked write to ${stage.root}/outside; the command may work with permission: run it again with unsandboxed: true]`
    const blocked = await results(stage, [], bash(write), bash(write, { unsandboxed: true }))
    assert.deepEqual(blocked.statuses, ["error", "refused"])
    assert.ok(blocked.texts[0]?.includes(line), blocked.texts[0])
    assert.match(blocked.texts[1] ?? "", /outside the sandbox needs permission .* with .*--sandbox off\./)
    assert.equal(readFileSync(join(stage.root, "outside"), "utf8"), "mine")
    const allowed = await results(stage, ["--allow", "bash"], bash(write, { unsandboxed: true }))
    assert.deepEqual([allowed.statuses, readFileSync(join(stage.root, "outside"), "utf8")], [["ok"], "changed\n"])
  },
)

test("git settings are written outside of the sandbox if permitted", { skip }, async (t) => {
  const stage = await openStage(t)
  const add = bash("git remote add origin https://example.invalid/a.git")
  assert.deepEqual((await results(stage, [], add)).statuses, ["refused"])
  assert.deepEqual((await results(stage, ["--allow", "bash(git remote *)"], add)).statuses, ["ok"])
  assert.match(stage.read(".git/config"), /url = https:\/\/example\.invalid\/a\.git/)
  // In a folder a command could have made a repository with hooks of its own.
  stage.write({ "sub/a": "" })
  const args = ["--allow", "bash(git remote *)", "--cwd", "sub"]
  const below = await results(stage, args, bash("git remote add other https://example.invalid/b.git"))
  assert.deepEqual(below.statuses, ["error"])
  assert.doesNotMatch(stage.read(".git/config"), /other/)
})
