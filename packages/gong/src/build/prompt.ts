import { existsSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Options } from "../config/flags.ts"
import { textOrFile } from "../config/mentions.ts"
import { ok, type Outcome } from "../config/usage.ts"
import { type ContextFile, findContextFiles } from "../prompt/context-files.ts"
import { buildSystemPrompt } from "../prompt/system.ts"
import type { PromptSource } from "../session/prompt-state.ts"
import type { World } from "../world.ts"
import type { Config } from "./config.ts"

export interface PromptParts {
  readonly source: PromptSource
  /** Whole lines for the user: context files that were cut. */
  readonly lines: readonly string[]
}

/** Gathers the texts of the system prompt. What the repository brings counts only where that is allowed. */
export function promptParts(world: World, options: Options, config: Config): Outcome<PromptParts> {
  const where = { cwd: config.workspace.cwd, home: world.userHome }
  const custom = textOf("system-prompt", options.systemPrompt, where, () => ownFile(config, "SYSTEM.md"))
  if (!custom.ok) return custom
  const append = textOf("append-system-prompt", options.appendSystemPrompt, where, () =>
    ownFile(config, "APPEND_SYSTEM.md"),
  )
  if (!append.ok) return append
  const wanted = options.bare !== true && config.settings.values.contextFiles
  const contextFiles = wanted ? contextOf(config) : []
  const docs = ownDocs()
  const source: PromptSource = {
    build: (tools, builtAt) =>
      buildSystemPrompt({
        tools,
        cwd: config.workspace.cwd,
        now: builtAt,
        utcOffset: world.utcOffset,
        contextFiles,
        ...(custom.value === null ? {} : { custom: custom.value }),
        ...(append.value === null ? {} : { append: append.value }),
        ...(docs ? { docs } : {}),
      }),
  }
  const cut = contextFiles.filter((file) => file.cut)
  return ok({ source, lines: cut.map((file) => `gong: ${file.path} is long; only its first part is in the prompt.`) })
}

function textOf(
  flag: string,
  value: string | undefined,
  where: { readonly cwd: string; readonly home: string },
  file: () => string | null,
): Outcome<string | null> {
  return value === undefined ? ok(file()) : textOrFile(flag, value, where)
}

/** SYSTEM.md and its like: the trusted project's before the user's. */
function ownFile(config: Config, name: string): string | null {
  const project = config.trusted ? readText(join(config.trusted.root, ".gong", name)) : null
  return project ?? readText(join(config.home, name))
}

function contextOf(config: Config): readonly ContextFile[] {
  return findContextFiles({
    user: [config.home],
    workspace: config.workspace.folder,
    cwd: config.workspace.cwd,
    read: readText,
  })
}

/** The text of a regular file that is there; never waits on a FIFO. */
function readText(path: string): string | null {
  try {
    return statSync(path).isFile() ? readFileSync(path, "utf8") : null
  } catch {
    return null
  }
}

/** Gong's own documentation, beside the sources or the bundle. */
function ownDocs(): { readonly readme: string; readonly folder: string } | null {
  let folder = dirname(fileURLToPath(import.meta.url))
  for (let up = 0; up < 4; up++) {
    if (existsSync(join(folder, "README.md")) && existsSync(join(folder, "docs"))) {
      return { readme: join(folder, "README.md"), folder: join(folder, "docs") }
    }
    folder = dirname(folder)
  }
  return null
}
