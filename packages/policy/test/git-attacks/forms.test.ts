import assert from "node:assert/strict"
import { test } from "node:test"
import { attack } from "@gong/testing/attacks"
import { forms } from "./forms.ts"
import { gitFixture } from "./fixture.ts"
import { canaries } from "./canaries.ts"

/** A setting that is switched off everywhere, and one that requires permission. */
const named = canaries.filter(({ name }) => name === "core.fsmonitor" || name === "diff.external")

const notRoot = process.getuid?.() === 0 ? false : "only root can give a folder to another user"

for (const { name, options, create, quiet, shows = "git status" } of forms) {
  const layout = (remove: (stop: () => void) => void) => {
    const fixture = gitFixture(options)
    remove(() => fixture.remove())
    return { fixture, at: create(fixture) }
  }

  test(`[SAFE-5] .git is ${name}: without configured programs reads ${quiet === "allow" ? "are allowed" : "need approval"}`, async (t) => {
    const { fixture, at } = layout((stop) => t.after(stop))
    assert.equal((await fixture.ask("git status && git diff HEAD", at.cwd)).verdict, quiet)
    assert.equal((await fixture.ask(`git -C '${at.cwd}' status`, fixture.root)).verdict, quiet)
  })

  const title = `[SAFE-5] .git is ${name}: no program that is named there runs`
  const attempt = async (
    guard: "on" | "off",
    canary: (typeof canaries)[number],
    remove: (stop: () => void) => void,
  ) => {
    const { fixture, at } = layout(remove)
    canary.create(fixture, at)
    if (guard === "off") fixture.plain(shows ?? "git status", at.cwd)
    else {
      for (const command of ["git status && git diff HEAD", "git log -p"]) await fixture.ask(command, at.cwd)
      for (const verb of ["status", "log -p"]) await fixture.ask(`git -C '${at.cwd}' ${verb}`, fixture.root)
    }
    return fixture.triggered()
  }
  if (shows === null)
    test(`${title}; git itself refuses it`, { skip: name === "the folder of another user" && notRoot }, async (t) => {
      for (const guard of ["on", "off"] as const)
        for (const canary of named) assert.equal(await attempt(guard, canary, (stop) => t.after(stop)), false)
    })
  else
    attack(title, async (t, guard) => {
      const tried = await Promise.all(named.map((canary) => attempt(guard, canary, (stop) => t.after(stop))))
      return { reached: tried.includes(true) }
    })
}
