import type { XStatic } from "typebox/schema"
import { englishOf } from "../text/phrase.ts"
import { parseJson } from "./json.ts"
export type { SchemaProblem } from "./schema-problem.ts"
import { type SchemaError, type SchemaProblem, schemaProblem } from "./schema-problem.ts"

/** A JSON Schema (2020-12) as data. The same schema is sent to the model and used to check arguments. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The TypeScript type of values that fit a schema declared `as const`. */
export type Static<S extends JsonSchema> = XStatic<S>

export type Checked =
  | { readonly ok: true; readonly value: Record<string, unknown> }
  /** One line each: where and what, e.g. `/limit must be integer`. */
  | { readonly ok: false; readonly errors: readonly string[]; readonly problems: readonly SchemaProblem[] }

type Validate = (value: unknown) => [boolean, readonly SchemaError[]]

const compiled = new WeakMap<JsonSchema, Validate>()

/**
 * Converts the arguments (see `convert`), then validates them. The validator is loaded and compiled for the first value that
 * `plainlyFits` cannot decide, so startup and most runs never pay for it.
 */
export async function checkArguments(schema: JsonSchema, args: Readonly<Record<string, unknown>>): Promise<Checked> {
  const value = convert(schema, args) as Record<string, unknown>
  if (plainlyFits(schema, value)) return { ok: true, value }
  const [fits, errors] = (await validatorOf(schema))(value)
  if (fits) return { ok: true, value }
  // Each unknown field has an error of its own.
  const problems = errors.filter(({ keyword }) => keyword !== "additionalProperties").map(schemaProblem)
  return {
    ok: false,
    errors: problems.map(({ path, text }) => `${path || "arguments"} ${englishOf(text)}`),
    problems,
  }
}

/** Keywords that `plainlyFits` supports; tool schemas hardly use others. */
const plain = new Set("type description properties required items minItems minimum exclusiveMinimum".split(" "))

/**
 * Whether a value fits a schema of a few simple keywords. False is inconclusive: the schema has another keyword, or the value
 * may not fit; the validator then decides and names the problem.
 */
export function plainlyFits(schema: unknown, value: unknown): boolean {
  if (!isRecord(schema) || Object.keys(schema).some((keyword) => !plain.has(keyword))) return false
  switch (schema["type"]) {
    case "string":
      return typeof value === "string"
    case "boolean":
      return typeof value === "boolean"
    case "integer":
      return Number.isInteger(value) && inRange(schema, value as number)
    case "number":
      return Number.isFinite(value) && inRange(schema, value as number)
    case "array":
      return Array.isArray(value) && itemsFit(schema, value)
    case "object":
      return isRecord(value) && fieldsFit(schema, value)
    default:
      return false
  }
}

function inRange(schema: JsonSchema, value: number): boolean {
  const { minimum = -Infinity, exclusiveMinimum = -Infinity } = schema
  return (
    typeof minimum === "number" && typeof exclusiveMinimum === "number" && value >= minimum && value > exclusiveMinimum
  )
}

function itemsFit(schema: JsonSchema, values: readonly unknown[]): boolean {
  const { items, minItems = 0 } = schema
  if (typeof minItems !== "number" || values.length < minItems) return false
  return items === undefined || values.every((value) => plainlyFits(items, value))
}

function fieldsFit(schema: JsonSchema, value: Readonly<Record<string, unknown>>): boolean {
  const { required = [], properties = {} } = schema
  if (!Array.isArray(required) || !isRecord(properties)) return false
  if (!required.every((key) => Object.hasOwn(value, key))) return false
  return Object.entries(properties).every(
    ([key, field]) => !Object.hasOwn(value, key) || plainlyFits(field, value[key]),
  )
}

async function validatorOf(schema: JsonSchema): Promise<Validate> {
  const known = compiled.get(schema)
  if (known) return known
  const { Compile } = await import("typebox/schema")
  const validator = Compile(schema)
  const validate: Validate = (value) =>
    validator.Check(value) ? [true, []] : (validator.Errors(value) as ReturnType<Validate>)
  compiled.set(schema, validate)
  return validate
}

/**
 * Parses text as a number, boolean, array or object if the schema requires one and the text is exactly that. Nothing becomes
 * text, so a wrong `path: 5` stays an error (row TOOLDEF-12). Copies what it changes.
 */
export function convert(schema: unknown, value: unknown): unknown {
  if (!isRecord(schema)) return value
  const type = schema["type"]
  if (typeof value === "string") return convertText(type, schema, value)
  if (type === "array" && Array.isArray(value)) return value.map((item) => convert(schema["items"], item))
  if (type === "object" && isRecord(value)) return convertProperties(schema, value)
  return value
}

function convertText(type: unknown, schema: Readonly<Record<string, unknown>>, text: string): unknown {
  if ((type === "number" || type === "integer") && /^-?\d+(\.\d+)?$/.test(text.trim())) return Number(text)
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true"
  if (type === "array" || type === "object") {
    const parsed = parseJson(text)
    if (type === "array" ? Array.isArray(parsed) : isRecord(parsed)) return convert(schema, parsed)
  }
  return text
}

function convertProperties(
  schema: Readonly<Record<string, unknown>>,
  value: Readonly<Record<string, unknown>>,
): unknown {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {}
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : []
  const fields = Object.entries(value).flatMap(([key, item]) => {
    if (!Object.hasOwn(properties, key)) return [[key, item]]
    // Models send null for an omitted optional field.
    return item === null && !required.includes(key) ? [] : [[key, convert(properties[key], item)]]
  })
  // Assigning a key named `__proto__` would set the prototype, whose fields tools would then see.
  return Object.fromEntries(fields) as Record<string, unknown>
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
