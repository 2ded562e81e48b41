import { phrase, type Text } from "@gong/spec"
import { alternatives, didYouMean } from "../usage.ts"
import { choice, readValue } from "../values.ts"
import type { Setting } from "./schema.ts"

export type SettingValue = string | number | boolean | readonly string[]

export type SettingRead =
  | { readonly ok: true; readonly value: SettingValue }
  /** Completes the sentence "NAME ...", with its full stop. */
  | { readonly ok: false; readonly problem: Text }

/** A value from the environment or `--set`, where everything is text: `on`, `a,b`, `15m`, `0.5`. */
export function fromText(setting: Setting, text: string): SettingRead {
  switch (setting.kind) {
    case "choice": {
      const read = choice(setting.choices ?? [], text)
      return read.ok ? read : wrong(read.wants, text, didYouMean(text, setting.choices ?? []))
    }
    case "switch": {
      const value = { on: true, true: true, off: false, false: false }[text]
      return value === undefined ? wrong(phrase`on or off`, text) : { ok: true, value }
    }
    case "number":
      return /^\d{1,9}(\.\d{1,6})?$/.test(text)
        ? { ok: true, value: Number(text) }
        : wrong(phrase`a number from 0`, text)
    case "count": {
      const { most = Number.MAX_SAFE_INTEGER } = setting
      const fits = /^\d{1,12}$/.test(text) && Number(text) <= most
      return fits ? { ok: true, value: Number(text) } : wrong(phrase`a whole number from 0 to ${most}`, text)
    }
    case "names": {
      const names = text.split(",").filter((name) => name !== "")
      return names.every(isName) ? { ok: true, value: names } : wrong(phrase`names of environment variables`, text)
    }
    case "rules":
      return { ok: true, value: splitRules(text) }
    case "places":
      return { ok: true, value: text.split(",").filter(isFilled) }
    case "keys":
      return { ok: true, value: splitEntries(text) }
    case "text":
    case "whole":
    case "money":
    case "duration": {
      const read = readValue({ kind: setting.kind }, text)
      return read.ok ? { ok: true, value: read.value } : wrong(read.wants, text)
    }
  }
}

/** A value from a settings file, where types must match: `"60"` is not a number. */
export function fromJson(setting: Setting, value: unknown): SettingRead {
  const kinds = jsonKinds[setting.kind]
  const kind = Array.isArray(value) ? "array" : typeof value
  if (kind !== kinds) return wrong(describe(setting), JSON.stringify(value) ?? "nothing", "", true)
  if (Array.isArray(value)) {
    const fits = setting.kind === "names" ? isName : isFilled
    return value.every((item): item is string => typeof item === "string" && fits(item))
      ? { ok: true, value }
      : wrong(describe(setting), JSON.stringify(value), "", true)
  }
  if (setting.kind === "switch") return { ok: true, value: value === true }
  return fromText(setting, String(value))
}

const jsonKinds = {
  text: "string",
  choice: "string",
  duration: "string",
  switch: "boolean",
  whole: "number",
  count: "number",
  number: "number",
  money: "number",
  names: "array",
  rules: "array",
  places: "array",
  keys: "array",
} as const

function describe(setting: Setting): Text {
  switch (setting.kind) {
    case "choice":
      return alternatives(setting.choices ?? [])
    case "switch":
      return phrase`true or false`
    case "names":
      return phrase`a list of environment variable names`
    case "rules":
      return phrase`a list of rules such as "bash(npm test)"`
    case "places":
      return phrase`a list of names and paths`
    case "keys":
      return phrase`a list of keys such as "send=ctrl+s"`
    case "duration":
      return phrase`a time such as "15m"`
    case "text":
      return phrase`text`
    case "whole":
    case "count":
    case "number":
    case "money":
      return phrase`a number`
  }
}

function wrong(wants: Text, got: string, near: Text = "", asJson = false): SettingRead {
  const shown = got.length > 80 ? `${got.slice(0, 80)}...` : got
  return { ok: false, problem: phrase`must be ${wants}, not ${asJson ? shown : `"${shown}"`}.${near}` }
}

/** Commas separate rules, except inside parentheses. */
function splitRules(text: string): readonly string[] {
  const rules = text.split(/,(?![^()]*\))/).map((rule) => rule.trim())
  return rules.filter((rule) => rule !== "")
}

/** Commas separate the keys of one entry, and entries. */
function splitEntries(text: string): readonly string[] {
  return text.split(/,(?=\s*[\w-]+=)/).filter(isFilled)
}

/** Its content is validated where it is used. */
function isFilled(text: string): boolean {
  return text.trim() !== ""
}

function isName(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text)
}
