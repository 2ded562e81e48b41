import { phrase, libraryFolders, ownFolder, userLibraryFolders } from "@gong/spec"
import { join } from "node:path"
import { agents } from "./agents.ts"
import { readConfig } from "@gong/app/compose/config"
import { alternatives, attempt, must, type Outcome, usage } from "@gong/config/usage"
import type { Services } from "@gong/app/services"
import { type Destination, applyAll } from "./apply.ts"
import { readClaude } from "./claude.ts"
import { readCodex } from "./codex/codex.ts"
import { collect } from "./candidate.ts"
import { readOpencode } from "./opencode/opencode.ts"
import { readPi } from "./pi.ts"
import { type ImportContext, realOf } from "./context.ts"
import type { ImportOptions } from "./options.ts"
import { openSource } from "./source.ts"
import { importJson, importSummary } from "./summary.ts"

const readers = { claude: readClaude, codex: readCodex, pi: readPi, opencode: readOpencode }
const names = { claude: "Claude Code", codex: "Codex", pi: "Pi", opencode: "opencode" }

/**
 * `gong import --from AGENT [--project] [--dry-run] [--json]`: imports the configuration of another agent. Existing
 * data is never changed, so it can be repeated. Keys are not copied, and items without an equivalent are listed with
 * their file.
 */
export function importFrom(services: Services, options: ImportOptions): Promise<Outcome<string>> {
  return attempt(async () => {
    const { from } = options
    if (options.sessions === true)
      return must(await (await import("./sessions/import-sessions.ts")).importSessions(services, options))
    if (from === undefined) return must(usage(phrase`which agent? gong import --from ${agents.join("|")}`))
    if (from === "gemini")
      return must(usage(phrase`of Gemini CLI only conversations are imported: gong import --from gemini --sessions`))
    const config = must(await readConfig(services, options))
    const { home, workspace, registry, trusted } = config
    const project = options.project === true ? workspace.folder : null
    const candidates = collect()
    const folders = foldersOfUser(services)
    const own = openSource(folders, candidates)
    const context: ImportContext = {
      env: services.env,
      userHome: services.userHome,
      project,
      trusted: trusted !== null,
      libraries:
        project === null
          ? userLibraryFolders(home, services.userHome)
          : libraryFolders.map((one) => join(project, one)),
      registry,
      source: project === null ? own : openSource([project], candidates),
      own,
      candidates,
    }
    const searched = await readers[from](services.t, context)
    if (candidates.all.length === 0)
      return must(usage(phrase`no configuration of ${names[from]} was found in ${alternatives(searched)}.`))
    const destination: Destination = {
      folder: project === null ? home : join(project, ownFolder),
      within: project ?? realOf(home),
      rules: project === null ? null : { home, repository: workspace.repository },
      dry: options.dryRun === true,
    }
    const done = await applyAll(services, config, candidates.all, destination)
    if (options.json === true) return importJson(done, from, destination.dry)
    return importSummary(services.t, done, { dry: destination.dry, userHome: services.userHome })
  })
}

/** The user's home, and folders of agents named by variables. */
function foldersOfUser({ env, userHome }: Services): readonly string[] {
  const variables = ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "PI_CODING_AGENT_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"]
  const named = variables.flatMap((variable) => env[variable] || [])
  return [userHome, ...named].map(realOf)
}
