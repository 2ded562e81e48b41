import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { type Input, keyDecoder } from "../../src/keys/keys.ts"

/**
 * What terminals of Debian 12 sent for keys that xdotool pressed in them, by the names of the keys: as they start (`legacy`), and
 * with the modes that Gong asks for (`modes`). tmux and screen ran in xterm with `metaSendsEscape`.
 */
interface Recording {
  readonly version: string
  readonly legacy: Readonly<Record<string, string>>
  readonly modes: Readonly<Record<string, string>>
}

const recordings = JSON.parse(
  readFileSync(join(import.meta.dirname, "fixtures", "recorded-keys.json"), "utf8"),
) as Readonly<Record<string, Recording>>

/** Keys that terminals send as others do: nothing tells them apart. */
const sameAs: Readonly<Record<string, readonly string[]>> = {
  space: [" "],
  "ctrl+h": ["backspace"],
  "ctrl+i": ["tab"],
  "ctrl+m": ["enter"],
  "ctrl+-": ["ctrl+_", "-"],
  "ctrl+/": ["ctrl+_"],
  "alt+_": ["alt+shift+-"],
  "alt+enter": ["enter"],
  "alt+backspace": ["backspace"],
  "shift+enter": ["enter"],
  "shift+backspace": ["backspace"],
  "shift+space": [" "],
  "ctrl+enter": ["enter"],
  "ctrl+backspace": ["backspace"],
  "ctrl+shift+p": ["ctrl+p"],
  "ctrl+shift+left": ["shift+left"],
  "ctrl+alt+a": ["ctrl+a"],
}

/** Sequences of st that name no key elsewhere; CSI H is Home everywhere else. Shift+F5 of rxvt is F15. */
const unknown: Readonly<Record<string, readonly string[]>> = {
  st: ["insert", "shift+home", "ctrl+home", "ctrl+end", "ctrl+delete"],
  "rxvt-unicode": ["shift+f5"],
}

/** Without `metaSendsEscape` these send a character of Latin 1 for Alt. */
const isLatin = /^[\u0080-\u00ff]$/

function written(input: Input): string {
  if (input.kind !== "key") return input.kind
  const { name, ctrl, alt, shift } = input.key
  return [...(ctrl ? ["ctrl"] : []), ...(alt ? ["alt"] : []), ...(shift ? ["shift"] : []), name].join("+")
}

function decoded(pieces: readonly string[]): string {
  const decoder = keyDecoder()
  return [...pieces.flatMap((piece) => decoder.feed(piece)), ...decoder.flush()].map(written).join(" ")
}

for (const [terminal, { version, legacy, modes }] of Object.entries(recordings))
  for (const [how, keys] of Object.entries({ legacy, modes }))
    test(`recorded keys of ${terminal} ${version} (${how}), whole and split at every character`, () => {
      assert.ok(Object.keys(keys).length > 60)
      for (const [key, bytes] of Object.entries(keys)) {
        const found = decoded([bytes])
        if (unknown[terminal]?.includes(key) === true) {
          assert.match(found, /^(?:|home)$/, `${key}: nothing is typed`)
          continue
        }
        const isMeta = /\balt\+/.test(key) && how === "legacy" && isLatin.test(bytes)
        if (!isMeta)
          assert.ok([key, ...(sameAs[key] ?? [])].includes(found), `${key}: ${JSON.stringify(bytes)} is ${found}`)
        for (let at = 1; at < bytes.length; at++)
          assert.equal(decoded([bytes.slice(0, at), bytes.slice(at)]), found, `${key}, split at ${at}`)
      }
    })
