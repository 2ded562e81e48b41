import assert from "node:assert/strict"
import { once } from "node:events"
import { chmodSync, existsSync, mkdirSync, readlinkSync, symlinkSync } from "node:fs"
import type { RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import type { SecretPath } from "../../../src/host/sandbox/index.ts"
import { git, noSandbox, sandboxPlace, type SandboxPlace } from "./sandbox-fixture.ts"

const skip = noSandbox

const blank = (text: string) => (text.includes("unclear") ? null : text.replaceAll("KEY", ""))

function places(base: string): readonly SecretPath[] {
  return [
    { name: "ssh", base, path: ".ssh", says: /Permission denied \(publickey/ },
    { name: "aws", base, path: ".aws" },
    { name: "netrc", base, path: ".netrc" },
    { name: "git", base, path: ".git-credentials", says: /could not read Username for/ },
    { name: "npm", base, path: ".npmrc", blank, says: /\bE401\b/ },
  ]
}

function secretPlace(t: TestContext, revealed: readonly string[] = []): SandboxPlace {
  return sandboxPlace(t, ({ home }) => ({
    secrets: places(home),
    revealed: revealed.map((path) => join(home, path)),
  }))
}

function note(place: string, name: string, seen = "holds keys and is not shown to commands"): string {
  return `[sandbox: ${place} ${seen}; the command may work with permission: run it again with unsandboxed: true. For good the user can set sandbox.reveal to ["${name}"]]`
}

test(
  "a command that fails for a hidden secret gets a note with the path and the setting that reveals it",
  { skip },
  async (t) => {
    const here = secretPlace(t)
    here.put("home/.ssh/id", "k")
    here.put("home/.netrc", "k")
    here.put("home/.npmrc", "token=KEY\n")
    const ssh = note(`${here.home}/.ssh`, "ssh")
    assert.equal((await here.inside("cat ~/.ssh/id")).note, ssh)
    assert.equal((await here.inside("echo k > ~/.ssh/new")).note, ssh, "nothing can be made there")
    assert.equal((await here.inside("echo 'git@x: Permission denied (publickey).' >&2; exit 128")).note, ssh)
    assert.equal((await here.inside("cat ~/.netrc")).note, note(`${here.home}/.netrc`, "netrc"))
    const partly = note(`${here.home}/.npmrc`, "npm", "is shown to commands without its keys")
    assert.equal((await here.inside("echo 'npm error code E401'; false")).note, partly)
    assert.equal((await here.inside("cat ~/.ssh/id; true")).note, undefined, "the command did not fail")
    assert.equal((await here.inside("echo ~/.ssh; false")).note, undefined, "the line speaks of no failure")
    assert.equal((await here.inside("cat ~/.ssh-x/id; false")).note, undefined, "another place")
    const aws = await here.inside("cat ~/.aws/credentials")
    assert.equal(aws.note, undefined, "what is not there was not kept from anybody")
  },
)

test("settings are visible without their keys, unchanged without keys, and hidden if unclear", async (t) => {
  if (skip !== false) return t.skip(skip)
  const here = secretPlace(t)
  const seen = async (text: string) => {
    here.put("home/.npmrc", text)
    return (await here.inside("cat ~/.npmrc; echo x 2>/dev/null >> ~/.npmrc")).out
  }
  assert.equal(await seen("registry=r\ntoken=KEY\n"), "registry=r\ntoken=\n")
  assert.equal(await seen("registry=r\ntoken=K2Y\n"), "registry=r\ntoken=K2Y\n", "it changed within a moment")
  assert.match(await seen("unclear KEY"), /Permission denied/)
  assert.match(await seen(`KEY${"x".repeat(1_000_001)}`), /Permission denied/)
  assert.equal(here.text("home/.npmrc").length, 1_000_004, "nothing was written to it")
})

test("revealed paths are visible, also inside a hidden folder", { skip }, async (t) => {
  const here = secretPlace(t, [".ssh/known_hosts", ".netrc"])
  for (const path of [".ssh/known_hosts", ".ssh/id", ".netrc"]) here.put(`home/${path}`, "text\n")
  assert.equal((await here.inside("ls -A ~/.ssh; cat ~/.ssh/known_hosts ~/.netrc")).out, "known_hosts\ntext\ntext\n")
  assert.equal((await here.inside("echo x > ~/.ssh/known_hosts")).code, 1)
})

test("programs of the PATH inside a hidden folder can be started, and no other file read", { skip }, async (t) => {
  const here = sandboxPlace(
    t,
    ({ home }) => ({ secrets: places(home) }),
    ({ home, env }) => ({ PATH: `${home}/.aws/bin:${home}/.ssh:${env["PATH"]}` }),
  )
  for (const path of [".aws/bin/mine", ".ssh/id"]) here.put(`home/${path}`, "#!/bin/sh\necho started\n")
  here.put("home/.aws/credentials", "k\n")
  chmodSync(here.at("home/.aws/bin/mine"), 0o755)
  assert.equal((await here.inside("mine; ls ~/.aws; ls -A ~/.ssh; echo x > ~/.aws/bin/mine")).code, 1)
  assert.equal((await here.inside("mine; ls ~/.aws; ls -A ~/.ssh")).out, "started\nbin\n")
})

test("a revealed path that is missing, or a link in a cache, does not fail commands", { skip }, async (t) => {
  const here = sandboxPlace(t, ({ home }) => ({
    secrets: [...places(home), { name: "java", base: home, path: ".gradle/gradle.properties", blank }],
    revealed: [join(home, ".ssh/known_hosts")],
  }))
  here.put("home/.ssh/id", "k\n")
  assert.equal((await here.inside("ls -A ~/.ssh")).out, "")
  mkdirSync(here.at("home/.gradle"))
  const settings = "~/.gradle/gradle.properties"
  assert.equal(
    (await here.again({}).inside(`ln -s /etc/hostname ${settings}`)).code,
    0,
    "in the cache of the workspace",
  )
  here.put("home/.gradle/gradle.properties", "a=b\ntoken=KEY\n")
  assert.doesNotMatch((await here.again({}).inside(`cat ${settings}; true`)).out, /KEY/)
  assert.equal((await here.again({}).inside(`rm ${settings}`)).code, 0)
  assert.equal((await here.again({}).inside(`cat ${settings}`)).out, "a=b\ntoken=\n")
})

test("secret names inside the workspace stay visible, and so does a root inside a secret folder", async (t) => {
  if (skip !== false) return t.skip(skip)
  const here = secretPlace(t)
  here.put("home/repo/.env", "mine\n")
  here.put("home/repo/.npmrc", "token=KEY\n")
  here.put("home/repo/aws/credentials", "mine\n")
  symlinkSync(here.at("home/repo/aws"), here.at("home/.aws"))
  assert.equal((await here.inside("cat .env .npmrc ~/.aws/credentials")).out, "mine\ntoken=KEY\nmine\n")
  here.put("home/.ssh/repo/file", "mine\n")
  here.put("home/.ssh/id", "k\n")
  const inner = here.again({ roots: [here.at("home/.ssh/repo"), here.temp] })
  assert.equal((await inner.inside("cat ~/.ssh/repo/file; ls ~/.ssh")).out, "mine\nrepo\n")
  const whole = here.again({ roots: [here.at("home/.ssh"), here.temp] })
  assert.equal((await whole.inside("cat ~/.ssh/id")).out, "k\n", "who works in it meant it")
})

test("a variable that names a device, or a folder with the home, hides nothing", { skip }, async (t) => {
  const here = sandboxPlace(t, ({ home }) => ({
    secrets: [
      { name: "npm", base: "/", path: "dev/null", blank },
      { name: "gpg", base: "/", path: home.slice(1) },
    ],
  }))
  here.put("home/file", "text\n")
  assert.equal((await here.inside("echo gone > /dev/null; cat ~/file")).out, "text\n")
})

test("secrets are searched again before each command", { skip }, async (t) => {
  const here = secretPlace(t)
  assert.equal((await here.inside("ls -d ~/.ssh")).code, 2)
  here.put("home/.ssh/id", "k\n")
  assert.equal((await here.inside("ls -A ~/.ssh")).out, "")
  mkdirSync(here.at("other"))
  assert.equal((await here.again({ secrets: [] }).inside("cat ~/.ssh/id")).out, "k\n")
})

test("a secret behind a link stays hidden after the link is removed, for later and concurrent commands, and the link is restored", async (t) => {
  if (skip !== false) return t.skip(skip)
  const here = sandboxPlace(t, ({ home, temp }) => ({ secrets: places(home), roots: [home, temp] }))
  const [link, key] = [here.at("home/.aws"), here.put("other/aws/credentials", "k\n")]
  symlinkSync(here.at("other/aws"), link)
  assert.equal((await here.inside(`cat ${key}`)).code, 1)
  const first = here.inside("rm ~/.aws; while [ ! -e ~/end ]; do sleep 0.01; done")
  while (existsSync(link)) await new Promise((wait) => setTimeout(wait, 10))
  const meanwhile = await here.inside(`cat ${key}`)
  here.put("home/end", "")
  await first
  assert.equal(meanwhile.code, 1, "while the other runs")
  assert.equal(readlinkSync(link), here.at("other/aws"))
  assert.equal((await here.inside(`cat ${key}`)).code, 1)
})

test("a settings file with two syntaxes is hidden", { skip }, async (t) => {
  const other = (text: string) => text.replaceAll("TOKEN", "")
  const here = sandboxPlace(t, ({ home }) => ({
    secrets: [...places(home), { name: "java", base: home, path: "settings.xml", blank: other }],
  }))
  here.put("home/settings.xml", "KEY TOKEN\n")
  symlinkSync("settings.xml", here.at("home/.npmrc"))
  assert.match((await here.inside("cat ~/settings.xml")).out, /Permission denied/)
  here.put("home/settings.xml", "TOKEN x\n")
  assert.equal((await here.inside("cat ~/.npmrc")).out, " x\n")
})

async function serve(t: TestContext, answer: RequestListener): Promise<string> {
  const server = process.getBuiltinModule("node:http").createServer(answer).listen(0, "127.0.0.1")
  await once(server, "listening")
  t.after(() => server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

test("npm queries the private registry of ~/.npmrc without its token, and the note says why", { skip }, async (t) => {
  const seen: (string | undefined)[] = []
  const address = await serve(t, ({ headers }, response) => {
    seen.push(headers.authorization)
    response.statusCode = headers.authorization === "Bearer KEY" ? 200 : 401
    response.end(JSON.stringify({ name: "corp", "dist-tags": { latest: "1.2.3" }, versions: { "1.2.3": {} } }))
  })
  const here = secretPlace(t)
  here.put("home/.npmrc", `registry=http://${address}/\n//${address}/:_authToken=KEY\nfetch-retries=0\n`)
  const view = "npm view corp dist-tags.latest"
  const refused = await here.inside(view)
  assert.match(refused.note ?? "", /\.npmrc is shown to commands without its keys; .* sandbox\.reveal to \["npm"\]/)
  assert.deepEqual([...new Set(seen)], [undefined], "it was asked, and no other registry")
  const shown = here.again({ secrets: places(here.home).filter(({ name }) => name !== "npm") })
  assert.equal((await shown.inside(view)).out, "1.2.3\n")
})

test("git does not get a stored password, and the note says why; ~/.gitconfig is readable", { skip }, async (t) => {
  const address = await serve(t, (_, response) => {
    response.writeHead(401, { "www-authenticate": "Basic" }).end()
  })
  const here = secretPlace(t)
  here.put("home/.gitconfig", "[credential]\n\thelper = store\n[alias]\n\tmine = version\n")
  here.put("home/.git-credentials", `http://me:KEY@${address}\n`)
  git(here.repo, "init", "-q")
  const asked = await here.inside(`GIT_TERMINAL_PROMPT=0 git ls-remote http://${address}/x.git`)
  assert.equal(asked.note, note(`${here.home}/.git-credentials`, "git"))
  assert.equal((await here.inside("git mine")).code, 0)
})
