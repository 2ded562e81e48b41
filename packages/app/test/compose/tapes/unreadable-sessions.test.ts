import assert from "node:assert/strict"
import { test } from "node:test"
import { english } from "@gong/texts/translator"
import type { UnreadableSession } from "@gong/spec"
import type { Services } from "../../../src/services.ts"
import { unreadableLine, unreadableReporter } from "../../../src/compose/tapes/unreadable-sessions.ts"

const session = (path: string, code = "EACCES"): UnreadableSession => ({ path, code }) as UnreadableSession

test("one unreadable session and several have a line each, none has no line", () => {
  assert.equal(unreadableLine(english, []), null)
  assert.equal(
    unreadableLine(english, [session("/s/a")]),
    "gong: /s/a cannot be read (EACCES); it is skipped. Change its owner (chown), or move it away.",
  )
  assert.equal(
    unreadableLine(english, [session("/s/a", "EIO"), session("/s/b"), session("/s/c")]),
    "gong: /s/a and 2 more cannot be read (EIO); they are skipped. Change their owner (chown), or move them away.",
  )
})

test("each unreadable session is reported once", () => {
  const warned: string[] = []
  const report = unreadableReporter({ t: english, warn: (line: string) => void warned.push(line) } as Services)
  report([])
  assert.deepEqual(warned, [])
  report([session("/s/a")])
  report([session("/s/a")])
  assert.equal(warned.length, 1)
  report([session("/s/a"), session("/s/b")])
  assert.deepEqual(warned.length, 2)
  assert.match(warned[1] ?? "", /^gong: \/s\/b cannot be read/)
  report([session("/s/b"), session("/s/a")])
  assert.equal(warned.length, 2)
})
