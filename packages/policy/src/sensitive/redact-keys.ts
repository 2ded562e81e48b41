import { isRecord, parseJson } from "@gong/spec"
import type { Form } from "./secret-table.ts"

/**
 * A settings file with its keys removed, so that programs still find their servers; unchanged if it has none. Null: a key
 * without a certain end, so nothing of the file may be shown.
 */
export function withoutKeys(text: string, form: Form): string | null {
  const without = { json: jsonWithout, xml: xmlWithout, lines: linesWithout }[form](text)
  return without === null ? null : withoutLogins(without)
}

/** Suffixes of setting names whose values are keys. */
const named = "auth|authident|pass|passwd|password|passphrase|pwd|secret|token|key|credentials|otp"

/** `//host/:_authToken=VALUE`, `token = "VALUE"`, `npmAuthToken: VALUE`; several in one line, in braces, too. */
const assignment = new RegExp(
  `((?<![^\\s{,;])["']?[^\\s"'=#;{},]*(?:${named})["']?(?:[ \\t]*[=:][ \\t]*|[ \\t]+(?=["'][^"'\\n]*["'][ \\t\\r]*$)))(["']{3}[^\\n]*|["'](?:[^"'\\\\\\n]|\\\\.)*["']|[^\\n]*)`,
  "gim",
)

/** A value that refers to another location, or is not text. */
const noKey = /^["']?(?:true|false|null|yes|no|\$\{[^}]*\}|\$\w+|%\([^)]*\)s)?["']?[ \t\r]*(?:[#;].*)?$/i

/** A multi-line value. */
const goesOn = /^(?:["']{3}|[|>[{])|\\\r?$/

function linesWithout(text: string): string | null {
  let certain = true
  const without = text.replace(assignment, (whole, name: string, value: string, at: number) => {
    const behind = text.slice(at + whole.length)
    if (goesOn.test(value) || (value.trim() === "" && /^\r?\n[ \t]+\S/.test(behind))) certain = false
    return noKey.test(value) ? whole : `${name}""`
  })
  // In bundler's file every name is a server.
  return certain ? without.replace(/^(BUNDLE_\S+:[ \t]+)"?[^\s":]+:(?!\/\/)[^\s"]+"?[ \t\r]*$/gm, '$1""') : null
}

function xmlWithout(text: string): string {
  const element = new RegExp(
    `(<([\\w.-]*(?:${named}))(?:\\s[^>]*)?>)(?!\\s*\\$\\{[^}]*\\}\\s*<)[\\s\\S]*?(?=</\\2>)`,
    "gi",
  )
  const attribute = new RegExp(`(key="[^"]*(?:${named})"\\s+value=")[^"%]*(?=")`, "gi")
  const keys = /<(apikeys|httpHeaders)>[\s\S]*?<\/\1>/gi
  const values = /(<value>)[\s\S]*?(?=<\/value>)|(\bvalue=")[^"]*/gi
  const without = text.replace(keys, (group) => group.replace(values, "$1$2"))
  return without.replace(element, "$1").replace(attribute, "$1")
}

/** `https://NAME:PASSWORD@host`, and conda's token in a path. */
function withoutLogins(text: string): string {
  const without = text.replace(/(https?:\/\/)([^/\s"'<>]+)@/gi, (whole, scheme: string, login: string) =>
    noKey.test(login.slice(login.indexOf(":") + 1)) ? whole : scheme,
  )
  return without.replace(/(:\/\/[^\s"'<>]*\/t\/)(?!\$)[^/\s"'<>]+/g, "$1-")
}

const jsonName = new RegExp(`(?:${named})$`, "i")

function jsonWithout(text: string): string | null {
  if (text.trim() === "") return text
  const parsed = parseJson(text)
  if (!isRecord(parsed)) return null
  let found = false
  const walk = (value: unknown, secret: boolean): unknown => {
    if (Array.isArray(value)) return value.map((one) => walk(one, secret))
    if (isRecord(value))
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walk(one, secret || isKey(name))]))
    if (!secret || typeof value !== "string" || value === "") return value
    found = true
    return ""
  }
  const without = walk(parsed, false)
  return found ? `${JSON.stringify(without, null, 2)}\n` : text
}

function isKey(name: string): boolean {
  return jsonName.test(name) || name === "HttpHeaders"
}
