import { phrase, withStrings, diagnosticPhrase } from "@gong/spec"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, posix, relative } from "node:path"
import type { Config } from "../../compose/config.ts"
import { codeOf, attempt, must, ok, type Outcome, usage } from "@gong/config/usage"
import { prepareHome } from "@gong/config/home"
import type { SourceFiles } from "@gong/resources/skills/load-archive"
import { createLocalHost } from "@gong/tools/host/local"
import { textReader } from "@gong/resources/skills/load-frontmatter"
import { loadSkills } from "@gong/resources/skills/load-skills"
import type { Skill } from "@gong/resources/skills/skill"
import { nameProblems } from "@gong/resources/skills/validate"
import type { Services } from "../../services.ts"
import { fetchSource } from "./fetch.ts"
import type { Translate } from "@gong/texts/translator"

/**
 * `gong skills add SOURCE`: copies every skill of a folder, an archive, a git repository or an npm package to the user's own.
 * Nothing of it is run or made executable; each skill appears whole or not at all, and none takes the place of another.
 */
export function addSkills(services: Services, config: Config, source: string): Promise<Outcome<string>> {
  return attempt(async () => {
    const { files, name } = must(await fetchSource(services, { home: config.home, cwd: config.workspace.cwd }, source))
    const folders = skillFolders(files)
    if (folders.length === 0) must(usage(phrase`${source}: there is no SKILL.md in it.`))
    const home = must(prepareHome(join(config.home, "skills")))
    // Hidden, so that no session sees half a skill; beside the others, so that a rename is enough.
    const staged = mkdtempSync(join(home, ".add-"))
    try {
      for (const [at, folder] of folders.entries()) {
        const called = (posix.basename(folder) || name).replace(/^\.+/, "") || "skill"
        writeFiles(join(staged, String(at), called), files, folder)
      }
      const skills = must(await judged(staged, source))
      for (const { name: wanted } of skills) must(free(home, wanted))
      const lines = skills.map((skill) => placed(services.t, home, skill))
      return services.t`${lines.join("\n")}\nNothing of it was run. Read it before you use it.\n`
    } catch (error) {
      if (error instanceof Error && "code" in error) must(usage(phrase`cannot write to ${home} (${codeOf(error)}).`))
      throw error
    } finally {
      rmSync(staged, { recursive: true, force: true })
    }
  })
}

/** The folders of skills, "" for the top; a folder inside a skill is its material. */
function skillFolders(files: SourceFiles): readonly string[] {
  const all = [...files.keys()].filter((path) => posix.basename(path) === "SKILL.md").map(folderOf)
  return all.filter((folder) => !all.some((other) => other !== folder && isBelow(other, folder)))
}

function folderOf(path: string): string {
  const folder = posix.dirname(path)
  return folder === "." ? "" : folder
}

function isBelow(folder: string, path: string): boolean {
  return folder === "" || path.startsWith(`${folder}/`)
}

function writeFiles(to: string, files: SourceFiles, folder: string): void {
  for (const [path, bytes] of files) {
    if (!isBelow(folder, path)) continue
    const target = join(to, folder === "" ? path : path.slice(folder.length + 1))
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    writeFileSync(target, bytes, { mode: 0o600 })
  }
}

/** All of them must be fit: half of a collection is not what was asked for. The name becomes that of a folder. */
async function judged(staged: string, source: string): Promise<Outcome<readonly Skill[]>> {
  const places = { user: [], project: [], workspace: staged, paths: [staged], includeDefaults: false }
  const host = createLocalHost({ cwd: staged })
  const own = { host, read: textReader(host) }
  const { skills, diagnostics } = await loadSkills(places, { user: own, project: own })
  const shown = (path: string): string => relative(staged, path).replace(/^\d+\//, "")
  const wrong = [
    ...diagnostics
      .filter(({ type }) => type !== "warning")
      .map((one) => diagnosticPhrase({ ...one, path: shown(one.path) }))
      .map((one) => withStrings(one, (value) => value.replaceAll(`${staged}/`, ""))),
    ...skills.flatMap(({ name, location }) =>
      nameProblems(name, name).map((text) => phrase`${`${shown(location)}:1: `}${text}`),
    ),
  ]
  const [first, ...rest] = wrong
  return first === undefined ? ok(skills) : usage(phrase`${source}: nothing was added. ${first}`, ...rest)
}

function free(home: string, name: string): Outcome<null> {
  const path = join(home, name)
  return existsSync(path) ? usage(phrase`${path} is there already; nothing was added. Move it away first.`) : ok(null)
}

/** Files beside the text that are named. */
const maxNamed = 5

function placed(t: Translate, home: string, { name, folder }: Skill): string {
  const target = join(home, name)
  renameSync(folder, target)
  const all = readdirSync(target, { recursive: true, encoding: "utf8", withFileTypes: true })
  const beside = all
    .filter((entry) => entry.isFile())
    .map((entry) => relative(target, join(entry.parentPath, entry.name)))
    .filter((path) => path !== "SKILL.md")
  const more = beside.length > maxNamed ? t`, and ${beside.length - maxNamed} more` : ""
  const files = beside.length === 0 ? "" : t`, with ${beside.slice(0, maxNamed).join(", ")}${more}`
  return t`added ${target}${files}`
}
