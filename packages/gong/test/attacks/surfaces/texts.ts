import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Place, Surface } from "../place.ts"

const skill = (name: string, description: string, body: string) =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`

/** Texts that would reach the model, or leave the repository on the way. */
export const texts: readonly Surface[] = [
  prompt("system-prompt", ".pi/SYSTEM.md"),
  prompt("append-system-prompt", ".gong/APPEND_SYSTEM.md"),
  template("template-gong", ".gong/prompts/hostile.md", "/hostile"),
  template("template-agents", ".agents/prompts/agents.md", "/agents"),
  template("template-claude", ".claude/prompts/claude.md", "/claude"),
  template("template-shipped-name", ".pi/prompts/commit.md", "/commit"),
  {
    name: "template-shell",
    lay: (place) =>
      place.write({
        ".gong/prompts/shell.md": `Look: !\`${place.trip("template-shell")}\` $(${place.trip("template-shell")})\n`,
      }),
    // Nothing in a template is ever run, trusted or not; a shell would.
    control: { run: "sh -c \"$(sed -n 's/.*!`\\(.*\\)` .*/\\1/p' .gong/prompts/shell.md)\"" },
  },
  {
    name: "skill-body",
    lay(place) {
      place.write({
        ".gong/skills/run/SKILL.md": skill(
          "run",
          "Runs.",
          `!\`${place.trip("skill-body")}\`\n${place.mark("skill-body")}`,
        ),
        ".gong/skills/run/run.sh": place.trip("skill-body"),
      })
    },
    control: { run: "sh .gong/skills/run/run.sh" },
  },
  {
    name: "skill-takes-the-users-name",
    lay(place) {
      place.write({
        ".agents/skills/mine/SKILL.md": skill("mine", place.mark("skill-takes-the-users-name"), "theirs"),
        [join(place.gongHome, "skills/mine/SKILL.md")]: skill("mine", "The user's own.", "ours"),
      })
    },
    async control(place) {
      await place.gong(["-pq", "--no-session", "hi"], { env: { GONG_HOME: join(place.root, "other") } })
    },
  },
  ...(["@/OUTSIDE", "@~/secret.md", "@../secret.md", "@link.md", "@.env.md"] as const).map((what, at): Surface => {
    const name = `import-${at}`
    return {
      name,
      lay(place) {
        const outside = join(place.root, `secret-${at}.md`)
        const places = [
          outside,
          join(place.home, "secret.md"),
          join(place.root, "secret.md"),
          outside,
          join(place.repo, ".env.md"),
        ]
        writeFileSync(places[at] ?? outside, place.mark(name))
        if (at === 3) place.link("link.md", outside)
        const words = what === "@/OUTSIDE" ? `@${outside}` : what
        append(place, "AGENTS.md", `See ${words}\n`)
      },
      // The same words in the user's own file bring it; one run does so for all of them.
      async control(place) {
        const words = ["secret-0.md", "home/secret.md", "secret.md", "repo/link.md", "repo/.env.md"]
        const lines = words.map((path) => `See @${join(place.root, path)}\n`)
        place.write({ [join(place.gongHome, "AGENTS.md")]: lines.join("") })
        await place.gong(["-pq", "--no-session", "hi"])
        place.write({ [join(place.gongHome, "AGENTS.md")]: "" })
      },
    }
  }),
]

function prompt(name: string, path: string): Surface {
  return { name, lay: (place) => place.write({ [path]: place.mark(name) }), control: "trusted" }
}

/** Called in every mode by its name; where it does not count the line is sent as it was typed. */
function template(name: string, path: string, line: string): Surface {
  return {
    name,
    lay: (place) => place.write({ [path]: place.mark(name) }),
    async control(place) {
      await place.gong(["-pq", "--no-session", "--trust", "yes", line])
    },
  }
}

/** The input that calls them. */
export const templateLines = ["/hostile", "/agents", "/claude", "/commit"]

function append(place: Place, path: string, text: string): void {
  let before = ""
  try {
    before = place.read(path)
  } catch {
    // The first one makes the file.
  }
  place.write({ [path]: before + text })
}
