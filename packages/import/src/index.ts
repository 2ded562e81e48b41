import { phrase, libraryFolders, ownFolder, userLibraryFolders } from "@gong/spec"
import { join } from "node:path"
import { type Agent, agents } from "./agents.ts"
import { readConfig } from "@gong/app/compose/config"
import { alternatives, attempt, must, type Outcome, usage } from "@gong/config/usage"
import type { Services } from "@gong/app/services"
import { type Destination, applyAll } from "./apply.ts"
import { readClaude } from "./claude.ts"
import { readCodex } from "./codex/codex.ts"
import { type Candidate, collect, type Target } from "./candidate.ts"
import { printableLine } from "@gong/texts/printable"
import type { Translate } from "@gong/texts/translator"
import { readOpencode } from "./opencode/opencode.ts"
import { readPi } from "./pi.ts"
import { readCursorServers, readGeminiServers, readVscodeServers } from "./editors.ts"
import { type ImportContext, realOf } from "./context.ts"
import type { ImportOptions } from "./options.ts"
import { openSource } from "./source.ts"
import { importJson, importSummary } from "./summary.ts"

const readers: Readonly<Record<Agent, (t: Translate, context: ImportContext) => Promise<readonly string[]>>> = {
  claude: readClaude,
  codex: readCodex,
  pi: readPi,
  opencode: readOpencode,
  gemini: readGeminiServers,
  cursor: readCursorServers,
  vscode: readVscodeServers,
}
const names: Readonly<Record<Agent, string>> = {
  claude: "Claude Code",
  codex: "Codex",
  pi: "Pi",
  opencode: "opencode",
  gemini: "Gemini CLI",
  cursor: "Cursor",
  vscode: "VS Code",
}

/**
 * `gong import --from AGENT [--project] [--dry-run] [--json]`: imports the configuration of another agent. Existing
 * data is never changed, so it can be repeated. Keys are not copied, and items without an equivalent are listed with
 * their file.
 */
export function importFrom(
  services: Services,
  options: ImportOptions,
  ask: AskUser | null = null,
): Promise<Outcome<string>> {
  return attempt(async () => {
    const { from } = options
    if (options.sessions === true)
      return must(await (await import("./sessions/import-sessions.ts")).importSessions(services, options))
    if (from === undefined) return must(usage(phrase`which agent? gong import --from ${agents.join("|")}`))
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
    const confirmed = destination.dry ? candidates.all : await confirmServers(services.t, candidates.all, ask)
    const done = await applyAll(services, config, confirmed, destination)
    if (options.json === true) return importJson(done, from, destination.dry)
    return importSummary(services.t, done, { dry: destination.dry, userHome: services.userHome })
  })
}

/** Asks a question; true only for yes. */
export type AskUser = (question: string) => Promise<boolean>

/** Each server is confirmed with its command line, since sessions will run it. Without a user it is stored and off. */
async function confirmServers(
  t: Translate,
  candidates: readonly Candidate[],
  ask: AskUser | null,
): Promise<readonly Candidate[]> {
  const confirmed: Candidate[] = []
  for (const candidate of candidates) {
    if (candidate.state !== "import" || candidate.target.op !== "server") confirmed.push(candidate)
    else if (ask === null) confirmed.push(disabledServer(t, candidate, candidate.target))
    else if (await ask(t`Add the MCP server ${candidate.target.name}: ${lineOf(candidate.target.server)}? [y/N] `))
      confirmed.push(candidate)
    else confirmed.push({ ...candidate, state: "skipped", reason: phrase`you did not add it.` })
  }
  return confirmed
}

function disabledServer(
  t: Translate,
  candidate: Extract<Candidate, { state: "import" }>,
  target: Extract<Target, { op: "server" }>,
): Candidate {
  const note = [t`stored as disabled`, ...(candidate.note === null ? [] : [t.text(candidate.note)])].join("; ")
  return { ...candidate, target: { ...target, server: { ...target.server, disabled: true } }, note }
}

/** The command line, or the address. */
function lineOf({ command, args, url }: Readonly<Record<string, unknown>>): string {
  return printableLine([command ?? url, ...(Array.isArray(args) ? args : [])].map(String).join(" "))
}

/** The user's home, and folders of agents named by variables. */
function foldersOfUser({ env, userHome }: Services): readonly string[] {
  const variables = ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "PI_CODING_AGENT_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"]
  const named = variables.flatMap((variable) => env[variable] || [])
  return [userHome, ...named].map(realOf)
}
