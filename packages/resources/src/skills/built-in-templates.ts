import type { Template } from "./skill.ts"

/** Built-in templates. A user's template with the same name replaces one. */
export const builtInTemplates: readonly Template[] = [
  {
    name: "review",
    description: "look for what is wrong in the changes, or in what is named",
    argumentHint: "[WHAT]",
    location: null,
    level: "shipped",
    body: `Review \${@:-the changes in this repository that are not committed (git status, git diff and git diff --staged; without any, the last commit)}.

Read the changed lines in their files, and whoever calls them, before you judge. Look for, in this order: behaviour that is wrong or was broken; bad input, failures and races that nobody handles; what an attacker could use; tests that are missing or cannot fail; what could be simpler.

Name each finding with file and line, what happens, and how to repair it; the worst first. Check each one against the code before you name it, and say nothing about taste. If there is nothing to find, say so. Change nothing.`,
  },
  {
    name: "commit",
    description: "commit what was changed, in the style of the repository",
    argumentHint: "[HINT]",
    location: null,
    level: "shipped",
    body: `Commit the work that is not committed yet. \${@:-}

Look at git status, git diff, git diff --staged, and at the last ten commit messages for their style and language. If something is staged, commit exactly that; otherwise stage the files that belong to this work by their names, and leave out whatever does not belong to it, generated files and anything that may be a secret. Several unrelated changes become several commits.

Write what is true now and why, not how the work went. Do not push, do not amend, do not change other commits, and do not pass over hooks: if one fails, repair the cause or stop and say so. At the end show git log --oneline for the new commits.`,
  },
]
