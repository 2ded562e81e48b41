import { colorNames } from "../packages/texts/src/colors.ts"
import { roles } from "../packages/texts/src/style.ts"

/** The form of a theme for editors, made from the tables that it is read by. */
export function themeSchema(): unknown {
  const color = { anyOf: [{ enum: colorNames }, { type: "string", pattern: "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$" }] }
  const properties = Object.fromEntries(
    Object.entries(roles).map(([role, { about }]) => [role, { description: about, ...color }]),
  )
  const colors = { type: "object", additionalProperties: false, properties }
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "A theme of Gong",
    allowComments: true,
    allowTrailingCommas: true,
    type: "object",
    additionalProperties: false,
    required: ["colors"],
    properties: {
      $schema: { type: "string" },
      colors,
      light: { description: "colours that differ on a light background", ...colors },
    },
  }
}
