import { isRecord, phrase } from "@gong/spec"
import { didYouMean, ok, type Outcome, usage } from "../usage.ts"
import { flatten } from "./read.ts"
import { isSettingName, type Setting, type SettingName, settingNames, settingOf } from "./schema.ts"
import { fromText } from "./value.ts"
import { type Edit, editFile } from "./edit-file.ts"

/** The folder of the `settings.json` to change. */
export interface SettingsTarget {
  readonly folder: string
  readonly project: boolean
}

/**
 * Sets one setting in a file, or with null removes it; everything else stays, including comments. The text is parsed like `--set`.
 * `found` receives the previous text, null for none; returns the new text. Throws like Node if the folder is not writable.
 */
export function changeSetting(
  target: SettingsTarget,
  name: SettingName,
  text: string | null,
  found: (text: string | null) => void = () => undefined,
): Promise<Outcome<string>> {
  const setting = settingOf(name)
  if (target.project && setting.userOnly === true && text !== null) {
    return Promise.resolve(usage(phrase`"${name}" cannot be set by a project. Without --project it is set for you.`))
  }
  const value = text === null ? ok(undefined) : jsonOf(name, setting, text)
  if (!value.ok) return Promise.resolve(value)
  const change = (now: unknown, before: string | null): readonly Edit[] => {
    found(before)
    return edits(now, name, value.value)
  }
  return editFile(target.folder, "settings.json", change, { replacesLink: target.project })
}

/** A setting of this name, or a suggestion. */
export function parseSettingName(name: string): Outcome<SettingName> {
  if (isSettingName(name)) return ok(name)
  return usage(phrase`there is no setting "${name}".${didYouMean(name, settingNames)} gong config list shows all.`)
}

/** The form in the file: a duration stays as written. */
function jsonOf(name: SettingName, setting: Setting, text: string): Outcome<unknown> {
  const read = fromText(setting, text)
  if (!read.ok) return usage(phrase`"${name}" ${read.problem}`)
  return ok(setting.kind === "duration" ? text : read.value)
}

/** Location of a setting in a file, existing or not, and its current value; `undefined`: none. */
export function locateSetting(
  now: unknown,
  name: SettingName,
): { readonly path: readonly string[]; readonly value: unknown } {
  const found = isRecord(now) ? flatten(now).find(({ path }) => path.join(".") === name) : undefined
  return found ?? { path: freePath(now, name), value: undefined }
}

/** Both spellings are valid, `bash.timeout` and an object in `bash`; an existing one is not duplicated. */
function edits(now: unknown, name: SettingName, value: unknown): readonly Edit[] {
  const found = isRecord(now) ? flatten(now).filter(({ path }) => path.join(".") === name) : []
  const [first, ...others] = found.map(({ path }) => path)
  if (first === undefined) return value === undefined ? [] : [[freePath(now, name), value], ...membersOf(now, name)]
  return [[first, value], ...others.map((path): Edit => [path, undefined])]
}

/** Settings in an object whose key this name needs; they are moved beside it. */
function membersOf(now: unknown, name: SettingName): readonly Edit[] {
  const existing = isRecord(now) ? now[name] : undefined
  return isRecord(existing)
    ? flatten({ [name]: existing }).map(({ path, value }): Edit => [[path.join(".")], value])
    : []
}

/** As nested objects, unless another value is, or may be, in the way. */
function freePath(now: unknown, name: SettingName): readonly string[] {
  const [group = name, ...rest] = name.split(".")
  const existing = isRecord(now) && Object.hasOwn(now, group) ? now[group] : undefined
  const isFree = (existing === undefined && !isSettingName(group)) || isRecord(existing)
  return rest.length > 0 && !isFree ? [name] : [group, ...rest]
}
