import { type Failure, failure, phrase, type Phrase, skillText, nearest } from "@gong/spec"
import type { Skill, Template } from "./skill.ts"
import { maxExpanded, splitArguments, substitute, takesArguments } from "./substitute.ts"
import { normalizedName } from "./validate.ts"

export type Expanded = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly failure: Failure }

export interface ExpansionContext {
  readonly skills: readonly Skill[]
  readonly templates: readonly Template[]
  /** Names with another meaning: a message that begins with one is not expanded. */
  readonly reserved: readonly string[]
  /** Names that are valid only in a conversation: a message that begins with one is refused. */
  readonly interactiveOnly: readonly string[]
}

/**
 * Expands a message: `/skill:name args` into the skill's text followed by the arguments, `/name args` into the template with its
 * arguments; other messages stay, except for a probable typo in a name. Arguments end with the line; later lines stay after
 * it. A path is not a name.
 */
export function expandMessage(text: string, callable: ExpansionContext): Expanded {
  const [, typed = "", args = "", rest = ""] = /^\/([^\s/]+)(?!\S)([^\n]*)(.*)$/s.exec(text) ?? []
  const name = normalizedName(typed)
  if (name.startsWith("skill:")) return callSkill(name.slice("skill:".length), `${args}${rest}`, callable)
  const template = callable.templates.find((one) => one.name === name)
  if (template === undefined) return checkUnknownName(name, callable) ?? { ok: true, text }
  const expanded = substitute(template.body, splitArguments(args))
  if (expanded === null)
    return refusal(phrase`/${name} grows beyond ${maxExpanded} characters with these arguments. Give it less.`)
  // The typed text is kept even if the template takes no arguments.
  const unused = takesArguments(template.body) || args.trim() === "" ? "" : `\n\n${args.trim()}`
  return { ok: true, text: `${expanded}${unused}${rest}` }
}

/** In the form of contract section 20. */
function callSkill(name: string, args: string, { skills }: ExpansionContext): Expanded {
  const names = skills.map((one) => one.name)
  const skill = skills[names.indexOf(name)]
  if (skill === undefined) {
    const suggestion = nearest(name, names)
    return refusal(
      suggestion === null
        ? phrase`there is no skill "${name}". gong skills list names those that there are.`
        : phrase`there is no skill "${name}". Did you mean /skill:${suggestion}?`,
    )
  }
  const block = skillText(skill.name, skill.location, [`References are relative to ${skill.folder}.`, skill.body])
  return { ok: true, text: args.trim() === "" ? block : `${block}\n\n${args.trim()}` }
}

/** Why a name is unknown, with a suggestion; null if no name is similar, so that it may be a message. */
function checkUnknownName(
  name: string,
  { skills, templates, reserved, interactiveOnly }: ExpansionContext,
): Expanded | null {
  if (name === "" || reserved.includes(name)) return null
  if (interactiveOnly.includes(name.toLowerCase()))
    return refusal(phrase`/${name} works in a conversation only. Start with a blank to send it as a message.`)
  const suggestion = nearest(name, [
    ...reserved,
    ...interactiveOnly,
    ...templates.map((one) => one.name),
    ...skills.map((one) => `skill:${one.name}`),
  ])
  return suggestion === null
    ? null
    : refusal(phrase`there is no /${name}. Did you mean /${suggestion}? Start with a blank to send it as a message.`)
}

function refusal(message: Phrase): Expanded {
  return { ok: false, failure: failure("bad-request", message) }
}
