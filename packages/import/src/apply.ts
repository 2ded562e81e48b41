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
import { staysIn } from "./source.ts"

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
  | Exclude<Candidate, { state: "take" }>
  | (Candidate & { readonly state: "take"; readonly to: string })

/** Applies everything, file by file. Existing data is kept, and a failure is reported without stopping the rest. */
export async function applyAll(
  services: Services,
  config: Config,
  candidates: readonly Candidate[],
  destination: Destination,
): Promise<readonly ImportOutcome[]> {
  const done: ImportOutcome[] = []
  const byFile = new Map<string, Applicable[]>()
  for (const candidate of candidates) {
    if (candidate.state !== "take") done.push(candidate)
    else if (candidate.target.op === "file") done.push(copyFile(candidate, candidate.target, destination))
    else if (candidate.target.op === "skill") done.push(await copySkill(services, config, candidate, destination))
    else {
      const file = fileOf(candidate.target, destination)
      byFile.set(file, [...(byFile.get(file) ?? []), candidate])
    }
  }
  for (const [file, applicables] of byFile) done.push(...(await applyJson(file, applicables, destination)))
  return done
}

type Applicable = Extract<Candidate, { state: "take" }>

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
  applicables: readonly Applicable[],
  destination: Destination,
): Promise<readonly ImportOutcome[]> {
  const place = placeFor(file, withinOf(file, destination))
  if (place !== null) return applicables.map((applicable) => left(applicable, place))
  let done: readonly ImportOutcome[] = []
  const edits = (now: unknown): readonly Edit[] => {
    const judged = judge(now, applicables, destination)
    done = judged.map(({ applicable, reason }) =>
      reason === null ? { ...applicable, to: file } : there(applicable, reason),
    )
    return judged.flatMap((one) => one.edit ?? [])
  }
  const written = await (destination.dry ? looked(file, edits) : changed(file, edits))
  if (written.ok) return done
  const problem = written.error.lines.join(" ").replace("gong: ", "")
  return applicables.map((applicable) => left(applicable, problem))
}

async function looked(file: string, edits: (now: unknown) => unknown): Promise<Outcome<unknown>> {
  const text = readText(file)
  if (!text.ok) return text
  const parsed = await parseLenient(text.value ?? "{}", file)
  if (parsed.ok) edits(parsed.value)
  return parsed
}

async function changed(file: string, edits: (now: unknown) => readonly Edit[]): Promise<Outcome<unknown>> {
  try {
    // A file without changes is not written, and a missing one not created.
    let some = false
    const looking = await looked(file, (now) => (some = edits(now).length > 0))
    return looking.ok && some ? await editFile(dirname(file), file.slice(dirname(file).length + 1), edits) : looking
  } catch (error) {
    return usage(phrase`${file} cannot be written (${codeOf(error)}).`)
  }
}

interface Judged {
  readonly applicable: Applicable
  /** Why nothing is changed, for example since it exists already; null: it is applied. */
  readonly reason: Text | null
  readonly edit: readonly Edit[] | null
}

function judge(now: unknown, applicables: readonly Applicable[], destination: Destination): readonly Judged[] {
  /** Lists may grow during the loop. */
  const lists = new Map<string, unknown[]>()
  const names = new Map<string, unknown>()
  return applicables.map((applicable): Judged => {
    const { target } = applicable
    const change = wishOf(now, target, destination)
    const key = JSON.stringify(change.path)
    const before = names.get(key) ?? change.now
    if (!change.list) {
      if (before !== undefined)
        return {
          applicable,
          reason: isDeepStrictEqual(before, change.value)
            ? phrase`it is set so.`
            : phrase`it is set already: ${shown(before)}`,
          edit: null,
        }
      names.set(key, change.value)
      return { applicable, reason: null, edit: [[change.path, change.value]] }
    }
    if (change.now !== undefined && !Array.isArray(change.now))
      return { applicable, reason: phrase`something else stands there: ${shown(change.now)}`, edit: null }
    const list = lists.get(key) ?? [...(change.now ?? [])]
    lists.set(key, list)
    if (list.some((one) => change.same(one)))
      return { applicable, reason: phrase`it stands there already.`, edit: null }
    list.push(change.value)
    return { applicable, reason: null, edit: [[[...change.path, list.length - 1], change.value]] }
  })
}

type Wish =
  | { readonly list: false; readonly path: readonly string[]; readonly now: unknown; readonly value: unknown }
  | {
      readonly list: true
      readonly path: readonly string[]
      readonly now: unknown
      readonly value: unknown
      same(other: unknown): boolean
    }

function wishOf(now: unknown, target: Target, { rules }: Destination): Wish {
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
      const kept = target.list === "allow" ? rules : null
      const found = locateSetting(now, `rules.${target.list}`)
      const path = kept === null ? found.path : [kept.repository]
      const same = (other: unknown): boolean => other === target.rule
      return { list: true, path, now: kept === null ? found.value : at(kept.repository), value: target.rule, same }
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
      throw new Error("only what goes into a file of JSON is wished for here")
  }
}

function hasHook(group: unknown, matcher: string, hook: unknown): boolean {
  const { matcher: theirs = "", hooks } = recordOf(group) ?? {}
  return theirs === matcher && Array.isArray(hooks) && hooks.some((one) => isDeepStrictEqual(one, hook))
}

function copyFile(
  applicable: Applicable,
  { path, text }: Extract<Target, { op: "file" }>,
  destination: Destination,
): ImportOutcome {
  const to = join(destination.folder, path)
  const problem = placeFor(to, destination.within)
  if (problem !== null) return left(applicable, problem)
  // A dangling link belongs to someone as well.
  if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) {
    const reason = sameText(to, text) ? phrase`${to} is the same.` : phrase`${to} is there and stays as it is.`
    return there(applicable, reason)
  }
  try {
    if (!destination.dry) writePrivateFile(dirname(to), to.slice(dirname(to).length + 1), text)
    return { ...applicable, to }
  } catch (error) {
    return left(applicable, phrase`${to} cannot be written (${codeOf(error)}).`)
  }
}

async function copySkill(
  services: Services,
  config: Config,
  applicable: Applicable,
  destination: Destination,
): Promise<ImportOutcome> {
  const { target } = applicable
  const to = join(destination.folder, "skills", target.op === "skill" ? target.name : "")
  const problem = placeFor(to, destination.within)
  if (problem !== null) return left(applicable, problem)
  if (existsSync(to)) return there(applicable, phrase`${to} is there and stays as it is.`)
  if (destination.dry || target.op !== "skill") return { ...applicable, to }
  const added = await addSkills(services, { ...config, home: destination.folder }, target.folder)
  return added.ok ? { ...applicable, to } : left(applicable, added.error.lines.join(" ").replace("gong: ", ""))
}

function sameText(path: string, text: string): boolean {
  try {
    return readFileSync(path, "utf8") === text
  } catch {
    return false
  }
}

/** Why this path must not be written; null if it may. A folder of a repository could be a link to anywhere. */
function placeFor(path: string, within: string): Text | null {
  let folder = path
  while (folder !== dirname(folder) && lstatSync(folder, { throwIfNoEntry: false }) === undefined)
    folder = dirname(folder)
  const above = folder === "/" || within.startsWith(`${folder}/`)
  const inside = above || staysIn([within], folder)
  return inside ? null : phrase`${path} leads out of ${within}; nothing is written there.`
}

function there({ area, from, what }: Applicable, reason: Text): ImportOutcome {
  return { area, from, what, state: "there", reason }
}

function left({ area, from, what }: Applicable, reason: Text): ImportOutcome {
  return { area, from, what, state: "left", reason }
}
