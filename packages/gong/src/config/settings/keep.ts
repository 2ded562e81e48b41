import { isRecord, phrase } from "@gong/spec"
import { didYouMean, ok, type Outcome, usage } from "../usage.ts"
import { flatten } from "./read.ts"
import { isSettingName, type Setting, type SettingName, settingNames, settingOf } from "./schema.ts"
import { fromText } from "./value.ts"
import { type Edit, editFile } from "./write.ts"

/** Whose settings are changed: the folder that holds `settings.json`. */
export interface SettingsPlace {
  readonly folder: string
  readonly project: boolean
}

/**
 * Sets one setting in a file, or with null takes it out; everything else there stays, comments included. The text is read
 * as `--set` reads it. `found` gets the text that was there, null for none; gives the text that is there then. Throws like Node
 * when the folder cannot be written to.
 */
export function keepSetting(
  place: SettingsPlace,
  name: SettingName,
  text: string | null,
  found: (text: string | null) => void = () => undefined,
): Promise<Outcome<string>> {
  const setting = settingOf(name)
  if (place.project && setting.userOnly === true && text !== null) {
    return Promise.resolve(usage(phrase`"${name}" cannot be set by a project. Without --project it becomes yours.`))
  }
  const value = text === null ? ok(undefined) : jsonOf(name, setting, text)
  if (!value.ok) return Promise.resolve(value)
  return editFile(place.folder, "settings.json", (now, before) => {
    found(before)
    return edits(now, name, value.value)
  })
}

/** A setting of this name, or which one was likely meant. */
export function knownSetting(name: string): Outcome<SettingName> {
  if (isSettingName(name)) return ok(name)
  return usage(phrase`there is no setting "${name}".${didYouMean(name, settingNames)} gong config list shows all.`)
}

/** As the file holds it: a time stays as it was written. */
function jsonOf(name: SettingName, setting: Setting, text: string): Outcome<unknown> {
  const read = fromText(setting, text)
  if (!read.ok) return usage(phrase`"${name}" ${read.problem}`)
  return ok(setting.kind === "duration" ? text : read.value)
}

/** Where a setting stands in a file, or would, and what stands there now; `undefined`: nothing. */
export function placeOf(
  now: unknown,
  name: SettingName,
): { readonly path: readonly string[]; readonly value: unknown } {
  const found = isRecord(now) ? flatten(now).find(({ path }) => path.join(".") === name) : undefined
  return found ?? { path: freePath(now, name), value: undefined }
}

/** Both spellings may stand there, `bash.timeout` and an object in `bash`: no second one comes beside the first. */
function edits(now: unknown, name: SettingName, value: unknown): readonly Edit[] {
  const found = isRecord(now) ? flatten(now).filter(({ path }) => path.join(".") === name) : []
  const [first, ...others] = found.map(({ path }) => path)
  if (first === undefined) return value === undefined ? [] : [[freePath(now, name), value], ...membersOf(now, name)]
  return [[first, value], ...others.map((path): Edit => [path, undefined])]
}

/** Settings in an object whose place one of that name takes; they stand beside it then. */
function membersOf(now: unknown, name: SettingName): readonly Edit[] {
  const there = isRecord(now) ? now[name] : undefined
  return isRecord(there) ? flatten({ [name]: there }).map(({ path, value }): Edit => [[path.join(".")], value]) : []
}

/** Inside objects, but where something else stands in the way of one, or may. */
function freePath(now: unknown, name: SettingName): readonly string[] {
  const [group = name, ...rest] = name.split(".")
  const there = isRecord(now) && Object.hasOwn(now, group) ? now[group] : undefined
  const isFree = (there === undefined && !isSettingName(group)) || isRecord(there)
  return rest.length > 0 && !isFree ? [name] : [group, ...rest]
}
