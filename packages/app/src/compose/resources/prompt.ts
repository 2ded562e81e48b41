import { existsSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { projectFolders, userFolders } from "@gong/spec"
import { textOrFile } from "@gong/config/mentions"
import { ok, type Outcome } from "@gong/config/usage"
import type { Library } from "@gong/resources/skills/load-library"
import type { SkillEntry } from "@gong/resources/prompt/skills"
import { buildSystemPrompt, type PromptOptions } from "@gong/resources/prompt/system"
import type { TemplateExpander } from "@gong/session/input/template-expander"
import type { PromptSource } from "@gong/session/runs/prompt-state"
import type { Services } from "../../services.ts"
import type { Config, SessionContext } from "../config.ts"
import { templateExpander } from "./library.ts"
import type { Resources } from "./resources.ts"
import type { Translate } from "@gong/texts/translator"

export interface SessionPrompt {
  readonly source: PromptSource
  readonly expander: TemplateExpander
  /** The inputs of the text. */
  optionsFor(tools: PromptOptions["tools"], builtAt: number): PromptOptions
  /** The file or option of SYSTEM.md and of APPEND_SYSTEM.md. */
  readonly from: { readonly custom: string | null; readonly append: string | null }
  /** Whole lines for the user about skipped files. */
  readonly lines: readonly string[]
}

/** Reads the texts of the system prompt. Files of the repository are used only if it is trusted. */
export async function sessionPrompt(
  { services, spec, config }: SessionContext,
  { library, contextFiles, extensions }: Pick<Resources, "library" | "contextFiles" | "extensions">,
): Promise<Outcome<SessionPrompt>> {
  const base = { cwd: config.workspace.cwd, host: config.host }
  const skipped: string[] = []
  const file = async (name: string) =>
    spec.bare === true ? null : promptFile(services.t, config, services, name, skipped)
  const custom = await textOf("system-prompt", spec.systemPrompt, base, () => file("SYSTEM.md"))
  if (!custom.ok) return custom
  const append = await textOf("append-system-prompt", spec.appendSystemPrompt, base, () => file("APPEND_SYSTEM.md"))
  if (!append.ok) return append
  const docs = ownDocs()
  const optionsFor: SessionPrompt["optionsFor"] = (tools, builtAt) => ({
    tools,
    cwd: config.workspace.cwd,
    now: builtAt,
    utcOffset: services.utcOffset,
    contextFiles,
    skills: skillEntries(library),
    ...(custom.value === null ? {} : { custom: custom.value.text }),
    ...(append.value === null ? {} : { append: append.value.text }),
    ...(docs ? { docs } : {}),
  })
  const source: PromptSource = { build: (tools, builtAt) => buildSystemPrompt(optionsFor(tools, builtAt)) }
  const commands = () => extensions.commands.map(({ name }) => name)
  return ok({
    source,
    expander: templateExpander(library, commands),
    optionsFor,
    from: { custom: custom.value?.from ?? null, append: append.value?.from ?? null },
    lines: skipped,
  })
}

/** Skills that the model may use. */
function skillEntries({ skills }: Library): readonly SkillEntry[] {
  return skills
    .filter((skill) => !skill.disableModelInvocation)
    .map((skill) => ({ ...skill, fromRepository: skill.level === "project" }))
}

/** A text with the option or file that contains it. */
interface PromptText {
  readonly text: string
  readonly from: string
}

async function textOf(
  flag: string,
  value: string | undefined,
  base: Parameters<typeof textOrFile>[2],
  file: () => Promise<PromptText | null>,
): Promise<Outcome<PromptText | null>> {
  if (value === undefined) return ok(await file())
  const text = await textOrFile(flag, value, base)
  return text.ok ? ok({ text: text.value, from: `--${flag}` }) : text
}

/** SYSTEM.md or APPEND_SYSTEM.md of the trusted project, else of the user. A file that changed since it was trusted is skipped. */
async function promptFile(
  t: Translate,
  { trusted, home }: Config,
  { userHome }: Services,
  name: string,
  skipped: string[],
): Promise<PromptText | null> {
  for (const folder of trusted ? projectFolders : []) {
    const found = await trusted?.read(`${folder}/${name}`)
    const from = `${trusted?.root}/${folder}/${name}`
    if (found?.ok === false) skipped.push(t`gong: ${from} ${found.problem}; it is skipped.`)
    else if (found !== undefined && found.text !== null) return { text: found.text, from }
  }
  for (const from of userFolders(home, userHome).map((folder) => join(folder, name))) {
    const text = readText(from)
    if (text !== null) return { text, from }
  }
  return null
}

/** The text of a regular file, or null. Never waits on a FIFO. */
function readText(path: string): string | null {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, "utf8") : null
  } catch {
    return null
  }
}

/** Maximum distance of the root from a source file or the bundle. */
const maxLevels = 6

/** Gong's own README, documentation and examples, beside the sources or the bundle. */
function ownDocs(): readonly string[] | null {
  let folder = dirname(fileURLToPath(import.meta.url))
  for (let level = 0; level < maxLevels; level++) {
    const [readme = "", docs = "", ...more] = ["README.md", "docs", "examples"].map((name) => join(folder, name))
    if (existsSync(readme) && existsSync(docs)) return [readme, docs, ...more.filter((path) => existsSync(path))]
    folder = dirname(folder)
  }
  return null
}
