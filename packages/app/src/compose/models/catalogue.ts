import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Facts, ModelFacts } from "@gong/llm"
import { isRecord, parseJson } from "@gong/spec"

/** The catalogues fetched by `gong models --refresh`: one file per provider, in the format of the shipped ones. */
export function catalogueFolder(home: string): string {
  return join(home, "catalogue")
}

/** Undefined if there is no refreshed catalogue, or it is damaged: then the shipped one is used. */
export function refreshedCatalogue(home: string): (provider: string) => Promise<Facts | undefined> {
  return (provider) => Promise.resolve(read(home, provider))
}

function read(home: string, provider: string): Facts | undefined {
  try {
    const file = parseJson(readFileSync(join(catalogueFolder(home), `${provider}.json`), "utf8"))
    const models = isRecord(file) ? file["models"] : undefined
    return isRecord(models) && Object.values(models).every(isFacts) ? (models as Facts) : undefined
  } catch {
    return undefined
  }
}

export function noRefreshedCatalogue(): Promise<undefined> {
  return Promise.resolve(undefined)
}

function isFacts(value: unknown): value is ModelFacts {
  return isRecord(value) && typeof value["contextWindow"] === "number" && typeof value["maxOutput"] === "number"
}
