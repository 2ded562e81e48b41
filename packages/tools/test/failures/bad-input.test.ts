import assert from "node:assert/strict"
import { rmSync } from "node:fs"
import { test } from "node:test"
import { checkArguments, type Host, type Tool } from "@gong/spec"
import { createLocalHost } from "../../src/host/local.ts"
import { createAllTools, type ToolName } from "../../src/index.ts"
import { context, place, messages } from "../workspace.ts"

/** Valid arguments, of which a case spoils one; bash has no path. */
const good: Readonly<Record<ToolName, Readonly<Record<string, unknown>>>> = {
  read: { path: "a.txt" },
  write: { path: "a.txt", content: "new" },
  edit: { path: "a.txt", edits: [{ oldText: "one", newText: "two" }] },
  bash: { command: "cat a.txt" },
  grep: { path: "a.txt", pattern: "one" },
  find: { path: ".", pattern: "*.txt" },
  ls: { path: "." },
}
const names = Object.keys(good) as readonly ToolName[]
const takePath = names.filter((name) => name !== "bash")

/** Every result contains advice. */
const advice = /\b(?:Check|Give|Use|Choose|Ask|Look|Read|Repeat|Try|Write)\b/i

async function run(tool: Tool, args: Readonly<Record<string, unknown>>) {
  const result = await tool.execute("c", args as never, context())
  return { error: result.isError, text: messages(result) }
}

for (const name of names) {
  test(`${name}: missing arguments and wrong types are named`, async () => {
    const { parameters } = createAllTools("/w")[name]
    const required = (parameters["required"] ?? []) as readonly string[]
    for (const field of Object.keys(good[name])) {
      const wrong = await checkArguments(parameters, { ...good[name], [field]: { no: "such" } })
      assert.ok(!wrong.ok && wrong.errors.some((error) => error.includes(field)), field)
      const { [field]: _gone, ...rest } = good[name]
      const missing = await checkArguments(parameters, rest)
      assert.equal(missing.ok, !required.includes(field), field)
      if (!missing.ok)
        assert.ok(
          missing.errors.some((error) => error.includes(field)),
          field,
        )
    }
  })
}

const paths: readonly (readonly [what: string, path: string, told: RegExp])[] = [
  ["4,097 characters long", "a".repeat(4097), /4097 characters long; the limit is 4096\. Use a shorter one/],
  ["with a NUL", "a\0b", /NUL character\. Give a plain path/],
  ["with a name of 300 characters", "a".repeat(300), /ENAMETOOLONG: .* Use a shorter one/],
  ["through a file", "a.txt/below", /a\.txt\/below/],
  ["that is a link in a circle", "circle", /ELOOP: .* Use the real path|symbolic link/],
]

for (const [what, path, notified] of paths) {
  for (const name of takePath) {
    test(`${name}: a path ${what} is refused with advice`, async (t) => {
      const here = place(t)
      here.put("a.txt", "one")
      const { symlinkSync } = await import("node:fs")
      symlinkSync("circle", here.at("circle"))
      const { error, text } = await run(createAllTools(here.cwd)[name], { ...good[name], path })
      assert.deepEqual([error, notified.test(text), advice.test(text)], [true, true, true], text)
      assert.equal(here.text("a.txt"), "one")
    })
  }
}

for (const [name, args] of [
  ["grep", { pattern: "a\0b" }],
  ["grep", { pattern: "a", glob: "*.\0" }],
  ["find", { pattern: "*.\0" }],
] as const)
  test(`${name}: a NUL in ${JSON.stringify(args)} is refused with advice`, async (t) => {
    const { error, text } = await run(createAllTools(place(t).cwd)[name], args)
    assert.deepEqual([error, text], [true, "The pattern holds a NUL character. Give it without."])
  })

test("bash: a command that the system rejects is reported with advice", async (t) => {
  const here = place(t)
  const { bash } = createAllTools(here.cwd)
  const notified = async (command: string) => (await run(bash, { command })).text
  assert.equal(
    await notified("echo a\0b"),
    "The command holds a NUL character. Give it without; printf '\\0' makes one.",
  )
  assert.equal(await notified(" "), "The command is empty. Give a command to run, or the number of a job to read.")
  assert.match(await notified(`echo ${"x".repeat(3_000_000)}`), /^E2BIG: the command is too long .* Write it to a file/)
})

/** A host on which the file vanishes right after its stat. */
function vanishing(host: Host, gone: () => void): Host {
  return {
    ...host,
    async stat(path, options) {
      const found = await host.stat(path, options)
      if (found?.kind === "file" && path.endsWith("a.txt")) gone()
      return found
    },
  }
}

for (const name of ["read", "write", "edit", "grep"] as const) {
  test(`${name}: a file that vanishes between check and use is reported, and no temporary file remains`, async (t) => {
    const here = place(t)
    const file = here.put("a.txt", "one")
    const host = vanishing(createLocalHost({ cwd: here.cwd }), () => rmSync(file, { force: true }))
    const { error, text } = await run(createAllTools(here.cwd, { host })[name], good[name])
    // The file was gone when grep searched.
    if (name === "grep" && !error) assert.match(text, /No matches found/)
    else assert.deepEqual([error, advice.test(text)], [true, true], text)
  })
}
