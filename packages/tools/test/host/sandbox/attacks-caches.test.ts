import assert from "node:assert/strict"
import type { AddressInfo } from "node:net"
import { test, type TestContext } from "node:test"
import { attacks } from "@gong/testing/attacks"
import { mkdirSync } from "node:fs"
import { createSandboxedHost } from "../../../src/host/sandbox/index.ts"
import { filled, poisonable } from "./attack-cases/caches.ts"
import { defaults, noSandbox, sandboxPlace, type SandboxPlace } from "./sandbox-fixture.ts"

// Cached files are run by the next build: by the user outside, or by a command of another workspace.

const skip = noSandbox

const put = (path: string): string => `mkdir -p $(dirname ${path}) && echo changed > ${path}`

/** `path`: of the file; `cache`: its cache folder in the home or in temp. */
const ways: Readonly<Record<string, (path: string, cache: string) => string>> = {
  "by writing over it": (path) => `echo changed > ${path}`,
  "by putting another in its stead": (path) => `echo changed > new && mv -f new ${path}`,
  "by moving its folder away": (path) => `mv $(dirname ${path}) away; ${put(path)}`,
  "by moving the cache away": (path, cache) => `mv ${cache} away; ${put(path)}`,
}

/** After each attack the result is copied and moved files are restored for the next. */
function scriptOf(here: SandboxPlace, command: (path: string, cache: string) => string): string {
  const lines = Object.values(poisonable).map((path, at) => {
    const cache = here.at(path.split("/").slice(0, 2).join("/"))
    const back = `[ ! -e away ] || { rm -rf ${cache}; cp -r away ${cache}; rm -rf away; }`
    return `${command(here.at(path), cache)}\ncp ${here.at(path)} seen-${at}\n${back}`
  })
  return lines.join("\n")
}

for (const [way, command] of Object.entries(ways))
  attacks(
    `[SAFE-13] the user's caches stay as they are, ${way}`,
    Object.keys(poisonable),
    async (t, guard) => {
      const here = sandboxPlace(t)
      filled(here)
      await here[guard === "on" ? "inside" : "outside"](scriptOf(here, command))
      // Inside, a command sees what it wrote to its own cache; the files outside count.
      const text = (path: string, at: number) => here.text(guard === "on" ? path : `home/repo/seen-${at}`)
      return Object.entries(poisonable).flatMap(([name, path], at) => (text(path, at) === "mine\n" ? [] : [name]))
    },
    { skip },
  )

const npx = "npx --yes poisoned-tool@1.0.0"
/** As npx unpacks a package: it uses an installed version without a further check. */
const plantNpx = `node -e '
  const { createHash } = require("crypto"), fs = require("fs")
  const id = createHash("sha512").update("poisoned-tool@1.0.0").digest("hex").slice(0, 16)
  const at = process.env.HOME + "/.npm/_npx/" + id + "/node_modules/"
  fs.mkdirSync(at + "poisoned-tool", { recursive: true })
  fs.mkdirSync(at + ".bin")
  fs.writeFileSync(at + "../package.json", JSON.stringify({ dependencies: { "poisoned-tool": "1.0.0" } }))
  fs.writeFileSync(at + "poisoned-tool/package.json", JSON.stringify({ name: "poisoned-tool", version: "1.0.0", bin: "x.js" }))
  fs.writeFileSync(at + "poisoned-tool/x.js", "#!/usr/bin/env node\\nconsole.log(\\"poison ran\\")\\n", { mode: 0o755 })
  fs.symlinkSync("../poisoned-tool/x.js", at + ".bin/poisoned-tool")
'`
const plantPrompt = `mkdir -p ~/.cache && echo 'echo poison ran' > ~/.cache/p10k-instant-prompt-me.zsh`
const prompt = "[ ! -r ~/.cache/p10k-instant-prompt-me.zsh ] || . ~/.cache/p10k-instant-prompt-me.zsh"

/** What a command plants, and the later command of the user that would run it. */
const later: Readonly<Record<string, readonly [plant: string, user: string]>> = {
  "npx with a package that lies in its cache": [plantNpx, npx],
  "a shell that reads its cached prompt": [plantPrompt, prompt],
}

for (const [name, [plant, user]] of Object.entries(later)) {
  test(
    `[SAFE-13] cache content written by a command is not run by the user: ${name} (attack with control)`,
    { skip },
    async (t) => {
      const registry = await registryOf(t)
      const here = sandboxPlace(t, {}, () => ({ npm_config_registry: registry, npm_config_fetch_retries: "0" }))
      assert.equal((await here.inside(plant)).code, 0)
      assert.doesNotMatch((await here.outside(user)).out, /poison ran/)
      assert.match((await here.inside(user)).out, /poison ran/, "to the commands of this workspace it is a cache")
      assert.doesNotMatch((await otherWorkspace(here)(user)).out, /poison ran/, "and to those of another it is not")
      assert.equal((await here.outside(plant)).code, 0)
      assert.match((await here.outside(user)).out, /poison ran/, "without the sandbox it is run")
    },
  )
}

/** Knows the package that npx requests, but does not have it. */
async function registryOf(t: TestContext): Promise<string> {
  const version = {
    name: "poisoned-tool",
    version: "1.0.0",
    bin: "x.js",
    dist: { tarball: "http://127.0.0.1:1/none.tgz" },
  }
  const packument = { name: version.name, "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } }
  const server = process.getBuiltinModule("node:http").createServer((request, response) => {
    response.statusCode = request.url === "/poisoned-tool" ? 200 : 404
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify(packument))
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

function otherWorkspace(here: SandboxPlace) {
  const repo = here.at("home/other")
  mkdirSync(repo, { recursive: true })
  const options = { ...defaults([repo, here.temp]), caches: here.at("caches of another") }
  const host = createSandboxedHost({ ...here.plain, cwd: repo }, options)
  return async (command: string) => {
    let out = ""
    const onData = (bytes: Uint8Array) => void (out += Buffer.from(bytes).toString())
    return { ...(await host.exec(command, { cwd: repo, signal: new AbortController().signal, onData })), out }
  }
}
