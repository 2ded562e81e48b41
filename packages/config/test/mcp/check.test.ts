import assert from "node:assert/strict"
import { test } from "node:test"
import { englishOf } from "@gong/spec"
import { checkServer, noServers } from "../../src/mcp/read.ts"
import { isSecretName, secretsIn } from "../../src/mcp/secrets.ts"

const env = { TOKEN: "t", EMPTY: "", A: "a" }

async function checked(value: unknown, level: "user" | "project" = "user", name = "s") {
  const found = await checkServer(name, value, level, env)
  return found.ok ? found.server : `${found.path.join(".")}! ${englishOf(found.problem)}`
}

const neither = "! it has neither a command nor a url."
const notInUser = (variable: string) => `! ${variable} is replaced in the user's file only (gong mcp add).`

test("an entry that is wrong is left out with a reason, and the place of the reason", async () => {
  const long = "a".repeat(33)
  for (const [value, problem, name] of [
    [{ command: "x" }, "! a name is 1 to 32 of a-z A-Z 0-9 - and single _.", long],
    ["x", '! it must be an object, {"command": ...} or {"url": ...}.'],
    [[], '! it must be an object, {"command": ...} or {"url": ...}.'],
    [{}, neither],
    [{ args: ["x"] }, neither],
    [{ command: "x", url: "http://h" }, "! it has both a command and a url."],
    [{ url: "http://" }, 'url! "url" is not an address.'],
    [{ url: "http://[::1" }, 'url! "url" is not an address.'],
    [{ command: "=x" }, 'command! "command" is not a program.'],
    [{ command: "https://h/x" }, 'command! "command" is not a program.'],
    [{ command: "FILE:x" }, 'command! "command" is not a program.'],
    [{ command: "a\0" }, "! it contains a NUL character."],
    [{ command: "x", args: ["\0"] }, "! it contains a NUL character."],
    [{ command: "x", env: { A: "\0" } }, "! it contains a NUL character."],
    [{ command: "x", env: { "A\0": "" } }, "! it contains a NUL character."],
    [{ command: "x", cwd: "a\0b" }, "! it contains a NUL character."],
  ] as const)
    assert.equal(await checked(value, "user", name), problem, JSON.stringify(value))
})

test("fields of a wrong type are named, whichever they are", async () => {
  for (const [value, field] of [
    [{ command: "" }, "command"],
    [{ command: 1 }, "command"],
    [{ command: "x", type: "x" }, "type"],
    [{ command: "x", args: "a" }, "args"],
    [{ command: "x", args: ["a", 1] }, "args.1"],
    [{ command: "x", env: { A: 1 } }, "env.A"],
    [{ command: "x", env: [] }, "env"],
    [{ command: "x", cwd: "" }, "cwd"],
    [{ command: "x", disabled: "yes" }, "disabled"],
    [{ command: "x", sandbox: 1 }, "sandbox"],
    [{ command: "x", timeout: 0 }, "timeout"],
    [{ command: "x", timeout: 86_401 }, "timeout"],
    [{ url: "ftp://h" }, "url"],
    [{ url: "http://h", headers: { A: 1 } }, "headers.A"],
    [{ url: "http://h", oauth: { clientId: "" } }, "oauth.clientId"],
    [{ url: "http://h", oauth: { clientMetadataUrl: "http://h" } }, "oauth.clientMetadataUrl"],
    [{ url: "http://h", oauth: { other: "" } }, "oauth.other"],
  ] as const) {
    const problem = await checked(value)
    assert.ok(typeof problem === "string" && problem.endsWith("."), field)
    assert.ok(problem.startsWith(`${field}! "${field}" `), problem)
  }
})

test("a valid entry is returned as written, whether it is ordinary or not", async () => {
  for (const value of [
    { command: "x" },
    { type: "stdio", command: "x", args: [], env: {} },
    { command: "C:\\x" },
    { command: "./a=b" },
    { type: "http", url: "https://h/mcp", headers: { A: "b" } },
    { type: "sse", url: "http://h" },
    { type: "streamable-http", url: "http://h" },
    { command: "x", cwd: "d", timeout: 86_400 },
    { command: "x", timeout: 0.5 },
    { url: "http://h", oauth: { clientId: "c", clientSecret: "s", scopes: ["a"], clientMetadataUrl: "https://h" } },
    { command: "x", other: { of: "another agent" } },
  ]) {
    const server = await checked(value)
    assert.deepEqual(server, { name: "s", entry: value, written: JSON.stringify(value), disabled: false })
  }
})

