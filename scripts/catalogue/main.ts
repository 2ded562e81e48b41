import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Facts, ModelFacts } from "../../packages/llm/src/catalogue.ts"
import { readModelsDev } from "../../packages/llm/src/models-dev.ts"
import { providerRows } from "../../packages/llm/src/provider-rows.ts"
import { own } from "./own.ts"
import { readPiAi } from "./pi-ai.ts"

/**
 * npm run catalogue -- --pi-ai FOLDER | --models-dev FILE-OR-URL [--source TEXT] [--date DAY]: writes the shipped catalogue
 * anew, one file per provider, merged with own.ts. A provider that the source does not have keeps its file.
 */
const { values } = parseArgs({
  options: {
    "pi-ai": { type: "string" },
    "models-dev": { type: "string" },
    source: { type: "string" },
    date: { type: "string" },
  },
})
const folder = join(import.meta.dirname, "../../packages/llm/src/catalogue")
mkdirSync(folder, { recursive: true })
const read = await sourceOf()
for (const { id } of providerRows) {
  const before = kept(id)
  const models = merged(read.get(id) ?? before, own[id] ?? {})
  if (Object.keys(models).length === 0) rmSync(join(folder, `${id}.json`), { force: true })
  else write(id, models)
}
writeFileSync(
  join(folder, "source.json"),
  `${JSON.stringify({ source: values.source ?? "models.dev", date: values.date ?? new Date().toISOString().slice(0, 10) })}\n`,
)

async function sourceOf(): Promise<ReadonlyMap<string, Facts>> {
  if (values["pi-ai"] !== undefined) return readPiAi(values["pi-ai"], providerRows)
  const place = values["models-dev"]
  if (place === undefined) throw new Error("give --pi-ai FOLDER or --models-dev FILE-OR-URL")
  const text = /^https?:/.test(place) ? await (await fetch(place)).text() : readFileSync(place, "utf8")
  return readModelsDev(JSON.parse(text), providerRows)
}

function kept(id: string): Facts {
  try {
    return (JSON.parse(readFileSync(join(folder, `${id}.json`), "utf8")) as { models: Facts }).models
  } catch {
    return {}
  }
}

function merged(
  listed: Facts,
  changes: Readonly<Record<string, Partial<ModelFacts>>>,
): Readonly<Record<string, object>> {
  const models: Record<string, object> = { ...listed }
  for (const [id, change] of Object.entries(changes)) {
    const before = listed[id]
    const compat = { ...before?.compat, ...change.compat }
    models[id] = { ...before, ...change, ...(Object.keys(compat).length > 0 ? { compat } : {}) }
  }
  return models
}

/** One line for each model, so that a change of one is a change of one line. */
function write(id: string, models: Readonly<Record<string, object>>): void {
  const lines = Object.entries(models).map(([name, facts]) => `    ${JSON.stringify(name)}: ${JSON.stringify(facts)}`)
  writeFileSync(join(folder, `${id}.json`), `{\n  "models": {\n${lines.join(",\n")}\n  }\n}\n`)
}
