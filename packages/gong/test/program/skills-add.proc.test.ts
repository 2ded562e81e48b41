import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { gzipSync } from "node:zlib"
import { createTar } from "nanotar"
import { isSafeRelativePath } from "@gong/resources/skills/load-archive"
import { git, openStage, type Stage } from "./harness.ts"

const skill = "---\ndescription: A\n---\nBody.\n"
const installed = (stage: Stage): readonly string[] => {
  const folder = join(stage.gongHome, "skills")
  return existsSync(folder) ? readdirSync(folder).toSorted() : []
}
const add = (stage: Stage, source: string, env = {}) => stage.gong(["skills", "add", source], { env })

test("gong skills add: skills of a folder are copied without executable bits and links, and used in the next session", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "ok" } })
  stage.write({
    "tools/a/SKILL.md": skill,
    "tools/a/scripts/run.sh": "true",
    "tools/b/SKILL.md": skill,
    "tools/a/.git/x": "",
  })
  chmodSync(join(stage.repo, "tools/a/scripts/run.sh"), 0o6755)
  symlinkSync("/etc/passwd", join(stage.repo, "tools/a/passwd"))
  const run = await add(stage, "tools")
  const home = join(stage.gongHome, "skills")
  assert.deepEqual([run.status, run.err], [0, ""])
  assert.equal(
    run.out,
    `added ${home}/a, with scripts/run.sh\nadded ${home}/b\nNothing was run. Review it before you use it.\n`,
  )
  assert.deepEqual(installed(stage), ["a", "b"])
  assert.deepEqual(readdirSync(join(home, "a")).toSorted(), ["SKILL.md", "scripts"])
  assert.equal(statSync(join(home, "a/scripts/run.sh")).mode & 0o7777, 0o600)
  assert.match((await stage.gong(["skills"])).out, /^\/skill:a +user /)

  const again = await add(stage, "tools/b")
  assert.deepEqual(
    [again.status, again.err],
    [2, `gong: ${home}/b already exists; nothing was added. Move it away first.\n`],
  )
})

test("gong skills add: an invalid skill adds nothing and is reported", async (t) => {
  const stage = await openStage(t)
  stage.write({
    "bad/good/SKILL.md": skill,
    "bad/none/SKILL.md": "---\nname: none\n---\n",
    "up/x/SKILL.md": "---\nname: ../../../.ssh\ndescription: d\n---\n",
    "empty/README.md": "",
    "file.txt": "",
  })
  const cases = [
    ["bad", /^gong: bad: nothing was added\. none\/SKILL\.md:1: a skill needs a description/],
    ["up", /^gong: up: nothing was added\. x\/SKILL\.md:1: the name "\.\.\/\.\.\/\.\.\/\.ssh" may hold only/],
    ["empty", /^gong: empty: there is no SKILL\.md in it\.$/m],
    ["file.txt", /^gong: file\.txt: this is neither a folder nor a \.tgz/],
    ["nowhere", /^gong: nowhere: there is no such folder or archive/],
    ["npm:--global", /^gong: npm:--global: write npm:NAME/],
    ["npm:../x", /^gong: npm:\.\.\/x: write npm:NAME/],
    ["npm:git+ssh://x/y", /write npm:NAME/],
  ] as const
  for (const [source, expected] of cases) {
    const run = await add(stage, source)
    assert.equal(run.status, 2, source)
    assert.match(run.err, expected)
    assert.deepEqual(installed(stage), [], source)
  }
  assert.equal(existsSync(join(stage.root, ".ssh")), false)
})

/** An archive of these entries; a type other than a file's is written into the header by hand. */
function archive(entries: readonly (readonly [name: string, data: string, type?: string])[]): Uint8Array {
  const blocks = entries.map(([name, data, type]) => {
    const length = 512 + Math.ceil(data.length / 512) * 512
    const block = createTar([{ name, data, attrs: { mode: "6755" } }]).slice(0, length)
    if (type !== undefined) block[156] = type.charCodeAt(0)
    block.fill(0x20, 148, 156)
    const sum = block.subarray(0, 512).reduce((total, byte) => total + byte, 0)
    block.set(Buffer.from(`${sum.toString(8).padStart(6, "0")}\0 `), 148)
    return block
  })
  return gzipSync(Buffer.concat([...blocks, new Uint8Array(1024)]))
}