test("a server is off by disabled: true, or by enabled: false as of other agents", async () => {
  for (const [more, disabled] of [
    [{}, false],
    [{ disabled: true }, true],
    [{ disabled: false }, false],
    [{ enabled: false }, true],
    [{ enabled: true }, false],
  ] as const) {
    const server = await checked({ command: "x", ...more })
    assert.ok(typeof server === "object", JSON.stringify(more))
    assert.equal(server.disabled, disabled, JSON.stringify(more))
  }
})

test("only the user's file may turn the sandbox of a server off", async () => {
  for (const level of ["user", "project"] as const)
    assert.equal(typeof (await checked({ command: "x", sandbox: true }, level)), "object")
  assert.equal(typeof (await checked({ command: "x", sandbox: false })), "object")
  const refused = `sandbox! "sandbox" works in the user's file only.`
  assert.equal(await checked({ command: "x", sandbox: false }, "project"), refused)
})

test("variables are replaced in every text of the user's file, with a default; a missing one is named", async () => {
  const server = await checked({
    command: "run-${A}",
    args: ["${TOKEN}", "${NONE:-d e}", "${EMPTY:-x}", "${NONE:-}", "$A ${1} ${A"],
    env: { B: "${A}${A}" },
    cwd: "/w/${A}",
  })
  assert.ok(typeof server === "object")
  assert.deepEqual(server.entry, {
    command: "run-a",
    args: ["t", "d e", "", "", "$A ${1} ${A"],
    env: { B: "aa" },
    cwd: "/w/a",
  })
  assert.ok(server.written.includes("${TOKEN}"), "as it is written")
  const remote = await checked({
    url: "http://h/${A}",
    headers: { H: "Bearer ${TOKEN}" },
    oauth: { clientSecret: "${A}", scopes: ["${TOKEN}"] },
  })
  assert.ok(typeof remote === "object")
  assert.deepEqual(remote.entry, {
    url: "http://h/a",
    headers: { H: "Bearer t" },
    oauth: { clientSecret: "a", scopes: ["t"] },
  })
  for (const [value, field] of [
    [{ command: "${NONE}" }, "command"],
    [{ command: "x", args: ["${NONE} ${OTHER}"] }, "args"],
    [{ command: "x", env: { A: "${NONE}" } }, "env"],
    [{ command: "x", cwd: "${NONE}" }, "cwd"],
    [{ url: "http://h/${NONE}" }, "url"],
    [{ url: "http://h", headers: { A: "${NONE}" } }, "headers"],
    [{ url: "http://h", oauth: { clientId: "${NONE}" } }, "oauth"],
  ] as const)
    assert.equal(await checked(value), `${field}! the variable NONE is not set.`)
})

test("a repository's file has no variables, with a default or without", async () => {
  for (const variable of ["${A}", "${NONE:-x}"])
    assert.equal(await checked({ command: "x", args: [variable] }, "project"), `args${notInUser(variable)}`)
  assert.equal(typeof (await checked({ command: "x", args: ["$A"] }, "project")), "object")
})

test("names of variables and headers with keys, and the keys of an entry", () => {
  for (const name of ["API_KEY", "my-token", "Secret", "PASSWD", "password", "Credentials", "Authorization", "cookie"])
    assert.ok(isSecretName(name), name)
  for (const name of ["PATH", "HOME", "X-Id"]) assert.ok(!isSecretName(name), name)
  assert.deepEqual(
    secretsIn({
      env: { A_KEY: " k1 ", HOME: "/h" },
      headers: { Authorization: "Bearer k2", "X-Token": "basic k3", Cookie: "Token k4", "X-Key": "a Bearer k5" },
    }),
    ["k1", "k2", "k3", "k4", "a Bearer k5"],
  )
  assert.deepEqual(secretsIn({ oauth: { clientSecret: "s" } }), ["s"])
  assert.deepEqual(secretsIn({ oauth: {} }), [])
  assert.deepEqual(secretsIn({}), [])
})

test("a file whose servers are no object is named", () => {
  const text = '/h/mcp.json:1: servers must be in an object, {"mcpServers": {"NAME": {...}}}.'
  assert.equal(englishOf(noServers("/h/mcp.json")), text)
})
