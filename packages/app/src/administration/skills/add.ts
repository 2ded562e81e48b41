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
 * `gong skills add SOURCE`: copies all skills of a folder, an archive, a git repository or an npm package to the user's
 * skills. Nothing is run or made executable; each skill is added atomically, and none is overwritten.
 */
export function addSkills(services: Services, config: Config, source: string): Promise<Outcome<string>> {
  return attempt(async () => {
    const { files, name } = must(await fetchSource(services, { home: config.home, cwd: config.workspace.cwd }, source))
    const folders = skillFolders(files)
    if (folders.length === 0) must(usage(phrase`${source}: there is no SKILL.md in it.`))
    const home = must(prepareHome(join(config.home, "skills")))
    // Hidden, so that no session loads an incomplete skill; in the same folder, so that a rename is enough.
    const staged = mkdtempSync(join(home, ".add-"))
    try {
      for (const [at, folder] of folders.entries()) {
        const skillName = (posix.basename(folder) || name).replace(/^\.+/, "") || "skill"
        writeFiles(join(staged, String(at), skillName), files, folder)
      }
      const skills = must(await validated(staged, source))
      for (const skill of skills) must(checkUnused(home, skill.name))
      const lines = skills.map((skill) => moveSkill(services.t, home, skill))
      return services.t`${lines.join("\n")}\nNothing was run. Review it before you use it.\n`
    } catch (error) {
      if (error instanceof Error && "code" in error) must(usage(phrase`cannot write to ${home} (${codeOf(error)}).`))
      throw error
    } finally {
      rmSync(staged, { recursive: true, force: true })
    }
  })
}

/** The folders of skills, "" for the top. A folder inside a skill belongs to it. */
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

/** All skills must be valid. Their names become names of folders. */
async function validated(staged: string, source: string): Promise<Outcome<readonly Skill[]>> {
  const sources = { user: [], project: [], workspace: staged, paths: [staged], includeDefaults: false }
  const host = createLocalHost({ cwd: staged })
  const own = { host, read: textReader(host) }
  const { skills, diagnostics } = await loadSkills(sources, { user: own, project: own })
  const shown = (path: string): string => relative(staged, path).replace(/^\d+\//, "")
  const problems = [
    ...diagnostics
      .filter(({ type }) => type !== "warning")
      .map((one) => diagnosticPhrase({ ...one, path: shown(one.path) }))
      .map((one) => withStrings(one, (value) => value.replaceAll(`${staged}/`, ""))),
    ...skills.flatMap(({ name, location }) =>
      nameProblems(name, name).map((text) => phrase`${`${shown(location)}:1: `}${text}`),
    ),
  ]
  const [first, ...rest] = problems
  return first === undefined ? ok(skills) : usage(phrase`${source}: nothing was added. ${first}`, ...rest)
}

function checkUnused(home: string, name: string): Outcome<null> {
  const path = join(home, name)
  return existsSync(path) ? usage(phrase`${path} already exists; nothing was added. Move it away first.`) : ok(null)
}

/** Listed files of one skill. */
const maxNamed = 5

function moveSkill(t: Translate, home: string, { name, folder }: Skill): string {
  const target = join(home, name)
  renameSync(folder, target)
  const all = readdirSync(target, { recursive: true, encoding: "utf8", withFileTypes: true })
  const others = all
    .filter((entry) => entry.isFile())
    .map((entry) => relative(target, join(entry.parentPath, entry.name)))
    .filter((path) => path !== "SKILL.md")
  const more = others.length > maxNamed ? t`, and ${others.length - maxNamed} more` : ""
  const files = others.length === 0 ? "" : t`, with ${others.slice(0, maxNamed).join(", ")}${more}`
  return t`added ${target}${files}`
}