test("gong skills add: an archive cannot write outside its folder, and an endless one is refused", async (t) => {
  const stage = await openStage(t)
  const good = ["x/SKILL.md", skill] as const
  for (const name of ["../evil", `${stage.root}/evil`, "x/../../../evil", "C:\\evil", "x\\..\\..\\evil"]) {
    writeFileSync(join(stage.repo, "a.tgz"), archive([good, [name, "evil"]]))
    assert.equal((await add(stage, "a.tgz")).status, 0)
    const evil = readdirSync(stage.root, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith("evil"))
    assert.deepEqual(evil, [], name)
    assert.equal(isSafeRelativePath(name), false)
    rmSync(join(stage.gongHome, "skills/x"), { recursive: true })
  }
  const many = Array.from({ length: 2_001 }, (_, at) => [`x/f${at}`, ""] as const)
  for (const [bytes, expected] of [
    [archive([good, ...many]), /more than 2000 files/],
    [gzipSync(new Uint8Array(40_000_000)), /more than 2000 files or 33554432 bytes/],
    [gzipSync("no archive, but long enough to be looked at".repeat(40)), /no tar archive|no SKILL\.md/],
    [Buffer.from("no gzip"), /more than|no tar/],
  ] as const) {
    writeFileSync(join(stage.repo, "a.tgz"), bytes)
    const run = await add(stage, "a.tgz")
    assert.equal(run.status, 2)
    assert.match(run.err, expected)
  }
  assert.deepEqual(installed(stage), [])
  writeFileSync(
    join(stage.repo, "a.tgz"),
    archive([good, ["x/link", "", "2"], ["x/hard", "", "1"], ["x/dev", "", "3"], ["x/run.sh", "true"]]),
  )
  assert.equal((await add(stage, "a.tgz")).status, 0)
  assert.deepEqual(readdirSync(join(stage.gongHome, "skills/x")).toSorted(), ["SKILL.md", "run.sh"])
  assert.equal(statSync(join(stage.gongHome, "skills/x/run.sh")).mode & 0o7777, 0o600)
})

test("gong skills add: a git repository, without running its or the user's hooks; a branch by #", async (t) => {
  const stage = await openStage(t)
  const origin = join(stage.root, "deploy.git")
  mkdirSync(origin)
  git(origin, "init", "--quiet", "--initial-branch=main")
  writeFileSync(join(origin, "SKILL.md"), skill)
  symlinkSync("/etc/passwd", join(origin, "link"))
  git(origin, "add", ".")
  git(origin, "commit", "--quiet", "-m", "one")
  git(origin, "checkout", "--quiet", "-b", "next")
  writeFileSync(join(origin, "more.md"), "more")
  git(origin, "add", ".")
  git(origin, "commit", "--quiet", "-m", "two")
  git(origin, "checkout", "--quiet", "main")
  const trip = join(stage.root, "tripped")
  const template = join(stage.root, "template")
  mkdirSync(join(template, "hooks"), { recursive: true })
  writeFileSync(join(template, "hooks/post-checkout"), `#!/bin/sh\ntouch ${trip}\n`, { mode: 0o755 })
  // Commands of a session may write to the temporary folder: git is not run there.
  const env = { GIT_TEMPLATE_DIR: template, GIT_DIR: join(stage.repo, ".git"), TMPDIR: join(stage.root, "nowhere") }

  const run = await add(stage, `file://${origin}#next`, env)
  assert.deepEqual([run.status, run.err], [0, ""])
  const home = join(stage.gongHome, "skills/deploy")
  assert.deepEqual(readdirSync(home).toSorted(), ["SKILL.md", "link", "more.md"])
  assert.equal(readFileSync(join(home, "link"), "utf8"), "/etc/passwd", "the link is a text, and leads nowhere")
  assert.ok(statSync(join(home, "link")).isFile())
  assert.equal(existsSync(trip), false)
  const missing = await add(stage, `file://${stage.root}/nowhere`)
  assert.equal(missing.status, 2)
  assert.match(missing.err, /^gong: git failed: /)
  assert.deepEqual(readdirSync(stage.gongHome), ["skills"], "what was fetched is gone")
})

/** A registry with one package, whose scripts would create a file. */
async function registry(t: TestContext, trip: string): Promise<string> {
  const scripts = Object.fromEntries(
    ["preinstall", "install", "postinstall", "prepare", "prepack"].map((name) => [name, `touch ${trip}`]),
  )
  const manifest = { name: "@team/deploy", version: "1.0.0", scripts }
  const tarball = archive([
    ["package/package.json", JSON.stringify(manifest)],
    ["package/SKILL.md", skill],
    ["package/run.sh", "true"],
  ])
  const integrity = `sha512-${process.getBuiltinModule("node:crypto").createHash("sha512").update(tarball).digest("base64")}`
  const server = process.getBuiltinModule("node:http").createServer((request, response) => {
    const base = `http://${request.headers.host}`
    if (request.url === "/deploy.tgz") return void response.end(tarball)
    const dist = { tarball: `${base}/deploy.tgz`, integrity }
    response.setHeader("content-type", "application/json")
    response.end(
      JSON.stringify({
        name: manifest.name,
        "dist-tags": { latest: "1.0.0" },
        versions: { "1.0.0": { ...manifest, dist } },
      }),
    )
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test("gong skills add: an npm package, without any of its scripts", async (t) => {
  const stage = await openStage(t)
  const trip = join(stage.root, "tripped")
  const env = { npm_config_registry: await registry(t, trip), npm_config_cache: join(stage.root, "npm") }
  const run = await add(stage, "npm:@team/deploy", env)
  assert.deepEqual([run.status, run.err], [0, ""])
  assert.deepEqual(readdirSync(join(stage.gongHome, "skills/deploy")).toSorted(), [
    "SKILL.md",
    "package.json",
    "run.sh",
  ])
  assert.equal(existsSync(trip), false)
  assert.match(execFileSync("ls", [stage.temp], { encoding: "utf8" }), /^$/)
})
