import assert from "node:assert/strict"
import { attack } from "@gong/testing/attacks"
import { gitStage, repository } from "./fixture.ts"

/** What a background job could do between the check and the run: replace the checked repository by another one, `h`. */
const swaps: Readonly<Record<string, { readonly lay: string; readonly swap: string }>> = {
  "the line in .git": { lay: "mv .git g; echo gitdir: g > .git", swap: "echo gitdir: h > .git" },
  "the link .git": { lay: "mv .git g; ln -s g .git", swap: "ln -sfn h .git" },
  commondir: { lay: "cp -r .git g; echo ../g > .git/commondir", swap: "echo ../h > .git/commondir" },
  "a .git nearer by": { lay: "true", swap: "cp -r h s/.git; cp .gitattributes s" },
}

for (const [name, { lay, swap }] of Object.entries(swaps))
  attack(
    `[SAFE-5] ${name} is replaced between the check and the run: git runs no program of the other repository`,
    async (t, guard) => {
      const stage = gitStage()
      t.after(() => stage.remove())
      repository(stage)
      stage.plain(`mkdir s; cp -r .git h; git config -f h/config diff.external ${stage.trap()}; cp seen.t s; ${lay}`)
      const cwd = `${stage.work}/s`
      stage.plain("git add seen.t; echo three > seen.t", cwd)
      const swapped = <T>(value: T): T => {
        stage.plain(swap)
        return value
      }
      if (guard === "on") assert.equal((await stage.ask("git diff HEAD", cwd, swapped)).verdict, "allow")
      else stage.plain(swapped("git diff HEAD"), cwd)
      return { reached: stage.sprung() }
    },
  )

attack(
  "[SAFE-5] git -C through a link and `..` resolves to another folder: git runs no program there",
  async (t, guard) => {
    const stage = gitStage()
    t.after(() => stage.remove())
    repository(stage, "work/deep/h")
    stage.plain(`mkdir h deep/er; ln -s deep/er link; git -C deep/h config diff.external ${stage.trap()}`)
    for (const command of ["git -C link/../h diff", "git -C link -C ../h diff", "cd link && git -C ../h diff"])
      if (guard === "off") stage.plain(command)
      else await stage.ask(command)
    return { reached: stage.sprung() }
  },
)
