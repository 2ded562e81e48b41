import { isRecord, parseJson } from "@gong/spec"
import type { KeySyntax } from "./secret-table.ts"

/**
 * A settings file with its keys removed, so that programs still find their servers; unchanged if it has none. Null: a key
 * without a certain end, so the file must be hidden completely.
 */
export function redactKeys(text: string, form: KeySyntax): string | null {
  const redacted = { json: redactJson, xml: redactXml, lines: redactLines }[form](text)
  return redacted === null ? null : redactLogins(redacted)
}

/** Suffixes of setting names whose values are keys. */
const keyNames = "auth|authident|pass|passwd|password|passphrase|pwd|secret|token|key|credentials|otp"

/** `//host/:_authToken=VALUE`, `token = "VALUE"`, `npmAuthToken: VALUE`; several in one line, in braces, too. */
const assignment = new RegExp(
  `((?<![^\\s{,;])["']?[^\\s"'=#;{},]*(?:${keyNames})["']?(?:[ \\t]*[=:][ \\t]*|[ \\t]+(?=["'][^"'\\n]*["'][ \\t\\r]*$)))(["']{3}[^\\n]*|["'](?:[^"'\\\\\\n]|\\\\.)*["']|[^\\n]*)`,
  "gim",
)

/** A value that refers to another location, or is not text. */
const nonKeyValue = /^["']?(?:true|false|null|yes|no|\$\{[^}]*\}|\$\w+|%\([^)]*\)s)?["']?[ \t\r]*(?:[#;].*)?$/i

/** A multi-line value. */
const multiLineStart = /^(?:["']{3}|[|>[{])|\\\r?$/

function redactLines(text: string): string | null {
  let certain = true
  const redacted = text.replace(assignment, (whole, name: string, value: string, at: number) => {
    const rest = text.slice(at + whole.length)
    if (multiLineStart.test(value) || (value.trim() === "" && /^\r?\n[ \t]+\S/.test(rest))) certain = false
    return nonKeyValue.test(value) ? whole : `${name}""`
  })
  // In bundler's file every name is a server.
  return certain ? redacted.replace(/^(BUNDLE_\S+:[ \t]+)"?[^\s":]+:(?!\/\/)[^\s"]+"?[ \t\r]*$/gm, '$1""') : null
}

function redactXml(text: string): string {
  const element = new RegExp(
    `(<([\\w.-]*(?:${keyNames}))(?:\\s[^>]*)?>)(?!\\s*\\$\\{[^}]*\\}\\s*<)[\\s\\S]*?(?=</\\2>)`,
    "gi",
  )
  const attribute = new RegExp(`(key="[^"]*(?:${keyNames})"\\s+value=")[^"%]*(?=")`, "gi")
  const keys = /<(apikeys|httpHeaders)>[\s\S]*?<\/\1>/gi
  const values = /(<value>)[\s\S]*?(?=<\/value>)|(\bvalue=")[^"]*/gi
  const redacted = text.replace(keys, (group) => group.replace(values, "$1$2"))
  return redacted.replace(element, "$1").replace(attribute, "$1")
}

/** `https://NAME:PASSWORD@host`, and conda's token in a path. */
function redactLogins(text: string): string {
  const redacted = text.replace(/(https?:\/\/)([^/\s"'<>]+)@/gi, (whole, scheme: string, login: string) =>
    nonKeyValue.test(login.slice(login.indexOf(":") + 1)) ? whole : scheme,
  )
  return redacted.replace(/(:\/\/[^\s"'<>]*\/t\/)(?!\$)[^/\s"'<>]+/g, "$1-")
}

const jsonName = new RegExp(`(?:${keyNames})$`, "i")

function redactJson(text: string): string | null {
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
  const redacted = walk(parsed, false)
  return found ? `${JSON.stringify(redacted, null, 2)}\n` : text
}

function isKey(name: string): boolean {
  return jsonName.test(name) || name === "HttpHeaders"
}
