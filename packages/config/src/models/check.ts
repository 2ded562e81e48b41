import { baseUrlFault, checkArguments, isRecord, phrase, type SchemaProblem } from "@gong/spec"
import { parseLenient, locationOf } from "../settings/read.ts"
import { didYouMean, ok, type Outcome, usage } from "../usage.ts"
import { modelsSchema, type OwnProvider } from "./schema.ts"

/** The providers of a models.json, or one line with the location of an error. */
export async function checkModels(path: string, text: string): Promise<Outcome<Readonly<Record<string, OwnProvider>>>> {
  const parsed = await parseLenient(text, path)
  if (!parsed.ok) return parsed
  if (!isRecord(parsed.value)) return usage(phrase`${path}:1: models.json must be an object, {"providers": {...}}.`)
  const urls = await invalidUrl(path, text, parsed.value)
  if (!urls.ok) return urls
  const checked = await checkArguments(modelsSchema, parsed.value)
  if (!checked.ok) return problemAt(path, text, checked.problems[0])
  // Guaranteed by the check above.
  const { providers = {} } = checked.value as { providers?: Readonly<Record<string, OwnProvider>> }
  return ok(providers)
}

/** The first invalid address, which the schema cannot detect. */
async function invalidUrl(path: string, text: string, file: Readonly<Record<string, unknown>>): Promise<Outcome<null>> {
  const providers = isRecord(file["providers"]) ? file["providers"] : {}
  for (const [id, own] of Object.entries(providers)) {
    const given = isRecord(own) ? own["baseUrl"] : undefined
    const fault = typeof given === "string" && given !== "" ? baseUrlFault(given) : null
    if (fault === null) continue
    const keys = ["providers", id, "baseUrl"]
    return usage(phrase`${await locationOf({ path, text }, keys)}: "${keys.join(".")}": ${fault}`)
  }
  return ok(null)
}

/** One line: the location and the problem. */
async function problemAt(path: string, text: string, problem?: SchemaProblem): Promise<Outcome<never>> {
  const keys = (problem?.path ?? "").split("/").slice(1).map(unescaped)
  const location = await locationOf({ path, text }, keys)
  const name = keys.join(".")
  // The schema has no such name.
  if (problem?.keyword === "boolean") {
    return usage(
      phrase`${location}: there is no "${name}" in models.json.${didYouMean(keys.at(-1) ?? "", siblings(keys))}`,
    )
  }
  return usage(phrase`${location}: "${name}" ${problem?.text ?? ""}.`)
}

/** A key inside a JSON pointer. */
function unescaped(key: string): string {
  return key.replaceAll("~1", "/").replaceAll("~0", "~")
}

/** The schema of a key; any name is valid where none are listed. */
function schemaAt(keys: readonly string[]): Readonly<Record<string, unknown>> {
  let at: unknown = modelsSchema
  for (const key of keys) {
    if (!isRecord(at)) return {}
    const properties = isRecord(at["properties"]) ? at["properties"] : {}
    at = Object.hasOwn(properties, key) ? properties[key] : (at["items"] ?? at["additionalProperties"])
  }
  return isRecord(at) ? at : {}
}

function siblings(keys: readonly string[]): readonly string[] {
  const { properties } = schemaAt(keys.slice(0, -1))
  return isRecord(properties) ? Object.keys(properties) : []
}
