import assert from "node:assert/strict"
import { test } from "node:test"
import { attack } from "@gong/testing/attacks"
import { gitStage, repository } from "./fixture.ts"
import { reads, traps } from "./canaries.ts"

for (const { name, lay, shows } of traps)
  attack(`[SAFE-5] git reads are allowed and run no program that a repository names by ${name}`, async (t, guard) => {
    const stage = gitStage()
    t.after(() => stage.remove())
    repository(stage)
    lay(stage, { shared: `${stage.work}/.git`, top: stage.work, cwd: stage.work })
    const commands = [shows, "git status && git log -3", "git diff HEAD~1", "git show", "git ls-files -m"]
    if (guard === "off") stage.plain(shows)
    else for (const command of commands) await stage.ask(command)
    return { reached: stage.sprung() }
  })

test("[SAFE-5] a repository without configured programs is read without approval, with git's normal output", async (t) => {
  const stage = gitStage()
  t.after(() => stage.remove())
  repository(stage)
  for (const command of reads.filter((read) => !/alternate-refs|submodule|cat-file|pretty=x/.test(read))) {
    const { verdict, stdout } = await stage.ask(command)
    assert.equal(verdict, "allow", command)
    assert.equal(stdout.trimEnd(), stage.plain(`${command} 2>&1`).stdout.trimEnd() || "(no output)", command)
  }
})
