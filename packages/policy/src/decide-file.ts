import {
  englishOf,
  type PathArgument,
  phrase,
  type Phrase,
  type PolicyCall,
  type ToolDeclaration,
  type ToolEffect,
  projectFolders,
} from "@gong/spec"
import { decideOther } from "./decide-other.ts"
import { isInside, parentOf } from "./paths.ts"
import { isSecret, secretsBelow } from "./sensitive/secrets.ts"
import type { Located } from "./git/git-facts.ts"
import { deny, wasApproved, type Finding, type Judge, type Question } from "./decision.ts"
import { matchesPath, type Rule } from "./rules.ts"
import * as texts from "./texts.ts"
import { autorunBy } from "./sensitive/autorun.ts"

const holdsKeys = phrase`it may hold keys`
const outsideWorkspace = phrase`outside the workspace`

/** Reads are allowed except where keys are, and outside the roots if the settings say so. */
export async function decideRead(call: PolicyCall, declared: ToolDeclaration, judge: Judge): Promise<Finding> {
  return decideEach(call, declared, judge, decideOneRead)
}

async function decideOneRead({ call, place, holds }: PathCall, judge: Judge): Promise<Finding> {
  const { facts } = judge
  const ruled = byRule(call, place, judge, "read")
  if (ruled !== null) return ruled
  if (facts.level === "full") return { verdict: "allow" }
  // A key file may be a link, and a link may lead to one.
  const secret = (await showsSecrets(holds, place.real, judge)) || (await showsSecrets(holds, place.path, judge))
  const outside = facts.reads === "workspace" && !inRoots(place.real, judge)
  if (!secret && !outside) return { verdict: "allow" }
  if (facts.level === "plan") return deny("plan", texts.deniedByPlan(call.title))
  return question(call, place, judge, secret ? holdsKeys : outsideWorkspace)
}

/** Writes inside the roots depend on the level; outside, and to files that steer git, Gong or another program, they need approval. */
export async function decideChange(call: PolicyCall, declared: ToolDeclaration, judge: Judge): Promise<Finding> {
  return decideEach(call, declared, judge, decideOneChange)
}

async function decideOneChange({ call, place }: PathCall, judge: Judge): Promise<Finding> {
  const { facts } = judge
  const ruled = byRule(call, place, judge, "write")
  if (ruled !== null) return ruled
  if (facts.level === "full") return { verdict: "allow" }
  if (facts.level === "plan") return deny("plan", texts.deniedByPlan(call.title))
  if (!inRoots(place.real, judge)) return question(call, place, judge, outsideWorkspace)
  const controlled = await controlledBy(place.real, judge)
  if (controlled !== null) return question(call, place, judge, phrase`it controls ${controlled}`)
  if (facts.level === "auto") return { verdict: "allow" }
  const suggestedRule = isInside(facts.workspace, place.real) ? `${call.tool}(**)` : `${call.tool}(${place.real})`
  return { verdict: "ask", reason: phrase`level ask`, suggestedRule, toModel: texts.needsPermission(call.title) }
}

/** A call with one of its paths. */
interface PathCall {
  readonly call: PolicyCall
  readonly holds: PathArgument["holds"]
  readonly place: Located
}

/** Judges each path of the call; the strictest decision counts. Without valid paths the call is unknown. */
async function decideEach(
  call: PolicyCall,
  { paths = [] }: ToolDeclaration,
  judge: Judge,
  decideOne: (one: PathCall, judge: Judge) => Promise<Finding>,
): Promise<Finding> {
  const questions: Question[] = []
  for (const { argument, holds } of paths) {
    for (const typed of typedPaths(call.arguments[argument], judge)) {
      if (typeof typed !== "string") return decideOther(call, judge)
      const place = await locate(typed, judge)
      const found = "verdict" in place ? place : await decideOne({ call, holds, place }, judge)
      if (found.verdict === "deny") return found
      if (found.verdict === "ask") questions.push(found)
    }
  }
  const [first, ...more] = questions
  if (first === undefined) return paths.length === 0 ? decideOther(call, judge) : { verdict: "allow" }
  if (more.length === 0) return first
  // One rule would cover only one of the paths.
  const reasons = new Map(questions.map((one) => [englishOf(one.reason), one.reason]))
  const reason = [...reasons.values()].reduce((said, other) => phrase`${said}; ${other}`)
  return { verdict: "ask", reason, toModel: first.toModel }
}

