import { phrase, type Phrase } from "@gong/spec"
/** Maximum characters of a name and of a description (Agent Skills standard). */
export const maxName = 64
export const maxDescription = 1024

/** The normalized form for comparing names, since disks, headers and keyboards may encode a letter differently. */
export function normalizedName(name: string): string {
  return name.normalize("NFKC")
}

/**
 * Problems of a skill's name in its normalized form, each with a remedy; empty for a valid one. `expected`: the name of its
 * folder, or of its file if it is a single file (C-54).
 */
export function nameProblems(name: string, expected: string): readonly Phrase[] {
  const shown = shortened(name)
  const length = lengthOf(name)
  const found = [
    // As in the reference validator (github.com/agentskills/agentskills, skills-ref).
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

/** The problem of a description; null for a valid one. */
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
