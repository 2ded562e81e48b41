import { phrase, type Phrase, type PolicyCall, type ToolDeclaration } from "@gong/spec"
import { parseCommand, type ParsedCommand, type Simple } from "./command/command.ts"
import { catastrophe } from "./guard.ts"
import { externalEffectRule } from "./command/external-effects.ts"
import { isInside } from "./paths.ts"
import { isSecret, secretsBelow } from "./sensitive/secrets.ts"
import { gitOutside } from "./git/unsandboxed-git.ts"
import { commandOf, deny, wasApproved, type Finding, type Judge, type PolicyFacts } from "./decision.ts"
import { quietGit } from "./git/safe-git-environment.ts"
import type { Variables } from "./git/git-facts.ts"
import { readsOnly, type ReadOnlyAnswer } from "./command/read-only-analysis.ts"
import { allowsCommand, deniesCommand, namesAnyCommand, type Rule } from "./rules.ts"
import { isTestCommand } from "./command/test-commands.ts"
import * as texts from "./texts.ts"
import { allRuns, nameOf } from "./command/unwrap.ts"

/** A command is allowed if it certainly only reads, if rules or approvals cover every part, or in a sandbox. */
export async function decideCommand(call: PolicyCall, declared: ToolDeclaration, given: Judge): Promise<Finding> {
  const { facts } = given
  const judge = { ...given, allow: given.allow.filter(({ tool }) => tool === call.tool) }
  const text = commandOf(call, declared)
  // Without a command the call asks for the output of a job that was already allowed.
  if (text === null) return { verdict: "allow" }
  const parsed = parseCommand(text)
  const runs = parsed.commands.map((simple) => allRuns(simple))
  const all = runs.flatMap((run) => run.all)
  const guessed = parsed.understood && !runs.some((run) => run.hidden) ? null : text
  const denied = facts.deny.find((rule) => isOfCommands(rule, judge) && deniesCommand(rule, all, guessed))
  if (denied !== undefined) return deny(`rule ${denied.text}`, texts.deniedByRule(text, denied.text))
  const lost = catastrophe(text, facts)
  if (lost !== null)
    return deny(
      "guard",
      lost.kind === "lost" ? texts.deniedByGuard(text, lost.what) : texts.unknownFolder(text, lost.what),
    )
  const outside = runsOutside(facts, call, text)
  if ((facts.level === "full" && !outside) || wasApproved(judge, call)) return { verdict: "allow" }
  if (judge.allow.some(namesAnyCommand)) return { verdict: "allow" }
  const known = (simple: Simple): boolean => isKnown(simple, judge)
  const answer = readsOnly(parsed, facts, known)
  const linked = await followsOut(answer, judge)
  const meant = answer.readOnly && !linked ? await (outside ? ruledOnly(answer) : runsAsMeant(answer, judge)) : null
  const reads = meant !== null
  const secret = answer.readOnly && (await anySecret(answer, judge))
  const leaving = externalEffectRule(all)
  const confined = facts.sandbox !== "off" && !outside && leaving === null && !secret
  if (facts.level === "plan") {
    // Without a read-only sandbox only rules allow commands here.
    const ruled = reads && !secret && parsed.commands.some(known)
    const free = ruled || (confined && facts.sandbox === "read-only")
    return free ? { verdict: "allow", ...meant } : deny("plan", texts.deniedByPlan(text))
  }
  if ((reads && !secret) || (facts.level === "auto" && confined)) return { verdict: "allow", ...meant }
  const suggested = secret ? null : suggestion(parsed, judge, outside)
  const suggestedRule = suggested && `${call.tool}(${suggested})`
  return {
    verdict: "ask",
    reason: reasonOf({ leaving, secret, outside, linked, understood: parsed.understood, looksOnly: answer.readOnly }),
    ...(outside ? { unsandboxed: true } : {}),
    ...(suggestedRule === null ? {} : { suggestedRule }),
    toModel: outside ? texts.needsTheOutside(text, suggestedRule) : texts.needsPermission(text),
  }
}

/** A deny rule on one tool that runs commands applies to all of them. */
function isOfCommands({ tool }: Rule, { facts }: Judge): boolean {
  return facts.declared(tool)?.effect === "execute"
}

function isKnown(simple: Simple, judge: Judge): boolean {
  if (judge.allow.some((rule) => allowsCommand(rule, simple.words))) return true
  return simple.words.every((word) => word.literal && !word.glob) && judge.testsApproved.has(plainText(simple))
}

