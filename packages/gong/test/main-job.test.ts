import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import type { Model, PublishedStep } from "@gong/spec"
import { openSession } from "@gong/app/compose/open-session"
import { createController } from "@gong/app/controller/controller"
import { systemClock } from "@gong/app/ports"
import { openProvider } from "@gong/llm"
import { english } from "@gong/texts/translator"
import { servicesOf } from "./services.ts"
import { simTransport } from "@gong/testing/sim/transport"
import { print } from "../src/modes/print.ts"

/** A function on the stack: its name and its file, under `packages/`. */
interface Frame {
  readonly name: string
  readonly file: string
  /** It awaits the function below it. */
  readonly waits: boolean
}

/** The functions of Gong on the stack, the innermost first, including awaiting ones. */
function stackHere(): readonly Frame[] {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 100
  const { stack = "" } = new Error("only for its stack")
  Error.stackTraceLimit = limit
  const frames = stack.matchAll(/^ +at (async )?(?:(?:Object\.)?(\S+) )?.*\/packages\/(.*\/src\/.*\.ts):/gm)
  return [...frames].map(([, waits, name = "", file = ""]) => ({ name, file, waits: waits !== undefined }))
}

const model: Model = {
  // Of models that users host, replies also pass a reader of calls in text.
  provider: "openai",
  id: "m",
  api: "openai-completions",
  baseUrl: "http://model.test/v1",
  contextWindow: 100_000,
  maxOutput: 8000,
  reasoning: false,
  images: false,
}

/** One prompt from `print` on: the stacks at the request, at a piece of the reply, and at its entry. */
async function stacksOf(t: TestContext) {
  const stacks = { request: stackHere(), piece: stackHere(), entry: stackHere() }
  const server = simTransport({ clock: systemClock, turns: [{ text: "hello" }] })
  const transport: typeof server = {
    ...server,
    send(request) {
      stacks.request = stackHere()
      return server.send(request)
    },
  }
  const provider = await openProvider(model, { transport, clock: systemClock, credential: null })
  const services = servicesOf(t)
  const opened = await openSession({}, services, { provider })
  assert.ok(opened.ok)
  t.after(() => opened.value.close())
  opened.value.session.subscribe((step) => {
    if ("partial" in step && step.partial.type === "text") stacks.piece = stackHere()
    if (isReply(step)) stacks.entry = stackHere()
  })
  const streams = { t: english, out() {}, err() {}, outIsTerminal: false, errIsTerminal: false, outputClosed: false }
  const prompt = { input: { text: "hi", images: [], seen: [] }, output: "text", quiet: true, resume: null } as const
  const controller = createController({ services, spec: {}, exitOf: () => 0 }, opened.value)
  await print(controller, streams, {
    ...prompt,
    clock: { ...systemClock, now: () => 0 },
    render: null,
    save: null,
    exitOf: () => 0,
  })
  return stacks
}

function isReply(step: PublishedStep): boolean {
  return (
    "entries" in step && step.entries.some((entry) => entry.type === "message" && entry.message.role === "assistant")
  )
}

/** The files of the functions that run, in the order of the calls. */
function filesOf(stack: readonly Frame[]): readonly string[] {
  return [...new Set(stack.filter(({ waits }) => !waits).map(({ file }) => file))].reverse()
}

const guide = readFileSync(join(import.meta.dirname, "../../../ARCHITECTURE.md"), "utf8")
const [, section = ""] = guide.split(/^## From a prompt to its request, and back$/m)
const [, outward = "", backward = ""] = /\n\n(1\. [^]*?)\n\n([^]*?)\n\n## /.exec(section) ?? []

test("a prompt passes exactly the functions listed in ARCHITECTURE.md", async (t) => {
  const { request } = await stacksOf(t)
  const passed = request.toReversed().map(({ name, file }) => `\`${name}\` (\`${file}\`)`)
  const listed = [...outward.matchAll(/^\d+\. (`\w+` \(`[^`]+`\))/gm)].map(([, entry]) => entry)
  assert.deepEqual(passed, listed.slice(0, -1))
  assert.equal(listed.at(-1), "`send` (`llm/src/transport/transport.ts`)")
  assert.ok(listed.length <= 12, "the main job is short enough to be read at once")
})

test("a reply passes the files listed in ARCHITECTURE.md, and its partials bypass the loop", async (t) => {
  const { piece, entry } = await stacksOf(t)
  const listed = [...backward.matchAll(/`([a-z-]+\/src\/[^`]+)`/g)].map(([, file]) => file)
  // The loop yields the entry to `drive`, so it is on no stack.
  assert.deepEqual(["loop/src/run.ts", ...filesOf(entry), ...filesOf(piece)], listed)
})
