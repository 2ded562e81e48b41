import { phrase, type Text } from "@gong/spec"
import { existsSync, lstatSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import type { Config } from "@gong/app/compose/config"
import { writePrivateFile } from "@gong/config/home"
import { locateSetting } from "@gong/config/settings/change-setting"
import { parseLenient, readText } from "@gong/config/settings/read"
import { type Edit, editFile } from "@gong/config/settings/edit-file"
import { codeOf, type Outcome, usage } from "@gong/config/usage"
import type { Services } from "@gong/app/services"
import { addSkills } from "@gong/app/administration/skills/add"
import { type Candidate, recordOf, shown, type Target } from "./candidate.ts"
import { realOf } from "./context.ts"
import { isInside } from "./source.ts"

/** The destination of an import. */
export interface Destination {
  /** Gong's folder: in the user's home or in the project. */
  readonly folder: string
  /** A real path that writes must not leave. */
  readonly within: string
  /** Storage for rules of a repository; null: rules go into the settings. */
  readonly rules: { readonly home: string; readonly repository: string } | null
  /** Writes nothing. */
  readonly dry: boolean
}

/** The outcome of a candidate. */
export type ImportOutcome =
  | Exclude<Candidate, { state: "import" }>
  | (Candidate & { readonly state: "import"; readonly to: string })

/** Applies everything, file by file. Existing data is kept, and a failure is reported without stopping the rest. */
export async function applyAll(
  services: Services,
  config: Config,
  candidates: readonly Candidate[],
  destination: Destination,
): Promise<readonly ImportOutcome[]> {
  const done: ImportOutcome[] = []
  const byFile = new Map<string, ImportedItem[]>()
  for (const candidate of candidates) {
    if (candidate.state !== "import") done.push(candidate)
    else if (candidate.target.op === "file") done.push(copyFile(candidate, candidate.target, destination))
    else if (candidate.target.op === "skill") done.push(await copySkill(services, config, candidate, destination))
    else {
      const file = fileOf(candidate.target, destination)
      byFile.set(file, [...(byFile.get(file) ?? []), candidate])
    }
  }
  for (const [file, items] of byFile) done.push(...(await applyJson(file, items, destination)))
  return done
}

type ImportedItem = Extract<Candidate, { state: "import" }>

function fileOf(target: Target, { folder, rules }: Destination): string {
  if (target.op === "server") return join(folder, "mcp.json")
  if (target.op === "provider") return join(folder, "models.json")
  if (target.op === "rule" && target.list === "allow" && rules !== null) return join(rules.home, "permissions.json")
  return join(folder, "settings.json")
}

/** Permissions of a repository are stored in the user's home, wherever the rest goes. */
function withinOf(file: string, { within, rules }: Destination): string {
  return rules !== null && dirname(file) === rules.home ? realOf(rules.home) : within
}

/** All changes of one JSON file are written at once. */
async function applyJson(
  file: string,
  items: readonly ImportedItem[],
  destination: Destination,
): Promise<readonly ImportOutcome[]> {
  const outside = outsideProblem(file, withinOf(file, destination))
  if (outside !== null) return items.map((item) => skipped(item, outside))
  let done: readonly ImportOutcome[] = []
  const edits = (now: unknown): readonly Edit[] => {
    const checked = checkItems(now, items, destination)
    done = checked.map(({ item, reason }) => (reason === null ? { ...item, to: file } : present(item, reason)))
    return checked.flatMap((one) => one.edit ?? [])
  }
  const written = await (destination.dry ? readWith(file, edits) : editIfChanged(file, edits))
  if (written.ok) return done
  const problem = written.error.lines.join(" ").replace("gong: ", "")
  return items.map((item) => skipped(item, problem))
}

async function readWith(file: string, edits: (now: unknown) => unknown): Promise<Outcome<unknown>> {
  const text = readText(file)
  if (!text.ok) return text
  const parsed = await parseLenient(text.value ?? "{}", file)
  if (parsed.ok) edits(parsed.value)
  return parsed
}

const replacing = { replacesLink: true }

async function editIfChanged(file: string, edits: (now: unknown) => readonly Edit[]): Promise<Outcome<unknown>> {
  try {
    // A file without changes is not written, and a missing one not created.
    let hasEdits = false
    const read = await readWith(file, (now) => (hasEdits = edits(now).length > 0))
    return read.ok && hasEdits
      ? await editFile(dirname(file), file.slice(dirname(file).length + 1), edits, replacing)
      : read
  } catch (error) {
    return usage(phrase`${file} cannot be written (${codeOf(error)}).`)
  }
}

interface CheckedItem {
  readonly item: ImportedItem
  /** Why nothing is changed; null: the item is applied. */
  readonly reason: Text | null
  readonly edit: readonly Edit[] | null
}

function checkItems(now: unknown, items: readonly ImportedItem[], destination: Destination): readonly CheckedItem[] {
  /** Lists may grow during the loop. */
  const lists = new Map<string, unknown[]>()
  const names = new Map<string, unknown>()
  return items.map((item): CheckedItem => {
    const { target } = item
    const change = changeOf(now, target, destination)
    const key = JSON.stringify(change.path)
    const before = names.get(key) ?? change.now
    if (!change.list) {
      if (before !== undefined)
        return {
          item,
          reason: isDeepStrictEqual(withoutSwitch(before), withoutSwitch(change.value))
            ? phrase`it has this value already.`
            : phrase`it has another value: ${shown(before)}`,
          edit: null,
        }
      names.set(key, change.value)
      return { item, reason: null, edit: [[change.path, change.value]] }
    }
    if (change.now !== undefined && !Array.isArray(change.now))
      return { item, reason: phrase`it has another value: ${shown(change.now)}`, edit: null }
    const list = lists.get(key) ?? [...(change.now ?? [])]
    lists.set(key, list)
    if (list.some((one) => change.same(one))) return { item, reason: phrase`it is in the list already.`, edit: null }
    list.push(change.value)
    return { item, reason: null, edit: [[[...change.path, list.length - 1], change.value]] }
  })
}

/** A server is the same whether it is turned on or off. */
function withoutSwitch(value: unknown): unknown {
  const { disabled: _, ...rest } = recordOf(value) ?? {}
  return recordOf(value) === null ? value : rest
}

type JsonChange =
  | { readonly list: false; readonly path: readonly string[]; readonly now: unknown; readonly value: unknown }
  | {
      readonly list: true
      readonly path: readonly string[]
      readonly now: unknown
      readonly value: unknown
      same(other: unknown): boolean
    }

function changeOf(now: unknown, target: Target, { rules }: Destination): JsonChange {
  const at = (...path: readonly string[]): unknown =>
    path.reduce((value: unknown, key) => {
      const record = recordOf(value)
      return record !== null && Object.hasOwn(record, key) ? record[key] : undefined
    }, now)
  switch (target.op) {
    case "setting": {
      const { path, value } = locateSetting(now, target.name)
      return { list: false, path, now: value, value: target.value }
    }
    case "rule": {
      const stored = target.list === "allow" ? rules : null
      const found = locateSetting(now, `rules.${target.list}`)
      const path = stored === null ? found.path : [stored.repository]
      const same = (other: unknown): boolean => other === target.rule
      return { list: true, path, now: stored === null ? found.value : at(stored.repository), value: target.rule, same }
    }
    case "hook": {
      const { event, matcher, hook } = target
      const value = { ...(matcher !== "" && { matcher }), hooks: [hook] }
      return {
        list: true,
        path: ["hooks", event],
        now: at("hooks", event),
        value,
        same: (other) => hasHook(other, matcher, hook),
      }
    }
    case "server":
      return {
        list: false,
        path: ["mcpServers", target.name],
        now: at("mcpServers", target.name),
        value: target.server,
      }
    case "provider":
      return { list: false, path: ["providers", target.id], now: at("providers", target.id), value: target.provider }
    case "file":
    case "skill":
      throw new Error("files and skills are not changes of a JSON file")
  }
}

function hasHook(group: unknown, matcher: string, hook: unknown): boolean {
  const { matcher: theirs = "", hooks } = recordOf(group) ?? {}
  return theirs === matcher && Array.isArray(hooks) && hooks.some((one) => isDeepStrictEqual(one, hook))
}

function copyFile(
  item: ImportedItem,
  { path, text, append }: Extract<Target, { op: "file" }>,
  destination: Destination,
): ImportOutcome {
  const to = join(destination.folder, path)
  const problem = outsideProblem(to, destination.within)
  if (problem !== null) return skipped(item, problem)
  // A dangling link is existing data too.
  const existing = append === true ? textOf(to) : null
  if (existing === null && lstatSync(to, { throwIfNoEntry: false }) !== undefined) {
    const reason = sameText(to, text) ? phrase`${to} is identical.` : phrase`${to} exists and is not changed.`
    return present(item, reason)
  }
  if (existing?.split("\n").includes(text.trimEnd())) return present(item, phrase`it is in the file already.`)
  const whole = existing === null || existing.trim() === "" ? text : `${existing.trimEnd()}\n${text}`
  try {
    if (!destination.dry) writePrivateFile(dirname(to), to.slice(dirname(to).length + 1), whole)
    return { ...item, to }
  } catch (error) {
    return skipped(item, phrase`${to} cannot be written (${codeOf(error)}).`)
  }
}

async function copySkill(
  services: Services,
  config: Config,
  item: ImportedItem,
  destination: Destination,
): Promise<ImportOutcome> {
  const { target } = item
  const to = join(destination.folder, "skills", target.op === "skill" ? target.name : "")
  const problem = outsideProblem(to, destination.within)
  if (problem !== null) return skipped(item, problem)
  if (existsSync(to)) return present(item, phrase`${to} exists and is not changed.`)
  if (destination.dry || target.op !== "skill") return { ...item, to }
  const added = await addSkills(services, { ...config, home: destination.folder }, target.folder)
  return added.ok ? { ...item, to } : skipped(item, added.error.lines.join(" ").replace("gong: ", ""))
}

function sameText(path: string, text: string): boolean {
  return textOf(path) === text
}

/** Null for what is no file that can be read. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return null
  }
}

/** The problem of a path that leads out of `within`, since a folder of a repository may be a link; null if it is inside. */
function outsideProblem(path: string, within: string): Text | null {
  let folder = path
  while (folder !== dirname(folder) && lstatSync(folder, { throwIfNoEntry: false }) === undefined)
    folder = dirname(folder)
  const above = folder === "/" || within.startsWith(`${folder}/`)
  const inside = above || isInside([within], folder)
  return inside ? null : phrase`${path} leads out of ${within}; not written.`
}

function present({ area, from, what }: ImportedItem, reason: Text): ImportOutcome {
  return { area, from, what, state: "present", reason }
}

function skipped({ area, from, what }: ImportedItem, reason: Text): ImportOutcome {
  return { area, from, what, state: "skipped", reason }
}
