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
export function nameProblems(name: string, expected: string): readonly string[] {
  const wrong = [
    // As the reference validator has it (github.com/agentskills/agentskills, skills-ref).
    [
      !/^[\p{L}\p{N}-]*$/u.test(name) || name !== name.toLowerCase(),
      "may hold only lower-case letters, digits and hyphens. Rename the skill.",
    ],
    [name.startsWith("-"), "may not begin with a hyphen. Rename the skill."],
    [name.endsWith("-"), "may not end with a hyphen. Rename the skill."],
    [name.includes("--"), "may not hold two hyphens in a row. Rename the skill."],
    [lengthOf(name) > maxName, `has ${lengthOf(name)} characters; it may have ${maxName}. Rename the skill.`],
  ] as const
  const found = wrong.filter(([is]) => is).map(([, what]) => `the name "${shortened(name)}" ${what}`)
  if (name === expected) return found
  return [...found, `the name "${shortened(name)}" is not that of its place, "${expected}". Make them the same.`]
}

/** What is wrong with a description that is there; null when nothing is. */
export function descriptionProblem(description: string): string | null {
  const length = lengthOf(description)
  return length <= maxDescription
    ? null
    : `the description has ${length} characters; only the first ${maxDescription} are shown to the model. Shorten it.`
}

function lengthOf(text: string): number {
  return [...text].length
}

function shortened(name: string): string {
  return name.length <= maxName ? name : `${name.slice(0, maxName)}...`
}
