import { attack } from "@gong/testing/attacks"
import { forms } from "./forms.ts"
import { gitFixture } from "./fixture.ts"
import { canaries } from "./canaries.ts"

/** Listing changed files would run these; the change detector enters no submodule. */
const named = canaries.filter(({ name }) => name === "filter.*.clean" || name === "core.fsmonitor")
const listed = forms.filter(({ shows = "git status" }) => shows === "git status")

for (const { name, options, create } of listed.filter((form) => !/submodule, from above/.test(form.name)))
  attack(
    `[SAFE-5] .git is ${name}: Gong's change detector runs no program that is configured there`,
    async (t, guard) => {
      let reached = false
      for (const canary of named) {
        const fixture = gitFixture(options)
        t.after(() => fixture.remove())
        const layout = create(fixture)
        canary.create(fixture, layout)
        if (guard === "off") fixture.plain("git ls-files -m", layout.cwd)
        else await fixture.detectChanges(layout.cwd)
        reached ||= fixture.triggered()
      }
      return { reached }
    },
  )
