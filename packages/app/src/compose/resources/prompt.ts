import { existsSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { SessionSpec } from "@gong/config/session-spec"
import { projectFolders, userFolders } from "@gong/spec"
import { textOrFile } from "@gong/config/mentions"
import { ok, type Outcome } from "@gong/config/usage"
import type { Library } from "@gong/resources/skills/load-library"
import type { SkillEntry } from "@gong/resources/prompt/skills"
import { buildSystemPrompt, type PromptOptions } from "@gong/resources/prompt/system"
import type { TemplateExpander } from "@gong/session/input/template-expander"
import type { PromptSource } from "@gong/session/runs/prompt-state"
import type { Services } from "../../services.ts"
import type { Config } from "../config.ts"
import { templateExpander } from "./library.ts"
import type { Resources } from "./resources.ts"
import type { Translate } from "@gong/texts/translator"

export interface SessionPrompt {
  readonly parts: { readonly prompt: PromptSource; readonly expander: TemplateExpander }
  /** What the text is built from. */
  optionsFor(tools: PromptOptions["tools"], builtAt: number): PromptOptions
  /** Where SYSTEM.md and APPEND_SYSTEM.md, or what stands for them, are from. */
  readonly from: { readonly custom: string | null; readonly append: string | null }
  /** Whole lines for the user: files of the system prompt that do not count. */
  readonly lines: readonly string[]
}

export interface SessionContext {
  readonly services: Services
  readonly spec: SessionSpec
  readonly config: Config
}

/** Gathers the texts of the system prompt. What the repository brings counts only where that is allowed. */
export async function sessionPrompt(
  { services, spec, config }: SessionContext,
  { library, contextFiles, extensions }: Pick<Resources, "library" | "contextFiles" | "extensions">,
): Promise<Outcome<SessionPrompt>> {
  const where = { cwd: config.workspace.cwd, host: config.host }
  const passed: string[] = []
  const own = async (name: string) => (spec.bare === true ? null : ownFile(services.t, config, services, name, passed))
  const custom = await textOf("system-prompt", spec.systemPrompt, where, () => own("SYSTEM.md"))
  if (!custom.ok) return custom
  const append = await textOf("append-system-prompt", spec.appendSystemPrompt, where, () => own("APPEND_SYSTEM.md"))
  if (!append.ok) return append
  const docs = ownDocs()
  const optionsFor: SessionPrompt["optionsFor"] = (tools, builtAt) => ({
    tools,
    cwd: config.workspace.cwd,
    now: builtAt,
    utcOffset: services.utcOffset,
    contextFiles,
    skills: indexOf(library),
    ...(custom.value === null ? {} : { custom: custom.value.text }),
    ...(append.value === null ? {} : { append: append.value.text }),
    ...(docs ? { docs } : {}),
  })
  const prompt: PromptSource = { build: (tools, builtAt) => buildSystemPrompt(optionsFor(tools, builtAt)) }
  const commands = () => extensions.commands.map(({ name }) => name)
  return ok({
    parts: { prompt, expander: templateExpander(library, commands) },
    optionsFor,
    from: { custom: custom.value?.from ?? null, append: append.value?.from ?? null },
    lines: passed,
  })
}

/** What the model may choose from; what a person alone calls is left out. */
function indexOf({ skills }: Library): readonly SkillEntry[] {
  return skills
    .filter((skill) => !skill.disableModelInvocation)
    .map((skill) => ({ ...skill, fromRepository: skill.level === "project" }))
}

/** A text, and the option or file that it is from. */
interface OwnText {
  readonly text: string
  readonly from: string
}

async function textOf(
  flag: string,
  value: string | undefined,
  where: Parameters<typeof textOrFile>[2],
  file: () => Promise<OwnText | null>,
): Promise<Outcome<OwnText | null>> {
  if (value === undefined) return ok(await file())
  const text = await textOrFile(flag, value, where)
  return text.ok ? ok({ text: text.value, from: `--${flag}` }) : text
}

/** SYSTEM.md and its like: the trusted project's before the user's. One that is not what was trusted is passed over, and `passed` says so. */
async function ownFile(
  t: Translate,
  { trusted, home }: Config,
  { userHome }: Services,
  name: string,
  passed: string[],
): Promise<OwnText | null> {
  for (const folder of trusted ? projectFolders : []) {
    const found = await trusted?.read(`${folder}/${name}`)
    const from = `${trusted?.root}/${folder}/${name}`
    if (found?.ok === false) passed.push(t`gong: ${from} ${found.problem}; it is skipped.`)
    else if (found !== undefined && found.text !== null) return { text: found.text, from }
  }
  for (const from of userFolders(home, userHome).map((folder) => join(folder, name))) {
    const text = readText(from)
    if (text !== null) return { text, from }
  }
  return null
}

/** The text of a regular file that is there; never waits on a FIFO. */
function readText(path: string): string | null {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, "utf8") : null
  } catch {
    return null
  }
}

/** How far above a source or a bundle the root can be. */
const MAX_UP = 6

/** Gong's own readme, documentation and examples, beside the sources or the bundle. */
function ownDocs(): readonly string[] | null {
  let folder = dirname(fileURLToPath(import.meta.url))
  for (let up = 0; up < MAX_UP; up++) {
    const [readme = "", docs = "", ...more] = ["README.md", "docs", "examples"].map((name) => join(folder, name))
    if (existsSync(readme) && existsSync(docs)) return [readme, docs, ...more.filter((path) => existsSync(path))]
    folder = dirname(folder)
  }
  return null
}
