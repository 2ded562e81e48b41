import { phrase } from "@gong/spec"
import { join } from "node:path"
import { readConfig } from "../compose/config.ts"
import { agents, type Options } from "../config/flags.ts"
import { alternatives, attempt, must, type Outcome, usage } from "../config/usage.ts"
import { libraryFolders, ownFolder, userLibraryFolders } from "../folders.ts"
import type { World } from "../world.ts"
import { type Destination, applyAll } from "./import/apply.ts"
import { readClaude } from "./import/claude.ts"
import { readCodex } from "./import/codex.ts"
import { collect } from "./import/candidate.ts"
import { readOpencode } from "./import/opencode.ts"
import { readPi } from "./import/pi.ts"
import { type ImportContext, realOf } from "./import/context.ts"
import { openSource } from "./import/source.ts"
import { importJson, importSummary } from "./import/summary.ts"

const readers = { claude: readClaude, codex: readCodex, pi: readPi, opencode: readOpencode }
const names = { claude: "Claude Code", codex: "Codex", pi: "Pi", opencode: "opencode" }

/**
 * `gong import --from AGENT [--project] [--dry-run] [--json]`: imports the configuration of another agent. Existing
 * data is never changed, so it can be repeated. Keys are not copied, and items without a counterpart are listed with
 * their file.
 */
export function importFrom(world: World, options: Options): Promise<Outcome<string>> {
  return attempt(async () => {
    const { from } = options
    if (from === undefined) return must(usage(phrase`from which agent? gong import --from ${agents.join("|")}`))
    const config = must(await readConfig(world, options))
    const { home, workspace, registry, trusted } = config
    const project = options.project === true ? workspace.folder : null
    const candidates = collect()
    const folders = foldersOfUser(world)
    const own = openSource(folders, candidates)
    const place: ImportContext = {
      env: world.env,
      userHome: world.userHome,
      project,
      trusted: trusted !== null,
      libraries:
        project === null ? userLibraryFolders(home, world.userHome) : libraryFolders.map((one) => join(project, one)),
      registry,
      source: project === null ? own : openSource([project], candidates),
      own,
      candidates,
    }
    const looked = await readers[from](world.t, place)
    if (candidates.all.length === 0)
      return must(usage(phrase`there is nothing of ${names[from]} in ${alternatives(looked)}.`))
    const destination: Destination = {
      folder: project === null ? home : join(project, ownFolder),
      within: project ?? realOf(home),
      rules: project === null ? null : { home, repository: workspace.repository },
      dry: options.dryRun === true,
    }
    const done = await applyAll(world, config, candidates.all, destination)
    if (options.json === true) return importJson(done, from, destination.dry)
    return importSummary(world.t, done, { dry: destination.dry, userHome: world.userHome })
  })
}

/** The user's home, and folders of agents named by variables. */
function foldersOfUser({ env, userHome }: World): readonly string[] {
  const variables = ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "PI_CODING_AGENT_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"]
  const named = variables.flatMap((variable) => env[variable] || [])
  return [userHome, ...named].map(realOf)
}
