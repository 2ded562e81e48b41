import {
  englishOf,
  type PathArgument,
  phrase,
  type Phrase,
  type Text,
  type PolicyCall,
  type ToolDeclaration,
  type ToolEffect,
  projectFolders,
} from "@gong/spec"
import { decideOther } from "./decide-other.ts"
import { isInside, parentOf } from "./paths.ts"
import { isSecret, secretsBelow } from "./sensitive/secrets.ts"
import type { ResolvedPath } from "./git/git-facts.ts"
import { deny, isApproved, type PolicyDecision, type DecisionContext, type AskDecision } from "./decision.ts"
import { matchesPath, type Rule } from "./rules.ts"
import * as texts from "./texts.ts"
import { programControlledBy } from "./sensitive/autorun.ts"

const mayHoldKeys = phrase`it may hold keys`
const outsideWorkspace = phrase`outside the workspace`
const levelAsk = phrase`level ask`

/** Reads are allowed except where keys are, and outside the roots if the settings say so. */
export async function decideRead(
  call: PolicyCall,
  declared: ToolDeclaration,
  context: DecisionContext,
): Promise<PolicyDecision> {
  return decideEach(call, declared, context, decideOneRead)
}

async function decideOneRead({ call, location, holds }: PathCall, context: DecisionContext): Promise<PolicyDecision> {
  const { facts } = context
  const byRuleDecision = byRule(call, location, context, "read")
  if (byRuleDecision !== null) return byRuleDecision
  if (facts.level === "full") return { verdict: "allow" }
  // A key file may be a link, and a link may lead to one.
  const secret =
    (await exposesSecrets(holds, location.real, context)) || (await exposesSecrets(holds, location.path, context))
  const outside = facts.reads === "workspace" && !inRoots(location.real, context)
  if (!secret && !outside) return { verdict: "allow" }
  if (facts.level === "plan") return deny("plan", texts.deniedByPlan(call.title))
  return askAbout(call, location, context, secret ? mayHoldKeys : outsideWorkspace)
}

/** Writes inside the roots depend on the level; outside, and to files that control git, Gong or another program, they need approval. */
export async function decideChange(
  call: PolicyCall,
  declared: ToolDeclaration,
  context: DecisionContext,
): Promise<PolicyDecision> {
  return decideEach(call, declared, context, decideOneChange)
}

async function decideOneChange({ call, location }: PathCall, context: DecisionContext): Promise<PolicyDecision> {
  const { facts } = context
  const byRuleDecision = byRule(call, location, context, "write")
  if (byRuleDecision !== null) return byRuleDecision
  if (facts.level === "full") return { verdict: "allow" }
  if (facts.level === "plan") return deny("plan", texts.deniedByPlan(call.title))
  if (!inRoots(location.real, context)) return askAbout(call, location, context, outsideWorkspace)
  const controlled = await controlledBy(location.real, context)
  if (controlled !== null) return askAbout(call, location, context, phrase`it controls ${controlled}`)
  if (facts.level === "auto") return { verdict: "allow" }
  return askedAs(call, location, context, { reason: levelAsk, toModel: texts.needsPermission(call.title) })
}

/** A call with one of its paths. */
interface PathCall {
  readonly call: PolicyCall
  readonly holds: PathArgument["holds"]
  readonly location: ResolvedPath
}

/** Decides about each path of the call; the strictest decision applies. Without valid paths the effect of the call is unknown. */
async function decideEach(
  call: PolicyCall,
  { paths = [] }: ToolDeclaration,
  context: DecisionContext,
  decideOne: (one: PathCall, context: DecisionContext) => Promise<PolicyDecision>,
): Promise<PolicyDecision> {
  const questions: AskDecision[] = []
  for (const { argument, holds } of paths) {
    for (const argumentPath of argumentPaths(call.arguments[argument], context)) {
      if (typeof argumentPath !== "string") return decideOther(call, context)
      const location = await locate(argumentPath, context)
      const decision = "verdict" in location ? location : await decideOne({ call, holds, location }, context)
      if (decision.verdict === "deny") return decision
      if (decision.verdict === "ask") questions.push(decision)
    }
  }
  const [first, ...more] = questions
  if (first === undefined) return paths.length === 0 ? decideOther(call, context) : { verdict: "allow" }
  if (more.length === 0) return first
  // One rule would cover only one of the paths.
  const reasons = new Map(questions.map((one) => [englishOf(one.reason), one.reason]))
  const reason = [...reasons.values()].reduce((joined, other) => phrase`${joined}; ${other}`)
  return { verdict: "ask", reason, toModel: first.toModel }
}

/** A missing path means the working directory. */
function argumentPaths(value: unknown, { facts }: DecisionContext): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value === undefined ? "" : value]
  return list.length === 0 ? [facts.cwd] : list.map((argumentPath) => (argumentPath === "" ? facts.cwd : argumentPath))
}

