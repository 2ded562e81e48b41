import { attack } from "@gong/testing/attacks"
import { forms } from "./forms.ts"
import { gitStage } from "./fixture.ts"
import { traps } from "./canaries.ts"

/** Listing changed files would run these; the change detector enters no submodule. */
const named = traps.filter(({ name }) => name === "filter.*.clean" || name === "core.fsmonitor")
const listed = forms.filter(({ shows = "git status" }) => shows === "git status")

for (const { name, options, lay } of listed.filter((form) => !/submodule, from above/.test(form.name)))
  attack(
    `[SAFE-5] .git is ${name}: Gong's change detector runs no program that is configured there`,
    async (t, guard) => {
      let reached = false
      for (const trap of named) {
        const stage = gitStage(options)
        t.after(() => stage.remove())
        const laid = lay(stage)
        trap.lay(stage, laid)
        if (guard === "off") stage.plain("git ls-files -m", laid.cwd)
        else await stage.look(laid.cwd)
        reached ||= stage.sprung()
      }
      return { reached }
    },
  )
