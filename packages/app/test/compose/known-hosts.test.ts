import assert from "node:assert/strict"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { test, type TestContext } from "node:test"
import { knownHosts, registriesIn, remotesIn } from "../../src/compose/network/known-hosts.ts"

function folderOf(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "gong-hosts-"))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const places = (found: readonly { readonly host: string; readonly port: number }[]) =>
  found.map(({ host, port }) => `${host}:${port}`)

test("URLs in settings of package managers are registries; comments and proxies are not", () => {
  const text = [
    "registry=https://npm.example.com/api/npm/npm-proxy/",
    "@own:registry=http://npm.example.com:4873/",
    "//npm.example.com/:_authToken=https-secret",
    "# registry=https://old.example.com",
    "proxy=http://proxy.example.com:3128",
    "https-proxy = http://proxy.example.com:3128",
    '<add key="http_proxy" value="http://proxy.example.com:3128" />',
    "<url>https://maven.example.com/public</url>",
    "GOPROXY=https://goproxy.example.com,https://second.example.com|direct",
  ].join("\n")
  assert.deepEqual(places(registriesIn(text)), [
    "npm.example.com:443",
    "npm.example.com:4873",
    "maven.example.com:443",
    "goproxy.example.com:443",
    "second.example.com:443",
  ])
})

test("the remotes of a repository come from its own settings, in every form of a URL", () => {
  const config = [
    "[core]\n\turl = https://not-a-remote.example.com/x",
    '[remote "origin"]\n\turl = git@git.example.com:own/repo.git\n\tpushurl = "https://push.example.com/own/repo"',
    '[remote "b"] url = ssh://git@ssh.example.com:2222/x',
    '[remote "c"]\n\turl = /srv/git/local\n\turl = ../up\n\turl = C:/x\n\turl = file:///srv/git',
    '[remote "d"]\n\turl = git://old.example.com/x ; note\n# url = https://commented.example.com',
    '[url "https://other.example.com/"]\n\tinsteadOf = x',
  ].join("\n")
  const found = remotesIn(config)
  assert.deepEqual(places(found), [
    "git.example.com:22",
    "push.example.com:443",
    "ssh.example.com:2222",
    "old.example.com:9418",
  ])
  assert.ok(found.every(({ near }) => !near))
})

test("the user's configuration counts, the repository's does not; a remote counts once it is added", async (t) => {
  const home = folderOf(t, { ".npmrc": "registry=https://mine.example.com/\n" })
  const repository = folderOf(t, { ".npmrc": "registry=https://evil.example.com/\n", ".git/config": "[core]\n" })
  const env = {
    PIP_INDEX_URL: "https://pip.example.com/simple",
    HTTPS_PROXY: "http://proxy.example.com:3128",
    OTHER: "https://x.example.com",
  }
  const hosts = knownHosts({ env, home, repository })
  const found = places(await hosts())
  for (const place of ["registry.npmjs.org:443", "deb.debian.org:80", "mine.example.com:443", "pip.example.com:443"])
    assert.ok(found.includes(place), place)
  assert.deepEqual(
    found.filter((place) => /evil|proxy\.example|x\.example|github/.test(place)),
    [],
  )
  writeFileSync(join(repository, ".git/config"), '[remote "origin"]\n\turl = https://github.com/own/repo\n')
  assert.ok(places(await hosts()).includes("github.com:443"))
})
