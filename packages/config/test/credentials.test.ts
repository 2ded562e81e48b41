import { englishOf } from "@gong/spec"
import assert from "node:assert/strict"
import { chmodSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { removeKeys, storeKey, readAuth } from "../src/auth.ts"
import { ok } from "../src/usage.ts"
import { createCredentials, knownKeys, redactor, type CredentialSources } from "../src/credentials.ts"
import { folder } from "@gong/testing/folder"

const variables = { anthropic: ["ANTHROPIC_API_KEY"], google: ["GEMINI_API_KEY", "GOOGLE_API_KEY"] }
const anthropic = "https://api.anthropic.com"

const noCommand: CredentialSources["runCommand"] = () => assert.fail("no command is run")

async function ask(sources: Partial<CredentialSources>, provider = "anthropic", origin = anthropic) {
  const credentials = createCredentials({ env: {}, variables, auth: null, runCommand: noCommand, ...sources })
  assert.ok(credentials.ok, credentials.ok ? "" : credentials.error.lines.join("\n"))
  return credentials.value.get(provider, origin)
}

test("precedence: command line, GONG_API_KEY, the provider's variables, auth.json", async () => {
  const env = { ANTHROPIC_API_KEY: "sk-env", GONG_API_KEY: "sk-gong", MINE: "sk-mine", GOOGLE_API_KEY: "g2" }
  assert.deepEqual(await ask({ env, apiKey: "sk-flag\n" }), { key: "sk-flag", from: "--api-key" })
  assert.deepEqual(await ask({ env, apiKeyEnv: "MINE" }), { key: "sk-mine", from: "MINE" })
  assert.deepEqual(await ask({ env }), { key: "sk-gong", from: "GONG_API_KEY" })
  const { GONG_API_KEY: _, ...without } = env
  assert.deepEqual(await ask({ env: without }), { key: "sk-env", from: "ANTHROPIC_API_KEY" })
  assert.deepEqual(await ask({ env: without }, "google"), { key: "g2", from: "GOOGLE_API_KEY" })
  assert.equal(await ask({ env: without }, "constructor"), null)
})

test("a stored key goes only to the origin it was stored for", async (t) => {
  const auth = await readAuth(
    folder(t, { "auth.json": `{"anthropic":{"key":"sk-stored","origin":"${anthropic}/v1"}}` }),
  )
  assert.ok(auth.ok)
  const stored = { auth: auth.value }
  assert.deepEqual(await ask(stored, "anthropic", anthropic), { key: "sk-stored", from: "auth.json" })
  assert.deepEqual(await ask(stored, "anthropic", `${anthropic}/v1`), { key: "sk-stored", from: "auth.json" })
  for (const origin of [
    "http://api.anthropic.com",
    "https://api.anthropic.com:444",
    "https://api.anthropic.com.evil.example",
    "https://api.anthropic.com@evil.example",
    "not a url",
  ]) {
    assert.equal(await ask(stored, "anthropic", origin), null, origin)
  }
})

test("an invalid key is a usage error, before anything is sent", () => {
  const line = (sources: Partial<CredentialSources>): string => {
    const made = createCredentials({ env: {}, variables, auth: null, runCommand: noCommand, ...sources })
    assert.ok(!made.ok)
    return made.error.lines.join("\n")
  }
  assert.equal(line({ apiKeyEnv: "NOPE" }), "gong: --api-key-env: the variable NOPE is not set.")
  assert.match(line({ apiKey: " \n" }), /--api-key is empty/)
  assert.equal(line({ apiKey: "a\nb" }), "gong: the key from --api-key contains blanks or other invalid characters.")
})

test("a broken auth file names file, line and remedy, never a key", async (t) => {
  const line = async (text: string): Promise<string> => {
    const home = folder(t, { "auth.json": text })
    const auth = await readAuth(home)
    assert.ok(!auth.ok)
    const lines = auth.error.lines.join("\n").replace(home, "~")
    assert.ok(!lines.includes("sk-secret"))
    return lines
  }
  assert.match(await line('{\n"a": {"key": "sk-secret"\n'), /^gong: ~\/auth\.json:3:1: .*move the file away\.$/)
  assert.match(
    await line('{"a":{"key":"sk-secret"}}'),
    /^gong: ~\/auth\.json: "a" has no key with an origin\. Write \{/,
  )
  assert.match(await line('{"a":"sk-secret"}'), /has no key with an origin/)
})

test("an auth file that others can read is reported", async (t) => {
  const home = folder(t, { "auth.json": "{}" })
  const path = join(home, "auth.json")
  chmodSync(path, 0o600)
  assert.deepEqual((await readAuth(home)).ok, true)
  const warnings = async () => {
    const auth = await readAuth(home)
    assert.ok(auth.ok)
    return auth.value.warnings.map(englishOf)
  }
  assert.deepEqual(await warnings(), [])
  chmodSync(path, 0o644)
  assert.deepEqual(await warnings(), [`gong: ${path} can be read by others (mode 644). Restrict it: chmod 600 ${path}`])
  assert.equal((await readAuth(folder(t))).ok, true, "no file is no error")
})

test("known keys are withheld from commands and redacted in texts", async (t) => {
  const auth = await readAuth(folder(t, { "auth.json": `{"x":{"key":"sk-stored-1","origin":"${anthropic}"}}` }))
  assert.ok(auth.ok)
  const env = { GEMINI_API_KEY: "g-12345678", MINE: "mine-1234", OTHER: "other" }
  const keys = knownKeys({ env, variables, auth: auth.value, apiKeyEnv: "MINE", apiKey: "x" })
  assert.deepEqual(keys.toSorted(), ["g-12345678", "mine-1234", "sk-stored-1", "x"])
  assert.equal(redactor(keys)("a mine-1234 b g-12345678g-12345678 x"), "a [redacted] b [redacted][redacted] x")
  assert.equal(redactor(["12345678", "12345678-abc"])("12345678-abc"), "[redacted]", "the longest key first")
})

const gateway = "https://gateway.example"

test("a provider may have a key per origin; storing again replaces it, and comments stay", async (t) => {
  const home = folder(t, {
    "auth.json": '{\n  // mine\n  "openai": { "key": "sk-o", "origin": "https://o.example" }\n}\n',
  })
  for (const kept of [
    { key: "sk-1", origin: anthropic },
    { key: "sk-2", origin: gateway },
    { key: "sk-3", origin: anthropic },
  ])
    assert.deepEqual(await storeKey(home, "anthropic", kept), ok(null))
  const auth = await readAuth(home)
  assert.ok(auth.ok)
  assert.deepEqual(await ask({ auth: auth.value }, "anthropic", anthropic), { key: "sk-3", from: "auth.json" })
  assert.deepEqual(await ask({ auth: auth.value }, "anthropic", gateway), { key: "sk-2", from: "auth.json" })
  assert.deepEqual(knownKeys({ env: {}, variables, auth: auth.value }).toSorted(), ["sk-2", "sk-3", "sk-o"])
  await removeKeys(home, "anthropic", gateway)
  const text = readFileSync(join(home, "auth.json"), "utf8")
  assert.match(text, /\/\/ mine/)
  assert.doesNotMatch(text, /sk-[12]/)
  assert.equal(statSync(join(home, "auth.json")).mode & 0o777, 0o600)
  await removeKeys(home, "anthropic", null)
  const left = await readAuth(home)
  assert.deepEqual(left.ok && [...left.value.keys.keys()], ["openai"])
})

test("a key command runs once, only on request, and only for its origin", async (t) => {
  const entry = { apiKeyCommand: ["pass", "show", "x"], origin: anthropic }
  const auth = await readAuth(folder(t, { "auth.json": JSON.stringify({ anthropic: entry }) }))
  assert.ok(auth.ok)
  const ran: (readonly string[])[] = []
  const runCommand = async (command: readonly string[]) => {
    ran.push(command)
    return ok("sk-said")
  }
  const credentials = createCredentials({ env: {}, variables, auth: auth.value, runCommand })
  assert.ok(credentials.ok)
  const { get, origins } = credentials.value
  assert.deepEqual(origins("anthropic", anthropic), [{ from: "the command pass", kind: "command" }])
  assert.equal(await get("anthropic", gateway), null)
  assert.deepEqual(ran, [])
  const printed = { key: "sk-said", from: "the command pass" }
  assert.deepEqual(await Promise.all([get("anthropic", anthropic), get("anthropic", anthropic)]), [printed, printed])
  assert.deepEqual(ran, [["pass", "show", "x"]])
  // A session creates one instance per choice of a model.
  const again = createCredentials({ env: {}, variables, auth: auth.value, runCommand })
  assert.ok(again.ok)
  assert.deepEqual([await again.value.get("anthropic", anthropic), ran.length], [printed, 1])
  assert.deepEqual(knownKeys({ env: {}, variables, auth: auth.value }, [printed, null]), ["sk-said"])
})

test("an entry with both a key and a command, or with an invalid command, is rejected", async (t) => {
  for (const entry of [
    { key: "k", apiKeyCommand: ["x"] },
    { apiKeyCommand: "pass show x" },
    { apiKeyCommand: [] },
    { apiKeyCommand: [""] },
    { apiKeyCommand: ["x", 1] },
  ]) {
    const text = JSON.stringify({
      anthropic: [
        { key: "k", origin: anthropic },
        { ...entry, origin: gateway },
      ],
    })
    const auth = await readAuth(folder(t, { "auth.json": text }))
    assert.ok(!auth.ok, text)
    assert.match(auth.error.lines[0] ?? "", /"anthropic" has no key with an origin.*apiKeyCommand/)
  }
})

test("blanks around a key in the environment are trimmed, and a blank variable counts as unset", async () => {
  assert.deepEqual(await ask({ env: { ANTHROPIC_API_KEY: " sk-a\n" } }), { key: "sk-a", from: "ANTHROPIC_API_KEY" })
  const google = { GEMINI_API_KEY: " \n", GOOGLE_API_KEY: "g2" }
  assert.deepEqual(await ask({ env: google }, "google"), { key: "g2", from: "GOOGLE_API_KEY" })
  assert.equal(await ask({ env: { ANTHROPIC_API_KEY: " " } }), null)
})

test("an invalid GONG_API_KEY is a usage error, like an invalid --api-key", () => {
  const made = createCredentials({ env: { GONG_API_KEY: "sk a" }, variables, auth: null, runCommand: noCommand })
  assert.match(made.ok ? "" : made.error.lines.join(), /the key from GONG_API_KEY contains blanks/)
})

test("an auth file that is a folder, and an empty key in one, are usage errors", async (t) => {
  const unreadable = await readAuth(folder(t, { "auth.json/x": "" }))
  assert.match(unreadable.ok ? "" : unreadable.error.lines.join(), /auth\.json is not a regular file/)
  const empty = await readAuth(folder(t, { "auth.json": `{"anthropic":{"key":"","origin":"${anthropic}"}}` }))
  assert.match(empty.ok ? "" : empty.error.lines.join(), /"anthropic" has no key with an origin/)
})
