import assert from "node:assert/strict"
import { test } from "node:test"
import { englishOf, type Text } from "@gong/spec"
import { english } from "@gong/texts/translator"
import { collect } from "../src/candidate.ts"
import { importServers } from "../src/mcp.ts"

const textOf = (text: Text) => englishOf(text)

async function imported(servers: unknown) {
  const candidates = collect()
  await importServers(english, candidates, servers, async (name) => `mcp.json:${name}`)
  return candidates.all.map((one) => {
    if (one.state !== "import") return [one.from, textOf(one.what), textOf(one.reason)]
    const { target } = one
    return [one.from, textOf(one.what), target.op === "server" ? target.server : target, one.note && textOf(one.note)]
  })
}

/** One server with these variables: its converted ones, and the note. */
async function variablesOf(env: Readonly<Record<string, unknown>>, field = "env") {
  const [row] = await imported({ "my-s": { command: "x", [field]: env } })
  const [, , server, note] = row ?? []
  return [(server as Readonly<Record<string, unknown>>)[field], note]
}

test("what is no server is skipped with its reason", async () => {
  assert.deepEqual(await imported({ a: 5, b: [], c: {}, d: { command: 5, url: null }, e: { url: "${input:place}" } }), [
    ["mcp.json:a", "a", "it is not an object."],
    ["mcp.json:b", "b", "it is not an object."],
    ["mcp.json:c", "c", "it has neither a command nor a url."],
    ["mcp.json:d", "d", "it has neither a command nor a url."],
    ["mcp.json:e", "e", "it asks for a value at its start, which Gong does not."],
  ])
  for (const none of [null, [], "x", undefined]) assert.deepEqual(await imported(none), [])
})

test("a server is taken as it is; variables of editors have the common form, wherever they are", async () => {
  const server = { command: "${env:HOME}/x", args: ["${env:A}", 1, null], more: { deep: [{ a: "${env:B}${env:C}" }] } }
  assert.deepEqual(await imported({ s: server }), [
    ["mcp.json:s", "s", { command: "${HOME}/x", args: ["${A}", 1, null], more: { deep: [{ a: "${B}${C}" }] } }, null],
  ])
})

test("a key in a command line is recognized by its name or its format", async () => {
  const reason = "its command line seems to contain a key. Put the key into a variable first."
  for (const [server, isKey] of [
    [{ command: "x --api-key=abcdefgh" }, true],
    [{ command: "x --api-key=abcdefg" }, false],
    [{ command: "x", args: ["--password=$SECRET_OF_MINE"] }, false],
    [{ command: "x", args: ["a", "ghp_012345678901"] }, true],
    [{ command: "x", args: ["ghp_01234567890"] }, false],
    [{ command: "x", args: ["xghp_012345678901"] }, false],
    [{ url: "https://u:glpat-0123456789@h" }, true],
    [{ url: "https://h/?k=xoxp-01234567890" }, true],
    [{ command: "x", args: ["sk-ant-0123456789"] }, true],
    [{ command: "x", args: ["sk-ant-01234567"] }, false],
  ] as const) {
    const [row] = await imported({ s: server })
    assert.equal(row?.[2] === reason, isKey, JSON.stringify(server))
  }
})

test("a secret variable or header becomes a reference; its name is kept if it can be one of the environment", async () => {
  const note = (...names: readonly string[]) => `not copied: ${names.join(", ")} (export them)`
  for (const [name, value, reference, variable] of [
    ["TOKEN", "t", "${TOKEN}", "TOKEN"],
    ["_MY_AUTHORIZATION", "t", "${_MY_AUTHORIZATION}", "_MY_AUTHORIZATION"],
    ["AUTHORIZATION_OF", "t", "${AUTHORIZATION_OF}", "AUTHORIZATION_OF"],
    ["authorization", "Bearer t", "Bearer ${MY_S_AUTHORIZATION}", "MY_S_AUTHORIZATION"],
    ["X-Api-Key", "t", "${MY_S_X_API_KEY}", "MY_S_X_API_KEY"],
    ["1TOKEN", "t", "${MY_S_1TOKEN}", "MY_S_1TOKEN"],
    ["PLAIN", "ghp_012345678901", "${PLAIN}", "PLAIN"],
    ["TOKEN", 5, "${TOKEN}", "TOKEN"],
    ["TOKEN", "x$Y", "${TOKEN}", "TOKEN"],
    ["TOKEN", "a Bearer t", "${TOKEN}", "TOKEN"],
  ] as const)
    assert.deepEqual(await variablesOf({ [name]: value }), [{ [name]: reference }, note(variable)], name)
  for (const [name, value] of [
    ["PLAIN", "text"],
    ["TOKEN", ""],
    ["TOKEN", "$MINE"],
    ["TOKEN", "${MINE}"],
    ["TOKEN", "Bearer ${MINE}"],
  ] as const)
    assert.deepEqual(await variablesOf({ [name]: value }), [{ [name]: value }, null], value)
  assert.deepEqual(await variablesOf({ A_TOKEN: "a", B_KEY: "b" }, "headers"), [
    { A_TOKEN: "${A_TOKEN}", B_KEY: "${B_KEY}" },
    note("A_TOKEN", "B_KEY"),
  ])
  assert.deepEqual(await variablesOf({ TOKEN: "t" }, "other"), [{ TOKEN: "t" }, null])
})