/** A missing path means the working directory. */
function typedPaths(value: unknown, { facts }: Judge): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value === undefined ? "" : value]
  return list.length === 0 ? [facts.cwd] : list.map((typed) => (typed === "" ? facts.cwd : typed))
}

async function locate(typed: string, { facts }: Judge): Promise<Located | Finding> {
  try {
    return await facts.locate(typed)
  } catch (error) {
    // An unresolvable path cannot be judged; the tool reports the same error.
    const toModel = error instanceof Error ? error.message : String(error)
    return { verdict: "deny", reason: "no such place", toModel, impossible: true }
  }
}

/** A deny rule on one tool applies to all tools of its effect: forbidding edits forbids all changes there. */
function byRule(call: PolicyCall, place: Located, judge: Judge, effect: ToolEffect): Finding | null {
  const { facts } = judge
  const covers = (rule: Rule, paths: readonly string[]): boolean =>
    matchesPath(rule, paths, facts.workspace, facts.home)
  const denied = facts.deny.find(
    (rule) => facts.declared(rule.tool)?.effect === effect && covers(rule, [place.path, place.real]),
  )
  if (denied !== undefined) return deny(`rule ${denied.text}`, texts.deniedByRule(call.title, denied.text))
  const allowed = judge.allow.some((rule) => rule.tool === call.tool && covers(rule, [place.real]))
  if (!allowed && !wasApproved(judge, call)) return null
  if (!inRoots(place.real, judge) || isSecret(place.real, facts)) judge.grant(place.real)
  return { verdict: "allow" }
}

async function showsSecrets(holds: PathArgument["holds"], path: string, { facts }: Judge): Promise<boolean> {
  // `--add-dir ~/.aws` explicitly includes it.
  const given = facts.roots.some((root) => isSecret(root, facts) && isInside(root, path))
  if (given) return false
  if (isSecret(path, facts)) return true
  if (holds !== "tree") return false
  for (const place of secretsBelow(path, facts)) if (await facts.exists(place)) return true
  return false
}

export function inRoots(path: string, { facts }: Judge): boolean {
  return facts.roots.some((root) => isInside(root, path))
}

/** The program that the file controls: hooks, git's configuration, Gong's settings and similar files decide what runs next. */
async function controlledBy(path: string, judge: Judge): Promise<Phrase | null> {
  const { facts } = judge
  const root = facts.roots.find((one) => isInside(one, path)) ?? "/"
  const inside = path.slice(root.length).toLowerCase()
  const names: readonly string[] = [".git", ...projectFolders]
  const isOwn = inside.split("/").some((name) => names.includes(name)) || root.toLowerCase().endsWith("/.git")
  if (isOwn || (isInside(facts.gongHome, path) && !isInside(facts.gongHome, root))) return phrase`git or Gong`
  const known = autorunBy(inside)
  if (known !== null || facts.level !== "auto") return known
  const hooks = await judge.hooks()
  return hooks !== null && isInside(hooks, path) ? phrase`git hooks` : null
}

function question(call: PolicyCall, place: Located, judge: Judge, reason: Phrase): Finding {
  const { facts } = judge
  if (facts.interactive) judge.grant(place.real)
  const toModel =
    inRoots(place.real, judge) || reason === holdsKeys
      ? texts.needsPermission(call.title)
      : texts.outsideRoots(call.tool, place.real, parentOf(place.real), facts.workspace)
  return { verdict: "ask", reason, suggestedRule: `${call.tool}(${place.real})`, toModel }
}
