import assert from "node:assert/strict"
import { test } from "node:test"
import { attack } from "@gong/testing/attacks"
import { gitFixture, repository } from "./fixture.ts"
import { reads, canaries } from "./canaries.ts"

for (const { name, create, shows } of canaries)
  attack(`[SAFE-5] git reads are allowed and run no program that a repository names by ${name}`, async (t, guard) => {
    const fixture = gitFixture()
    t.after(() => fixture.remove())
    repository(fixture)
    create(fixture, { shared: `${fixture.work}/.git`, top: fixture.work, cwd: fixture.work })
    const commands = [shows, "git status && git log -3", "git diff HEAD~1", "git show", "git ls-files -m"]
    if (guard === "off") fixture.plain(shows)
    else for (const command of commands) await fixture.ask(command)
    return { reached: fixture.triggered() }
  })

test("[SAFE-5] a repository without configured programs is read without approval, with git's normal output", async (t) => {
  const fixture = gitFixture()
  t.after(() => fixture.remove())
  repository(fixture)
  for (const command of reads.filter((read) => !/alternate-refs|submodule|cat-file|pretty=x/.test(read))) {
    const { verdict, stdout } = await fixture.ask(command)
    assert.equal(verdict, "allow", command)
    assert.equal(stdout.trimEnd(), fixture.plain(`${command} 2>&1`).stdout.trimEnd() || "(no output)", command)
  }
})
