import assert from "node:assert/strict"
import { attack } from "@gong/testing/attacks"
import { gitFixture, repository } from "./fixture.ts"

/** An attack of a background job between check and run: replace the checked repository by another one, `h`. */
const swaps: Readonly<Record<string, { readonly create: string; readonly swap: string }>> = {
  "the line in .git": { create: "mv .git g; echo gitdir: g > .git", swap: "echo gitdir: h > .git" },
  "the link .git": { create: "mv .git g; ln -s g .git", swap: "ln -sfn h .git" },
  commondir: { create: "cp -r .git g; echo ../g > .git/commondir", swap: "echo ../h > .git/commondir" },
  "a .git nearer by": { create: "true", swap: "cp -r h s/.git; cp .gitattributes s" },
}

for (const [name, { create, swap }] of Object.entries(swaps))
  attack(
    `[SAFE-5] ${name} is replaced between the check and the run: git runs no program of the other repository`,
    async (t, guard) => {
      const fixture = gitFixture()
      t.after(() => fixture.remove())
      repository(fixture)
      fixture.plain(
        `mkdir s; cp -r .git h; git config -f h/config diff.external ${fixture.canary()}; cp seen.t s; ${create}`,
      )
      const cwd = `${fixture.work}/s`
      fixture.plain("git add seen.t; echo three > seen.t", cwd)
      const swapped = <T>(value: T): T => {
        fixture.plain(swap)
        return value
      }
      if (guard === "on") assert.equal((await fixture.ask("git diff HEAD", cwd, swapped)).verdict, "allow")
      else fixture.plain(swapped("git diff HEAD"), cwd)
      return { reached: fixture.triggered() }
    },
  )

attack(
  "[SAFE-5] git -C through a link and `..` resolves to another folder: git runs no program there",
  async (t, guard) => {
    const fixture = gitFixture()
    t.after(() => fixture.remove())
    repository(fixture, "work/deep/h")
    fixture.plain(`mkdir h deep/er; ln -s deep/er link; git -C deep/h config diff.external ${fixture.canary()}`)
    for (const command of ["git -C link/../h diff", "git -C link -C ../h diff", "cd link && git -C ../h diff"])
      if (guard === "off") fixture.plain(command)
      else await fixture.ask(command)
    return { reached: fixture.triggered() }
  },
)
