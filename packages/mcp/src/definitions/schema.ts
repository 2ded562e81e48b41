import { isRecord, type JsonSchema } from "@gong/spec"
import { hasInvisible, visibleText } from "./clean.ts"
import { limits } from "./limits.ts"

export type CheckedSchema =
  | { readonly ok: true; readonly schema: JsonSchema }
  /** A sentence fragment. */
  | { readonly ok: false; readonly problem: string }

/** Holds the reason why a schema was refused, in place of the schema. */
export const problemKey = "gong-problem"

/**
 * The schema of a tool's arguments for the model: bounded in size and depth, without references to other documents, and
 * without patterns, which could take exponential time wherever they are applied.
 */
export function checkSchema(given: unknown): CheckedSchema {
  if (!isRecord(given) || given["type"] !== "object")
    return { ok: false, problem: "its schema is not one of an object" }
  const refused = given[problemKey]
  if (typeof refused === "string") return { ok: false, problem: visibleText(refused.slice(0, 200)) }
  const walk: Walk = { left: limits.schema, problem: null }
  const schema = copy(given, walk, limits.schemaDepth, "schema")
  if (walk.problem !== null) return { ok: false, problem: walk.problem }
  return isRecord(schema) ? { ok: true, schema } : { ok: false, problem: "its schema is not one of an object" }
}

interface Walk {
  /** Characters that are left. */
  left: number
  problem: string | null
}

/** The place of a value: a schema, a map of names to schemas, or data. */
type Place = "schema" | "names" | "data"

const maps = new Set(["properties", "$defs", "definitions", "dependentSchemas"])
const data = new Set(["default", "const", "enum", "examples", "required"])
const dropped = new Set(["pattern", "patternProperties", "$id", "$comment"])
const references = new Set(["$ref", "$dynamicRef", "$recursiveRef"])
const texts = new Set(["description", "title"])
const forbidden = new Set(["__proto__", "constructor", "prototype"])

function copy(value: unknown, walk: Walk, levels: number, place: Place): unknown {
  if (walk.problem !== null) return undefined
  walk.left -= typeof value === "string" ? value.length + 3 : 5
  if (walk.left < 0) return fail(walk, `its schema is larger than ${limits.schema} characters`)
  if (typeof value === "string") return hasInvisible(value) ? fail(walk, "its schema hides characters") : value
  if (typeof value !== "object" || value === null) return value
  if (levels === 0) return fail(walk, `its schema is nested more than ${limits.schemaDepth} levels deep`)
  if (Array.isArray(value)) return value.map((item) => copy(item, walk, levels - 1, place))
  const fields: [string, unknown][] = []
  for (const key in value) {
    const field = copyField(key, (value as Record<string, unknown>)[key], walk, levels, place)
    if (walk.problem !== null) return undefined
    if (field !== undefined) fields.push([key, field])
  }
  return Object.fromEntries(fields)
}

function copyField(key: string, value: unknown, walk: Walk, levels: number, place: Place): unknown {
  walk.left -= key.length + 4
  if (forbidden.has(key)) return fail(walk, `its schema has a field named ${key}`)
  if (hasInvisible(key)) return fail(walk, "its schema hides characters")
  if (place !== "schema") return copy(value, walk, levels - 1, place === "names" ? "schema" : "data")
  if (dropped.has(key)) return undefined
  if (references.has(key) && !(typeof value === "string" && value.startsWith("#")))
    return fail(walk, "its schema refers to another document")
  if (texts.has(key) && typeof value === "string")
    return copy(visibleText(value.slice(0, limits.description)), walk, levels - 1, "data")
  return copy(value, walk, levels - 1, maps.has(key) ? "names" : data.has(key) ? "data" : "schema")
}

function fail(walk: Walk, problem: string): undefined {
  walk.problem ??= problem
}
