import assert from "node:assert/strict"
import { test } from "node:test"
import { attack } from "@gong/testing/attacks"
import { forms } from "./forms.ts"
import { gitStage } from "./fixture.ts"
import { traps } from "./canaries.ts"

/** One that is turned off wherever it stands, and one that is asked about. */
const named = traps.filter(({ name }) => name === "core.fsmonitor" || name === "diff.external")

const notRoot = process.getuid?.() === 0 ? false : "only root can give a folder to another user"

for (const { name, options, lay, quiet, shows = "git status" } of forms) {
  const laid = (remove: (stop: () => void) => void) => {
    const stage = gitStage(options)
    remove(() => stage.remove())
    return { stage, at: lay(stage) }
  }

  test(`[SAFE-5] .git is ${name}: without configured programs reads ${quiet === "allow" ? "are allowed" : "need approval"}`, async (t) => {
    const { stage, at } = laid((stop) => t.after(stop))
    assert.equal((await stage.ask("git status && git diff HEAD", at.cwd)).verdict, quiet)
    assert.equal((await stage.ask(`git -C '${at.cwd}' status`, stage.root)).verdict, quiet)
  })

  const title = `[SAFE-5] .git is ${name}: no program that is named there runs`
  const attempt = async (guard: "on" | "off", trap: (typeof traps)[number], remove: (stop: () => void) => void) => {
    const { stage, at } = laid(remove)
    trap.lay(stage, at)
    if (guard === "off") stage.plain(shows ?? "git status", at.cwd)
    else {
      for (const command of ["git status && git diff HEAD", "git log -p"]) await stage.ask(command, at.cwd)
      for (const verb of ["status", "log -p"]) await stage.ask(`git -C '${at.cwd}' ${verb}`, stage.root)
    }
    return stage.sprung()
  }
  if (shows === null)
    test(`${title}; git itself refuses it`, { skip: name === "the folder of another user" && notRoot }, async (t) => {
      for (const guard of ["on", "off"] as const)
        for (const trap of named) assert.equal(await attempt(guard, trap, (stop) => t.after(stop)), false)
    })
  else
    attack(title, async (t, guard) => {
      const tried = await Promise.all(named.map((trap) => attempt(guard, trap, (stop) => t.after(stop))))
      return { reached: tried.includes(true) }
    })
}
