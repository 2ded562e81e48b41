import { phrase, type Phrase, type PolicyCall, type ToolDeclaration } from "@gong/spec"
import { parseCommand, type ParsedCommand, type SimpleCommand } from "./command/command.ts"
import { destructiveEffect } from "./guard.ts"
import { externalEffectRule } from "./command/external-effects.ts"
import { isInside } from "./paths.ts"
import { isSecret, secretsBelow } from "./sensitive/secrets.ts"
import { unsandboxedGit } from "./git/unsandboxed-git.ts"
import {
  type AskDecision,
  commandOf,
  deny,
  isApproved,
  type PolicyDecision,
  type DecisionContext,
  type PolicyFacts,
} from "./decision.ts"
import { safeGitEnvironment } from "./git/safe-git-environment.ts"
import type { Variables } from "./git/git-facts.ts"
import { analyzeReadOnly, type ReadOnlyAnalysis } from "./command/read-only-analysis.ts"
import { allowsCommand, deniesCommand, matchesAnyCommand, type Rule } from "./rules.ts"
import * as texts from "./texts.ts"
import { nestedCommands, nameOf } from "./command/unwrap.ts"

/** A command is allowed if it certainly only reads, if rules or approvals cover every part, or in a sandbox. */
export async function decideCommand(
  call: PolicyCall,
  declared: ToolDeclaration,
  given: DecisionContext,
): Promise<PolicyDecision> {
  const { facts } = given
  const context = { ...given, allow: given.allow.filter(({ tool }) => tool === call.tool) }
  const text = commandOf(call, declared)
  // Without a command the call reads the output of a background job that was already allowed.
  if (text === null) return { verdict: "allow" }
  const parsed = parseCommand(text)
  const runs = parsed.commands.map((simple) => nestedCommands(simple))
  const all = runs.flatMap((run) => run.all)
  const incompleteText = parsed.complete && !runs.some((run) => run.incomplete) ? null : text
  const denied = facts.deny.find((rule) => appliesToCommands(rule, context) && deniesCommand(rule, all, incompleteText))
  if (denied !== undefined) return deny(`rule ${denied.text}`, texts.deniedByRule(text, denied.text))
  const destruction = destructiveEffect(text, facts)
  if (destruction !== null)
    return deny(
      "guard",
      destruction.kind === "lost"
        ? texts.deniedByGuard(text, destruction.what)
        : texts.unknownFolder(text, destruction.what),
    )
  const unsandboxed = runsUnsandboxed(facts, call, text)
  if ((facts.level === "full" && !unsandboxed) || isApproved(context, call)) return { verdict: "allow" }
  if (context.allow.some(matchesAnyCommand)) return { verdict: "allow" }
  const isAllowed = (simple: SimpleCommand): boolean => isAllowedByRule(simple, context)
  const analysis = analyzeReadOnly(parsed, facts, isAllowed)
  const linksEscape = await hasEscapingLink(analysis, context)
  const requirements =
    analysis.readOnly && !linksEscape
      ? await (unsandboxed ? requireNoPrograms(analysis) : requireTrustedPrograms(analysis, context))
      : null
  const reads = requirements !== null
  const secret = analysis.readOnly && (await readsSecret(analysis, context))
  const externalEffect = externalEffectRule(all)
  const sandboxed = facts.sandbox !== "off" && !unsandboxed && externalEffect === null && !secret
  if (facts.level === "plan") {
    // Without a read-only sandbox only rules allow commands here.
    const byRule = reads && !secret && parsed.commands.some(isAllowed)
    const isAllowedByPlan = byRule || (sandboxed && facts.sandbox === "read-only")
    return isAllowedByPlan ? { verdict: "allow", ...requirements } : deny("plan", texts.deniedByPlan(text))
  }
  if ((reads && !secret) || (facts.level === "auto" && sandboxed)) return { verdict: "allow", ...requirements }
  const rules = secret ? null : suggestedRules(call.tool, parsed, context, unsandboxed)
  return {
    verdict: "ask",
    reason: reasonOf({
      externalEffect,
      secret,
      unsandboxed,
      linksEscape,
      complete: parsed.complete,
      readOnly: analysis.readOnly,
    }),
    ...(unsandboxed ? { unsandboxed: true } : {}),
    ...(rules && { rules }),
    toModel: unsandboxed
      ? texts.needsUnsandboxedPermission(text, rules?.suggestedRule ?? null)
      : texts.needsPermission(text),
  }
}

/** A deny rule on one tool that runs commands applies to all of them. */
function appliesToCommands({ tool }: Rule, { facts }: DecisionContext): boolean {
  return facts.declared(tool)?.effect === "execute"
}

