/** What the index says of a skill; its text is read by the model when a task needs it. */
export interface SkillEntry {
  readonly name: string
  readonly description: string
  /** Full path of the skill's file. */
  readonly location: string
}

/** The index of skills in the form of contract section 20; empty without skills. */
export function formatSkills(skills: readonly SkillEntry[]): string {
  if (skills.length === 0) return ""
  const rows = skills.map(
    (skill) =>
      `  <skill>\n    <name>${escape(skill.name)}</name>\n    <description>${escape(skill.description)}</description>\n    <location>${escape(skill.location)}</location>\n  </skill>`,
  )
  return [
    "The following skills provide specialized instructions for specific tasks.",
    "Use the read tool to load a skill's file when the task matches its description.",
    "When a skill file references a relative path, resolve it against the skill directory...",
    "",
    `<available_skills>\n${rows.join("\n")}\n</available_skills>`,
  ].join("\n")
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}
