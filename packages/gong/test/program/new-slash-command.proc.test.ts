import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { registerHooks, stripTypeScriptTypes } from "node:module"
import { join } from "node:path"
import { test } from "node:test"
import { fileURLToPath } from "node:url"
import { servicesOf } from "../services.ts"

// The steps in the header of the example: a copy in a folder of commands, and its name in two tables.

const slash = new URL("../../../app/src/slash/", import.meta.url).href
const copy = `${slash}commands/session/label.ts`
const example = readFileSync(join(import.meta.dirname, "../../../../examples/slash-command/label.ts"), "utf8")
const textOf = (name: string) => readFileSync(fileURLToPath(`${slash}${name}`), "utf8")
const head = "export const slashCommands: readonly SlashCommand[] = [\n"
const planted = new Map([
  [copy, example.replaceAll('"../../packages/app/src/slash/', '"../../')],
  [
    `${slash}registry.ts`,
    `import { label } from "./commands/session/label.ts"\n${textOf("registry.ts").replace(head, `${head}  label,\n`)}`,
  ],
  [`${slash}names.ts`, textOf("names.ts").replace(" init ", " init label ")],
])
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "./commands/session/label.ts" ? { url: copy, shortCircuit: true } : next(specifier, context),
  load: (from, context, next) => {
    const source = planted.get(from)
    if (source === undefined) return next(from, context)
    return { format: "module", source: stripTypeScriptTypes(source), shortCircuit: true }
  },
})

const { openSession } = await import("@gong/app/compose/open-session")
const { createController } = await import("@gong/app/controller/controller")
const { systemClock } = await import("@gong/app/ports")
const { scriptedProvider } = await import("@gong/llm/scripted")

test("a new slash command runs, completes its arguments and is listed for clients", async (t) => {
  const services = servicesOf(t)
  const provider = scriptedProvider([{ text: "done" }], { clock: systemClock })
  const opened = await openSession({}, services, { provider })
  assert.ok(opened.ok)
  t.after(() => opened.value.close())
  const controller = createController({ services, spec: {}, exitOf: () => 0 }, opened.value)
  const { session } = opened.value
  const run = (text: string) => controller.call("command", { name: "label", arguments: text })
  assert.deepEqual((await run("")).ok, true)
  assert.equal((await session.prompt("go")).status, "done")
  const step = session.history.leaf
  const labeled = await run("works")
  assert.ok(labeled.ok && "lines" in labeled.data)
  assert.deepEqual(labeled.data.lines, [`${step}  works`])
  const completed = await controller.call("complete", { name: "label", arguments: "w" })
  assert.ok(completed.ok)
  assert.match(JSON.stringify(completed.data), /"works"/)
  const listed = await controller.call("get_commands", {})
  assert.match(JSON.stringify(listed), /"name":"label"/)
})
