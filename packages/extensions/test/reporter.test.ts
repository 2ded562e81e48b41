import assert from "node:assert/strict"
import { test } from "node:test"
import { englishOf } from "@gong/spec"
import { createExtensionReporter } from "../src/reporter.ts"

const extension = { id: 0, name: "a", path: "/x/a.ts", folder: "/x", boundary: null, settings: {} }

test("stack frames of Node and of Gong's own thread, in sources and bundle, are omitted from problems", () => {
  const desk = createExtensionReporter()
  const frames = [
    "default (/x/a.ts:1:2)",
    "/g/dist/extensions.cjs:2:6061",
    "f (file:///g/packages/extensions/src/worker/load.ts:3:4)",
  ]
  const stack = ["Error: boom", ...[...frames, "node:internal/x:1:1"].map((frame) => `    at ${frame}`)].join("\n")
  desk.add({ kind: "unhandled", extension, problem: { message: "boom", stack, path: "/x/a.ts", line: 1 } })
  const [diagnostic] = desk.take().diagnostics
  assert.equal(englishOf(diagnostic?.text), "boom. No call awaited this; catch it there.\n    at default (/x/a.ts:1:2)")
})

test("an extension known to time out on load is reported, and its gate stays closed", () => {
  const desk = createExtensionReporter()
  const problem = { message: "it hung", stack: "", path: null, line: null }
  desk.add({ kind: "off", extension, problem, gate: true, load: "known-timeout" })
  const [diagnostic] = desk.take().diagnostics
  assert.equal(
    englishOf(diagnostic?.text),
    'it hung. That was the last time; since it has not changed, no start waits for it again. The extension a is off, and calls that it would judge are refused. Mend it; /reload loads it again; or do without it: "extensions": { "a": false } in the settings.',
  )
})