async function locate(argumentPath: string, { facts }: DecisionContext): Promise<ResolvedPath | PolicyDecision> {
  try {
    return await facts.locate(argumentPath)
  } catch (error) {
    // Without a real path there is no decision; the tool reports the same error.
    const toModel = error instanceof Error ? error.message : String(error)
    return { verdict: "deny", reason: "no such place", toModel, impossible: true }
  }
}

/** A deny rule on one tool applies to all tools of its effect: forbidding edits forbids all changes there. */
function byRule(
  call: PolicyCall,
  location: ResolvedPath,
  context: DecisionContext,
  effect: ToolEffect,
): PolicyDecision | null {
  const { facts } = context
  const covers = (rule: Rule, paths: readonly string[]): boolean =>
    matchesPath(rule, paths, facts.workspace, facts.home)
  const denied = facts.deny.find(
    (rule) => facts.declared(rule.tool)?.effect === effect && covers(rule, [location.path, location.real]),
  )
  if (denied !== undefined) return deny(`rule ${denied.text}`, texts.deniedByRule(call.title, denied.text))
  const allowed = context.allow.some((rule) => rule.tool === call.tool && covers(rule, [location.real]))
  if (!allowed && !isApproved(context, call)) return null
  if (!inRoots(location.real, context) || isSecret(location.real, facts)) context.grant(location.real)
  return { verdict: "allow" }
}

async function exposesSecrets(
  holds: PathArgument["holds"],
  path: string,
  { facts }: DecisionContext,
): Promise<boolean> {
  // `--add-dir ~/.aws` explicitly includes it.
  const isRootItself = facts.roots.some((root) => isSecret(root, facts) && isInside(root, path))
  if (isRootItself) return false
  if (isSecret(path, facts)) return true
  if (holds !== "tree") return false
  for (const location of secretsBelow(path, facts)) if (await facts.exists(location)) return true
  return false
}

export function inRoots(path: string, { facts }: DecisionContext): boolean {
  return facts.roots.some((root) => isInside(root, path))
}

/** The program that the file controls: hooks, git's configuration, Gong's settings and similar files decide what runs next. */
async function controlledBy(path: string, context: DecisionContext): Promise<Phrase | null> {
  const { facts } = context
  const root = facts.roots.find((one) => isInside(one, path)) ?? "/"
  const inside = path.slice(root.length).toLowerCase()
  const names: readonly string[] = [".git", ...projectFolders]
  const isOwn = inside.split("/").some((name) => names.includes(name)) || root.toLowerCase().endsWith("/.git")
  if (isOwn || (isInside(facts.gongHome, path) && !isInside(facts.gongHome, root))) return phrase`git or Gong`
  const program = programControlledBy(inside)
  if (program !== null || facts.level !== "auto") return program
  const hooks = await context.hooks()
  return hooks !== null && isInside(hooks, path) ? phrase`git hooks` : null
}

function askAbout(call: PolicyCall, location: ResolvedPath, context: DecisionContext, reason: Phrase): PolicyDecision {
  const { facts } = context
  if (facts.interactive) context.grant(location.real)
  const toModel =
    inRoots(location.real, context) || reason === mayHoldKeys
      ? texts.needsPermission(call.title)
      : texts.outsideRoots(call.tool, location.real, parentOf(location.real), facts.workspace)
  return askedAs(call, location, context, { reason, toModel })
}

/** With a rule for the file, and one for its folder if that is below the workspace and nothing protects the file. */
function askedAs(
  { tool }: PolicyCall,
  { real }: ResolvedPath,
  { facts: { workspace } }: DecisionContext,
  { reason, toModel }: { readonly reason: Phrase; readonly toModel: Text },
): AskDecision {
  const pattern = literalPattern(real, workspace)
  if (pattern === null) return { verdict: "ask", reason, toModel }
  const mayWiden = reason === levelAsk && !pattern.startsWith("/") && pattern.includes("/")
  const wider = mayWiden && { widerRule: `${tool}(${parentOf(pattern)}/**)` }
  const rules = { suggestedRule: `${tool}(${pattern})`, ...wider }
  return { verdict: "ask", reason, rules, toModel }
}

/** The pattern of a rule that matches this file alone, relative to the workspace if it is inside; null if there is none. */
function literalPattern(path: string, workspace: string): string | null {
  // A rule has no way to escape these, and a blank at an end is lost.
  if (/[*?\p{Cc}]|^\s|\s$/u.test(path)) return null
  const inside = isInside(workspace, path) ? path.slice(workspace === "/" ? 1 : workspace.length + 1) : path
  return /^(?:~|\.)\/|^\s/.test(inside) ? path : inside
}
