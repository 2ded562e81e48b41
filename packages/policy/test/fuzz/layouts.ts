import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createRng, type Rng } from "@gong/testing/sim/rng"
import { type Form, forms, linked } from "../git-attacks/forms.ts"
import { type GitFixture, gitFixture } from "../git-attacks/fixture.ts"
import { type Layout, reads, type Canary, canaries } from "../git-attacks/canaries.ts"

export interface LayoutRun {
  readonly asked: number
  /** Passed by policy, and run. */
  readonly free: number
  /** The command that ran when a program of the repository ran. */
  readonly leaks: readonly string[]
}

/** Runs a command as policy decides. */
export type Asking = (fixture: GitFixture, command: string, cwd: string) => Promise<{ readonly verdict: string }>

const byPolicy: Asking = async (fixture, command, cwd) => fixture.ask(command, cwd)
const commandsMax = 6

const all = canaries as readonly Canary[] as [Canary, ...Canary[]]
/** Options that make commands read-only at any position, since they switch programs off. */
const turnedOff = canaries.filter(({ name }) => /^(?:core\.(?:fsmonitor|hooksPath)|hooks\/)/.test(name)) as [
  Canary,
  ...Canary[],
]

/**
 * A repository in some form of `.git`, with programs configured in some way: commands that policy permits as read-only,
 * and Gong's own scan, must run none. The same seed creates the same layout.
 */
export async function fuzzLayout(seed: number, ask: Asking = byPolicy): Promise<LayoutRun> {
  const rng = createRng(seed)
  const form = rng.chance(0.6) ? rng.pick(forms as [Form, ...Form[]]) : someLine(rng)
  const fixture = gitFixture(form.options)
  try {
    const layout = form.create(fixture)
    const named = Array.from({ length: rng.int(3) }, () => rng.pick(rng.chance(0.6) ? turnedOff : all))
    for (const canary of named) createUnusually(rng, fixture, layout, canary)
    moveAttributes(rng, layout)
    const leaks: string[] = []
    let free = 0
    const commands = [...new Set([...named.map(({ shows }) => shows), ...reads])].slice(0, named.length)
    while (commands.length < commandsMax) commands.push(rng.pick(reads as [string, ...string[]]))
    for (const command of commands) {
      const { verdict } = await ask(fixture, command, rng.chance(0.8) ? layout.cwd : fixture.work)
      if (verdict === "allow") free += 1
      if (fixture.triggered()) leaks.push(`${form.name}; ${named.map(({ name }) => name).join(", ")}: ${command}`)
    }
    await fixture.detectChanges(layout.cwd)
    if (fixture.triggered())
      leaks.push(`${form.name}; ${named.map(({ name }) => name).join(", ")}: the look at the workspace`)
    return { asked: commands.length, free, leaks }
  } finally {
    fixture.remove()
  }
}

const pieces = [
  "g",
  " ",
  "~",
  "~/",
  "\t",
  "\r",
  "\n",
  "é",
  "\\",
  "'",
  '"',
  "$(x)",
  "-",
  "./",
  "../work/",
  "#",
  "gitdir: ",
] as const
const ends = ["\n", "\r\n", "", "\n\n", " \n", "\t\n", "\nx\n", "\n \n"] as const

/** A `.git` file with a path to some folder, and other folders where a reader ends up that trims more or less of the line. */
function someLine(rng: Rng): Form {
  const name = `${Array.from({ length: 1 + rng.int(3) }, () => rng.pick(pieces)).join("")}h${rng.chance(0.5) ? rng.pick([" ", "\r", "\t", "."]) : ""}`
  const line = `gitdir: ${rng.chance(0.3) ? "ROOT/work/" : ""}${name}${rng.pick(ends)}`
  const readings = [name.trim(), `${name} `, `${name}\r`, name.replace(/^~/, "../home")]
  const decoy = rng.pick(readings.filter((one) => one !== name) as [string, ...string[]])
  const create = linked(name, line, `work/${decoy}`)
  return { name: JSON.stringify(line), quiet: "deny", create }
}

/** The settings added by the trap, in another spelling or through an include. */
function createUnusually(rng: Rng, fixture: GitFixture, layout: Layout, canary: Canary): void {
  const path = join(layout.shared, "config")
  const before = readIf(path)
  canary.create(fixture, layout)
  const added = readIf(path).slice(before.length)
  if (added === "") return
  const spelled = rng.pick([
    (text: string) => text,
    (text: string) => text.replaceAll(/^\[([a-z]+)/gm, (_, section: string) => `[${section.toUpperCase()}`),
    (text: string) => text.replaceAll(/^\t(\w+) = /gm, (_, key: string) => `  ${key.toUpperCase()}=`),
    (text: string) => text.replaceAll("]\n\t", "] "),
    (text: string) => text.replaceAll("\n", "\r\n"),
    (text: string) => text.replaceAll(" = ", " = \\\n"),
    (text: string) => `# x\n;y [z]\n${text}`,
  ])(added)
  const isIncluded = rng.chance(0.3)
  const file = join(fixture.work, `more-${rng.int(1000)}`)
  if (isIncluded) writeFileSync(file, spelled)
  writeFileSync(path, `${before}${isIncluded ? `[include]\n\tpath = ${file}\n` : spelled}`)
}

function moveAttributes(rng: Rng, { shared, top }: Layout): void {
  const from = join(top, ".gitattributes")
  if (rng.chance(0.6) || !existsSync(from)) return
  const info = join(shared, "info")
  mkdirSync(info, { recursive: true })
  renameSync(from, join(info, "attributes"))
  if (rng.chance(0.5)) return
  renameSync(join(info, "attributes"), join(top, "attributes"))
  writeFileSync(
    join(shared, "config"),
    `${readIf(join(shared, "config"))}[core]\n\tattributesFile = ${top}/attributes\n`,
  )
}

function readIf(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : ""
}