/** Requirements under which the judgement of a command is valid. */
interface Meant {
  readonly env?: Variables
}

/** Outside the sandbox a read may be manipulated by files of a sandboxed command, so rules decide. */
async function ruledOnly({ programs, gitIn }: ReadOnlyAnswer): Promise<Meant | null> {
  return programs.length === 0 && gitIn.length === 0 ? {} : null
}

/** The words must mean system programs, and git must run no others: a folder first in the PATH, or a repository, may provide its own. */
async function runsAsMeant({ programs, gitIn, ruled }: ReadOnlyAnswer, { facts }: Judge): Promise<Meant | null> {
  for (const name of programs) {
    const found = await facts.findProgram(name)
    if (found !== null && facts.roots.some((root) => isInside(root, found))) return null
  }
  const [folder, ...others] = gitIn
  if (folder === undefined) return {}
  // The variables for git apply to the whole command, including git elsewhere that a rule allows.
  if (ruled || others.length > 0) return null
  const env = await quietGit(folder, facts, { submodules: true })
  return env === null ? null : { env }
}

/** Part of it follows links, and one leads outside: then more is shown than requested. */
async function followsOut({ followed }: ReadOnlyAnswer, { facts }: Judge): Promise<boolean> {
  for (const path of new Set(followed)) {
    const real = await facts.locate(path).catch(() => null)
    if (real === null || !facts.roots.some((root) => isInside(root, real.real))) return true
    if (await facts.hasEscapingLinks(real.real)) return true
  }
  return false
}

async function anySecret({ reads, trees }: ReadOnlyAnswer, { facts }: Judge): Promise<boolean> {
  const whole = new Set(trees)
  for (const path of new Set([...reads, ...trees])) {
    if (isSecret(path, facts)) return true
    // A link inside the workspace may lead to a key.
    const real = await facts.locate(path).catch(() => null)
    if (real === null || isSecret(real.real, facts)) return true
    if (whole.has(path) && secretsBelow(real.real, facts).length > 0) return true
  }
  return false
}

interface Grounds {
  readonly leaving: string | null
  readonly secret: boolean
  readonly outside: boolean
  readonly linked: boolean
  readonly understood: boolean
  readonly looksOnly: boolean
}

function reasonOf({ leaving, secret, outside, linked, understood, looksOnly }: Grounds): Phrase {
  if (leaving !== null) return phrase`rule "${leaving}" (built in)`
  if (secret) return phrase`it may show keys`
  if (outside) return phrase`it runs outside the sandbox`
  if (linked) return phrase`it follows symbolic links, and they may lead out of the folder`
  if (looksOnly) return phrase`a program of the workspace may run, or one that its git settings name`
  return understood ? phrase`it is not known to only read` : phrase`it cannot be told what all of it does`
}

/** Programs whose second word is a verb. */
const withVerbs = new Set([
  "git",
  "npm",
  "pnpm",
  "yarn",
  "bun",
  "cargo",
  "go",
  "make",
  "uv",
  "pip",
  "poetry",
  "docker",
  "dotnet",
])

/** The rule pattern for the only uncovered part; null for several parts or an unclear one. */
function suggestion(parsed: ParsedCommand, judge: Judge, outside: boolean): string | null {
  const open = parsed.commands.filter((simple) => {
    if (outside) return !isKnown(simple, judge)
    const alone: ParsedCommand = { commands: [{ ...simple, after: null }], understood: true }
    return !readsOnly(alone, judge.facts, (one) => isKnown(one, judge)).readOnly
  })
  const [simple] = open
  if (!parsed.understood || simple === undefined || open.length > 1 || simple.targets.length > 0) return null
  const words = simple.words.map((word) => word.text)
  if (
    !simple.words.every((word) => word.literal && !word.glob) ||
    words.some((word) => !/^[\w./:@%+,=-]+$/.test(word))
  ) {
    return null
  }
  if (isTestCommand(plainText(simple))) return plainText(simple)
  const verb = withVerbs.has(nameOf(simple.words)) && words[1]?.startsWith("-") === false
  return verb && words.length > 2 ? `${words[0]} ${words[1]} *` : words.join(" ")
}

function plainText(simple: Simple): string {
  return simple.words.map((word) => word.text).join(" ")
}

/** The call will run outside the available sandbox: on request, or because Gong runs it itself. */
function runsOutside({ sandbox }: PolicyFacts, call: PolicyCall, command: string): boolean {
  if (sandbox === "off") return false
  return call.arguments["unsandboxed"] === true || gitOutside(command) !== null
}
