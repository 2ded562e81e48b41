import { type Setting, settingNames, settingOf } from "../packages/config/src/settings/schema.ts"

/** The form of settings.json for editors, made from the table that it is read by; both spellings of a name are known. */
export function settingsSchema(): unknown {
  const flat: [string, unknown][] = []
  const groups = new Map<string, [string, unknown][]>()
  for (const name of settingNames) {
    const value = valueSchema(settingOf(name))
    flat.push([name, value])
    const [group = name, ...rest] = name.split(".")
    if (rest.length > 0) groups.set(group, [...(groups.get(group) ?? []), [rest.join("."), value]])
  }
  const plain = new Map(flat)
  const nested = [...groups].map(([group, members]) => {
    const own = plain.get(group)
    return [group, own === undefined ? objectOf(members) : { anyOf: [own, objectOf(members)] }] as const
  })
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Gong's settings.json",
    allowComments: true,
    allowTrailingCommas: true,
    ...objectOf([
      ["$schema", { type: "string" }],
      ...flat,
      ...nested,
      [
        "extensions",
        { type: "object", description: "settings of extensions by name; false switches one off: docs/extensions.md" },
      ],
      ["hooks", { type: "object", description: "commands at fixed moments: docs/hooks.md" }],
    ]),
  }
}

function objectOf(members: readonly (readonly [string, unknown])[]) {
  return { type: "object", additionalProperties: false, properties: Object.fromEntries(members) }
}

function valueSchema(setting: Setting): unknown {
  const only = setting.userOnly === true ? " (a project may not set it)" : ""
  const byDefault = setting.default === null ? {} : { default: setting.default }
  return { description: `${setting.about}${only}`, ...typeOf(setting), ...byDefault }
}

function typeOf({ kind, choices, most }: Setting): object {
  switch (kind) {
    case "choice":
      return { enum: choices ?? [] }
    case "text":
      return { type: "string", minLength: 1 }
    case "switch":
      return { type: "boolean" }
    case "whole":
      return { type: "integer", minimum: 1 }
    case "count":
      return { type: "integer", minimum: 0, ...(most === undefined ? {} : { maximum: most }) }
    case "number":
      return { type: "number", minimum: 0 }
    case "money":
      return { type: "number", exclusiveMinimum: 0 }
    case "duration":
      return { type: "string", pattern: "^[0-9]{1,7}([.][0-9]{1,3})?(s|m|h)$" }
    case "rules":
    case "places":
    case "keys":
      return { type: "array", items: { type: "string", minLength: 1 } }
    case "names":
      return { type: "array", items: { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_]*$" } }
  }
}
