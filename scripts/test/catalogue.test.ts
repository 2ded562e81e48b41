import assert from "node:assert/strict"
import { globSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { test } from "node:test"
import { parseAst } from "rolldown/parseAst"
import stringWidth from "string-width"
import { commands } from "../../packages/gong/src/command-line/commands.ts"
import { flags, type Flag } from "../../packages/gong/src/command-line/flags.ts"
import { settingNames, settingOf } from "../../packages/config/src/settings/schema.ts"
import { builtInTemplates } from "../../packages/resources/src/skills/built-in-templates.ts"
import { slashCommands } from "../../packages/app/src/slash/registry.ts"
import { statuses } from "../../packages/texts/src/statuses.ts"
import { zhCN } from "../../packages/texts/src/zh-CN/catalogue.ts"

const src = join(import.meta.dirname, "../../packages")

/** The messages of the schema checker are ids as well. */
const schemaMessages = fileURLToPath(import.meta.resolve("typebox/system").replace(/index\.mjs$/, "locale/en_US.mjs"))

/**
 * Phrase ids in the sources, and string literals per file, which may be ids. Of files that render tool calls, every id
 * with placeholders.
 */
function wordsOfSources() {
  const phrases = new Map<string, string>()
  const strings = new Set<string>()
  const own = globSync("*/src/**/*.ts", { cwd: src }).filter((file) => !file.startsWith("texts/src/zh-CN/"))
  const files = [...own, schemaMessages]
  for (const file of files) {
    const visit = (node: unknown): void => {
      if (Array.isArray(node)) return node.forEach(visit)
      if (typeof node !== "object" || node === null) return
      const { type, tag, quasi, value } = node as Partial<Tagged>
      if (type === "TaggedTemplateExpression" && /^(t|phrase)$/.test(tag?.name ?? tag?.property?.name ?? ""))
        phrases.set(keyOf(quasi?.quasis ?? []), file)
      if (type === "Literal" && typeof value === "string") {
        strings.add(value)
        if (/\/(render|spec)\/|\/(render|summary|tool)\.ts$/.test(file) && /\{\d\}/.test(value))
          phrases.set(value, file)
      }
      Object.values(node).forEach(visit)
    }
    visit(parseAst(readFileSync(resolve(src, file), "utf8"), { lang: "ts" }).body)
  }
  return { phrases, strings }
}

interface Tagged {
  readonly type: string
  readonly tag: { readonly name?: string; readonly property?: { readonly name: string } }
  readonly quasi: Template
  readonly value: unknown
}

interface Template {
  readonly quasis: readonly { readonly tail: boolean; readonly value: { readonly cooked: string } }[]
}

function keyOf(quasis: Template["quasis"]): string {
  return quasis.map(({ value, tail }, at) => (tail ? value.cooked : `${value.cooked}{${at}}`)).join("")
}

const { phrases, strings } = wordsOfSources()

/** Table texts that are translated where they are shown. */
const tables: readonly string[] = [
  ...commands.map(({ help }) => help),
  ...(flags as readonly Flag[]).flatMap(({ help, group }) => [help, group]),
  ...settingNames.map((name) => settingOf(name).about),
  ...slashCommands.map(({ about }) => about),
  ...builtInTemplates.map(({ description }) => description),
  ...Object.values(statuses),
]

test("every text for users is in the Chinese catalogue", () => {
  const missing = [...[...phrases].map(([text, file]) => `${file}: ${text}`), ...tables].filter((line) =>
    [line, line.replace(/^\S+\.ts: /, "")].every((id) => !(id in zhCN || isBare(id))),
  )
  assert.deepEqual(missing, [])
  assert.ok(phrases.size > 400 && tables.length > 100, "they were found")
})

/** A phrase of placeholders only is the same in every language. */
function isBare(id: string): boolean {
  return !/[a-z]/i.test(id.replaceAll(/\{\d+\}|\bgong\b/g, ""))
}

test("every text of the catalogue is in the sources", () => {
  const used = new Set([...phrases.keys(), ...tables])
  // A plural may be derived from a word: `{0} ${what}s`.
  const unused = Object.keys(zhCN).filter(
    (text) => !used.has(text) && !strings.has(text) && !strings.has(text.replace(/^\{0\} (.*?)s?$/, "$1")),
  )
  assert.deepEqual(unused, [])
})

test("a translation uses the placeholders of the English text; only an English plural ending may be dropped", () => {
  for (const [english, text] of Object.entries(zhCN)) {
    const holes = (one: string) => [...new Set(one.match(/\{\d+\}/g))].toSorted()
    // A placeholder right after a letter is an ending, as in "{0} turn{1}".
    const endings = Array.from(english.matchAll(/(?<=[a-z])\{\d+\}/g), ([hole]) => hole)
    const forModels = english.startsWith("Refused: ")
      ? Array.from(english.matchAll(/(?<=[."] )\{\d+\}$/g), ([hole]) => hole)
      : []
    const free = [...endings, ...forModels]
    const without = (one: string) => holes(one).filter((hole) => !free.includes(hole))
    assert.deepEqual(without(text), without(english), english)
    assert.deepEqual(
      holes(text).filter((hole) => !holes(english).includes(hole)),
      [],
      english,
    )
  }
})

test("a translation contains Chinese, keeps line ends and typed text, and fits into 80 columns of help", () => {
  const ends = (text: string) => [/^\n*/.exec(text)?.[0], /\n*$/.exec(text)?.[0]]
  for (const [english, text] of Object.entries(zhCN)) {
    assert.match(text, /\p{Script=Han}|[（）、，。：]|^\{0\} /u, english)
    assert.deepEqual(ends(text), ends(english), english)
    for (const typed of english.match(/--[a-z-]+|\bgong [a-z]+ --[a-z]+|[A-Z]+_[A-Z_]+|Ctrl\+[A-Z]/g) ?? [])
      assert.ok(text.includes(typed), `${typed} in ${text}`)
  }
  for (const { help } of flags) assert.ok(stringWidth(zhCN[help] ?? "") <= 51, help)
})
