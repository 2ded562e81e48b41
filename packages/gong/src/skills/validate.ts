import { phrase, type Phrase } from "@gong/spec"
/** Characters of a name and of a description (Agent Skills standard). */
export const maxName = 64
export const maxDescription = 1024

/** A name in the one form in which names are compared: a disk, a header and a keyboard may write a letter differently. */
export function plainName(name: string): string {
  return name.normalize("NFKC")
}

/**
 * What is wrong with a skill's name, in its plain form, each with what to do; empty when nothing is. `expected`: the name of its folder, or of
 * its file where it stands alone (C-54).
 */
export function nameProblems(name: string, expected: string): readonly Phrase[] {
  const shown = shortened(name)
  const length = lengthOf(name)
  const found = [
    // As the reference validator has it (github.com/agentskills/agentskills, skills-ref).
    !/^[\p{L}\p{N}-]*$/u.test(name) || name !== name.toLowerCase()
      ? phrase`the name "${shown}" may hold only lower-case letters, digits and hyphens. Rename the skill.`
      : null,
    name.startsWith("-") ? phrase`the name "${shown}" may not begin with a hyphen. Rename the skill.` : null,
    name.endsWith("-") ? phrase`the name "${shown}" may not end with a hyphen. Rename the skill.` : null,
    name.includes("--") ? phrase`the name "${shown}" may not hold two hyphens in a row. Rename the skill.` : null,
    length > maxName
      ? phrase`the name "${shown}" has ${length} characters; it may have ${maxName}. Rename the skill.`
      : null,
    name === expected ? null : phrase`the name "${shown}" is not that of its place, "${expected}". Make them the same.`,
  ]
  return found.filter((one) => one !== null)
}

/** What is wrong with a description that is there; null when nothing is. */
export function descriptionProblem(description: string): Phrase | null {
  const length = lengthOf(description)
  return length <= maxDescription
    ? null
    : phrase`the description has ${length} characters; only the first ${maxDescription} are shown to the model. Shorten it.`
}

function lengthOf(text: string): number {
  return [...text].length
}

function shortened(name: string): string {
  return name.length <= maxName ? name : `${name.slice(0, maxName)}...`
}
