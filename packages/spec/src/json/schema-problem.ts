import { phrase, type Phrase } from "../text/phrase.ts"

/** One error of the validator (typebox). */
export interface SchemaError {
  readonly instancePath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message: string
}

/** A schema violation: a JSON pointer (empty for the whole value) and a sentence fragment. */
export interface SchemaProblem {
  readonly path: string
  readonly keyword: string
  readonly text: Phrase
}

/** Its English text is the validator's own message where that names what is wrong. */
export function schemaProblem({ instancePath, keyword, params, message }: SchemaError): SchemaProblem {
  return { path: instancePath, keyword, text: textOf(keyword, params) ?? phrase(message) }
}

/** Null: the message itself is the id. */
function textOf(keyword: string, params: SchemaError["params"]): Phrase | null {
  const shown = (name: string): string => {
    const value = params[name]
    return Array.isArray(value) ? value.join(", ") : String(value)
  }
  switch (keyword) {
    case "minimum":
      return phrase`must be >= ${shown("limit")}`
    case "maximum":
      return phrase`must be <= ${shown("limit")}`
    case "exclusiveMinimum":
      return phrase`must be > ${shown("limit")}`
    case "exclusiveMaximum":
      return phrase`must be < ${shown("limit")}`
    case "minItems":
      return phrase`must not have fewer than ${shown("limit")} items`
    case "maxItems":
      return phrase`must not have more than ${shown("limit")} items`
    case "minLength":
      return phrase`must not have fewer than ${shown("limit")} characters`
    case "maxLength":
      return phrase`must not have more than ${shown("limit")} characters`
    case "pattern":
      return phrase`must match pattern "${shown("pattern")}"`
    case "enum":
      return phrase`must be one of ${shown("allowedValues")}`
    case "const":
      return phrase`must be ${shown("allowedValue")}`
    case "boolean":
      return phrase`is an unknown field`
    case "required":
      return phrase`must have required properties ${shown("requiredProperties")}`
    case "type":
      return Array.isArray(params["type"])
        ? phrase`must be either ${params["type"].join(" or ")}`
        : (types[String(params["type"])] ?? null)
    default:
      return null
  }
}

const types: Readonly<Record<string, Phrase>> = {
  integer: phrase`must be integer`,
  number: phrase`must be number`,
  string: phrase`must be string`,
  boolean: phrase`must be boolean`,
  object: phrase`must be object`,
  array: phrase`must be array`,
  null: phrase`must be null`,
}
