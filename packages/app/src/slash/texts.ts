/** The prompt of `/init`. */
export function initPrompt(instructions: string): string {
  const more = instructions === "" ? [] : ["", `The user adds: ${instructions}`]
  return [
    "Write AGENTS.md in the root of this repository, for coding agents that will work here. If there is one already, correct and complete it instead, and keep what its authors wrote.",
    "",
    "Look first: the README, the manifests, the scripts, the CI configuration, rules of other agents (CLAUDE.md, .cursorrules, .github/copilot-instructions.md), and a few typical source and test files. Then say only what cannot be seen at a glance and what is really so here:",
    "- the commands to build, check and test, also for one single test",
    "- how the code is laid out, and which parts may not know one another",
    "- conventions that the existing code keeps to",
    "- traps",
    "",
    "Run no command that changes anything, invent nothing, and stay under 60 lines. Name the file's path when you are done.",
    ...more,
  ].join("\n")
}
