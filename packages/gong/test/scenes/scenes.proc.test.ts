import assert from "node:assert/strict"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, test } from "node:test"
import { skip } from "../program/terminal.ts"
import { conversation } from "./conversation-scenes.ts"
import { input } from "./input-scenes.ts"
import { questions } from "./question-scenes.ts"
import { starts } from "./start-scenes.ts"
import { type SceneGroup, playScenes, type Picture } from "./scene.ts"
import { tools } from "./tool-scenes.ts"

const groups: Readonly<Record<string, SceneGroup>> = { conversation, tools, questions, input, ...starts }
const folder = join(import.meta.dirname, "pictures")
/** Writes the pictures anew: look at their diff. */
const writes = process.env["UPDATE_PICTURES"] === "1"

describe("scenes", { concurrency: 6, skip }, () => {
  for (const [name, group] of Object.entries(groups))
    for (const language of ["en", "zh-CN"])
      for (const columns of [40, 80, 140])
        test(`${name}, ${language}, ${columns} columns`, async (t) => {
          const file = join(folder, `${name.replaceAll(" ", "-")}-${language}-${columns}.txt`)
          const stored = writes ? [] : read(file)
          const known = new Map(stored.map((picture) => [picture.name, picture.text]))
          const pictures = await playScenes(t, group, { columns, language }, known)
          if (writes) return write(file, pictures)
          for (const [at, picture] of pictures.entries()) assert.equal(picture.text, stored[at]?.text, picture.name)
          assert.equal(pictures.length, stored.length)
        })
})

function write(file: string, pictures: readonly Picture[]): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, pictures.map(({ name, text }) => `=== ${name}\n${text}\n`).join("\n"))
}

function read(file: string): readonly Picture[] {
  const [, ...parts] = readFileSync(file, "utf8").split(/^=== /m)
  return parts.map((part) => {
    const end = part.indexOf("\n")
    return { name: part.slice(0, end), text: part.slice(end + 1).trimEnd() }
  })
}