function isAllowedByRule(simple: SimpleCommand, context: DecisionContext): boolean {
  if (context.allow.some((rule) => allowsCommand(rule, simple.words))) return true
  return simple.words.every((word) => word.literal && !word.glob) && context.testsApproved.has(plainText(simple))
}

/** Environment variables under which the decision about a command is valid. */
interface Requirements {
  readonly env?: Variables
}

/** Outside the sandbox a read may be manipulated by files of a sandboxed command, so rules decide. */
async function requireNoPrograms({ programs, gitFolders }: ReadOnlyAnalysis): Promise<Requirements | null> {
  return programs.length === 0 && gitFolders.length === 0 ? {} : null
}

/** The names must resolve to programs outside the roots, and git must run none of the repository, since both could be replaced by files of the workspace. */
async function requireTrustedPrograms(
  { programs, gitFolders, byRule }: ReadOnlyAnalysis,
  { facts }: DecisionContext,
): Promise<Requirements | null> {
  for (const name of programs) {
    const found = await facts.findProgram(name)
    if (found !== null && facts.roots.some((root) => isInside(root, found))) return null
  }
  const [folder, ...others] = gitFolders
  if (folder === undefined) return {}
  // The variables for git apply to the whole command, including git elsewhere that a rule allows.
  if (byRule || others.length > 0) return null
  const env = await safeGitEnvironment(folder, facts, { submodules: true })
  return env === null ? null : { env }
}

/** Whether a link in a tree that is read through links leads outside the roots, so that more than the tree would be read. */
async function hasEscapingLink({ linkedTrees }: ReadOnlyAnalysis, { facts }: DecisionContext): Promise<boolean> {
  for (const path of new Set(linkedTrees)) {
    const real = await facts.locate(path).catch(() => null)
    if (real === null || !facts.roots.some((root) => isInside(root, real.real))) return true
    if (await facts.hasEscapingLinks(real.real)) return true
  }
  return false
}

async function readsSecret({ reads, trees }: ReadOnlyAnalysis, { facts }: DecisionContext): Promise<boolean> {
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

interface ReasonInput {
  readonly externalEffect: string | null
  readonly secret: boolean
  readonly unsandboxed: boolean
  readonly linksEscape: boolean
  readonly complete: boolean
  readonly readOnly: boolean
}

function reasonOf({ externalEffect, secret, unsandboxed, linksEscape, complete, readOnly }: ReasonInput): Phrase {
  if (externalEffect !== null) return phrase`rule "${externalEffect}" (built in)`
  if (secret) return phrase`it may show keys`
  if (unsandboxed) return phrase`it runs outside the sandbox`
  if (linksEscape) return phrase`it follows symbolic links, and they may lead out of the folder`
  if (readOnly) return phrase`a program of the workspace may run, or one that its git settings name`
  return complete ? phrase`it is not known to only read` : phrase`it cannot be told what all of it does`
}

/** Programs whose second word is a verb. */
const programsWithVerbs = new Set([
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

/** Rules for the only uncovered part: its words, and all uses of its subcommand. Null for several parts or an unclear one. */
function suggestedRules(
  tool: string,
  parsed: ParsedCommand,
  context: DecisionContext,
  unsandboxed: boolean,
): AskDecision["rules"] | null {
  const uncovered = parsed.commands.filter((simple) => {
    if (unsandboxed) return !isAllowedByRule(simple, context)
    const single: ParsedCommand = { commands: [{ ...simple, precededBy: null }], complete: true }
    return !analyzeReadOnly(single, context.facts, (one) => isAllowedByRule(one, context)).readOnly
  })
  const [simple] = uncovered
  if (!parsed.complete || simple === undefined || uncovered.length > 1 || simple.targets.length > 0) return null
  const words = simple.words.map((word) => word.text)
  if (
    !simple.words.every((word) => word.literal && !word.glob) ||
    words.some((word) => !/^[\w./:@%+,=-]+$/.test(word))
  ) {
    return null
  }
  const verb = programsWithVerbs.has(nameOf(simple.words)) && words[1]?.startsWith("-") === false
  return {
    suggestedRule: `${tool}(${words.join(" ")})`,
    ...(verb && { widerRule: `${tool}(${words[0]} ${words[1]} *)` }),
  }
}

function plainText(simple: SimpleCommand): string {
  return simple.words.map((word) => word.text).join(" ")
}

/** The call will run outside the available sandbox: on request, or because Gong runs it itself. */
function runsUnsandboxed({ sandbox }: PolicyFacts, call: PolicyCall, command: string): boolean {
  if (sandbox === "off") return false
  return call.arguments["unsandboxed"] === true || unsandboxedGit(command) !== null
}
