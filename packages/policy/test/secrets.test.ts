import assert from "node:assert/strict"
import { test } from "node:test"
import { locationVariables, secretTable } from "../src/sensitive/secret-table.ts"
import { isSecret, secretsBelow, secretsOf } from "../src/sensitive/secrets.ts"

const home = "/home/u"
const owner = { home, env: {}, gongHome: "/home/u/.gong" }

test("every row of the table of secrets gives a reason, and each of its paths is unique, relative to the home", () => {
  const rows = Object.entries(secretTable)
  const paths = rows.flatMap(([, { paths = [], settings = {} }]) => [...paths, ...Object.keys(settings)])
  assert.deepEqual(paths.length, new Set(paths).size)
  for (const [name, { why }] of rows) assert.ok(why.length > 3 && /^[a-z]+$/.test(name), name)
  for (const path of paths) assert.match(path, /^[^/~].*[^/]$/)
  // A variable without an effect would not be hidden by any code.
  for (const [variable, usual] of Object.entries(locationVariables))
    assert.ok(
      secretsOf({ home, env: { [variable]: "/x/y" } }).some(({ base }) => base === "/"),
      `${variable} ${usual}`,
    )
})

test("tools and the sandbox use the same table", () => {
  for (const { base, path } of secretsOf(owner)) assert.equal(isSecret(`${base}/${path}`, owner), true, path)
  assert.equal(isSecret("/home/u/.npmrc", owner), true)
  assert.equal(isSecret("/home/u/.gitconfig", owner), false)
  assert.equal(isSecret("/home/u/shop/.npmrc", owner), false, "a project's own")
  assert.equal(isSecret("/home/u/.SSH/id", owner), true)
  for (const path of ["/proc/1/environ", "/proc/self/task/2/mem", "/etc/shadow", "/etc/gshadow-"])
    assert.equal(isSecret(path, owner), true, path)
  for (const path of ["/proc/1/environx", "/x/proc/1/environ", "/proc/1/x/environ", "/etc/shadows", "/x/etc/shadow"])
    assert.equal(isSecret(path, owner), false, path)
  assert.equal(isSecret("/x/root/.ssh/id", owner), false)
  const capitals = { home: "/X/Ann", env: { KUBECONFIG: "/K/One" }, gongHome: "/X/Gong" }
  for (const path of ["/X/Gong/auth.json", "/x/gong/MCP.json", "/x/ann/.ssh/id", "/k/one"])
    assert.equal(isSecret(path, capitals), true, path)
  assert.deepEqual(secretsBelow("/home/u/.codex", owner), ["/home/u/.codex/auth.json"])
})

test("variables name other locations, for one file or a whole folder, also of other users", () => {
  const env = {
    KUBECONFIG: "/k/one:/k/two:relative",
    CARGO_HOME: "/opt/cargo",
    NPM_CONFIG_USERCONFIG: "/home/u/cfg/npm",
    XDG_CONFIG_HOME: "/home/u/cfg",
    AWS_SHARED_CREDENTIALS_FILE: "/a/keys",
    GNUPGHOME: "/home",
    DOCKER_CONFIG: "",
  }
  const given = { ...owner, env }
  const secret = (path: string) => isSecret(path, given)
  for (const path of ["/k/one", "/k/two", "/opt/cargo/credentials.toml", "/home/u/cfg/npm", "/home/u/cfg/gh/hosts.yml"])
    assert.equal(secret(path), true, path)
  assert.equal(secret("/a/keys"), true)
  assert.equal(secret("/home/u/.kube/config"), true, "the default location as well")
  for (const path of ["/opt/cargo/bin/cargo", "/home/u/x", "/k/three", "/relative"])
    assert.equal(secret(path), false, path)
  const placed = secretsOf(given).find(({ base, path }) => `${base}/${path}` === "/home/u/cfg/npm")
  assert.equal(placed?.form, "lines", "a file of settings stays one")
  for (const path of ["/root/.ssh/id", "/home/v/.aws/x", "/Users/v/Library/Keychains/x"])
    assert.equal(secret(path), true)
})
