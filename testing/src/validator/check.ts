/** Errors of a request, one line each: the location, and the API's message. */
export type Problems = string[]

export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Every field must be known, every required one present. */
export function checkFields(
  value: Fields,
  where: string,
  known: readonly string[],
  required: readonly string[],
): Problems {
  const unknown = Object.keys(value).filter((key) => !known.includes(key))
  const missing = required.filter((key) => value[key] === undefined)
  return [
    ...unknown.map((key) => `${where}: unknown field ${key}`),
    ...missing.map((key) => `${where}: ${key} is missing`),
  ]
}

/** An absent field is valid. */
export function checkOptional(
  value: Fields,
  key: string,
  where: string,
  fits: (field: unknown) => boolean,
  what: string,
): Problems {
  const field = value[key]
  return field === undefined || fits(field) ? [] : [`${where}.${key} must be ${what}`]
}

export function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== ""
}

export function isBoolean(value: unknown): boolean {
  return typeof value === "boolean"
}

export function isPositiveInteger(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) > 0
}

export function between(low: number, high: number): (value: unknown) => boolean {
  return (value) => typeof value === "number" && value >= low && value <= high
}

export function oneOf(...allowed: readonly unknown[]): (value: unknown) => boolean {
  return (value) => allowed.includes(value)
}

/** Names and schemas of tools: the same in all wire formats except for their location. */
export function checkToolSpec(
  name: unknown,
  description: unknown,
  schema: unknown,
  where: string,
  maxName: number,
): Problems {
  const problems: Problems = []
  if (!isToolName(name, maxName)) problems.push(`${where}: name must match ^[a-zA-Z0-9_-]{1,${maxName}}$`)
  if (description !== undefined && typeof description !== "string") problems.push(`${where}: description must be text`)
  if (!isFields(schema) || schema["type"] !== "object") problems.push(`${where}: the schema must be of type object`)
  else if (schema["properties"] !== undefined && !isFields(schema["properties"]))
    problems.push(`${where}: properties must be an object`)
  return problems
}

export function isToolName(value: unknown, max: number): boolean {
  return typeof value === "string" && value.length <= max && /^[a-zA-Z0-9_-]+$/.test(value)
}

export function checkUnique(values: readonly unknown[], where: string, what: string): Problems {
  const seen = new Set<unknown>()
  const problems: Problems = []
  for (const value of values) {
    if (seen.has(value)) problems.push(`${where}: ${what} ${String(value)} occurs twice`)
    seen.add(value)
  }
  return problems
}

const imageTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"]

export function isImageType(value: unknown): boolean {
  return imageTypes.includes(value as string)
}

export function isBase64(value: unknown): boolean {
  return typeof value === "string" && value.length > 0 && value.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(value)
}
