import { phrase, piAgentFolder, workspaceName } from "@gong/spec"
import { type Config, readConfig } from "@gong/app/compose/config"
import { storageOf, type TapeStorage } from "@gong/app/compose/tapes/storage"
import type { Services } from "@gong/app/services"
import { prepareHome } from "@gong/config/home"
import { alternatives, attempt, must, type Outcome, usage } from "@gong/config/usage"
import type { ImportOptions } from "../options.ts"
import { realOf } from "../context.ts"
import { type Conversation, countsOf, sessionOf } from "./conversation.ts"
import { type Found, type Places, sessionSources } from "./sources.ts"
import type { SessionOutcome } from "./outcome.ts"
import { sessionsJson, sessionsSummary } from "./summary.ts"

/**
 * `gong import --from AGENT --sessions [--project] [--dry-run] [--json]`: imports the conversations of another agent, with
 * `--project` those of this repository. Files of the other agent are only read. A conversation keeps its id, so it is imported
 * once.
 */
export function importSessions(services: Services, options: ImportOptions): Promise<Outcome<string>> {
  return attempt(async () => {
    const { from } = options
    if (from === "pi") return must(usage(piFiles))
    if (from === undefined || !(from in sessionSources)) return must(usage(whichAgent))
    const config = must(await readConfig(services, options))
    const storage = storageOf(services, config)
    const source = sessionSources[from as keyof typeof sessionSources]
    const places = placesOf(services, config)
    const dry = options.dryRun === true
    if (!dry) must(prepareHome(config.home))
    const stored = new Set((await storage.sessions.list()).sessions.map(({ id }) => id))
    const done: SessionOutcome[] = []
    for await (const found of source.conversations(places)) {
      if (options.project === true && !isOf(found, config)) continue
      done.push(await take(found, { storage, stored, dry }))
    }
    if (done.length === 0) {
      const searched = alternatives(source.folders(places))
      return must(usage(phrase`no conversations were found in ${searched}.`))
    }
    if (options.json === true) return sessionsJson(done, from, dry)
    return sessionsSummary(services.t, done, { dry, userHome: services.userHome })
  })
}

const piFiles = phrase`conversations of Pi are imported one by one: gong sessions import FILE (~/${piAgentFolder}/sessions).`
const whichAgent = phrase`which agent? gong import --sessions --from ${"claude|codex|opencode|gemini"}`

function placesOf({ env, userHome }: Services, { workspace }: Config): Places {
  return {
    env,
    userHome,
    folders: [...new Set([workspace.folder, workspace.cwd].flatMap((folder) => [folder, realOf(folder)]))],
  }
}

/** Whether a conversation took place in this repository. */
function isOf(found: Found, { workspace }: Config): boolean {
  const cwd = "conversation" in found ? found.conversation.cwd : null
  return cwd !== null && (cwd === workspace.folder || cwd.startsWith(`${workspace.folder}/`))
}

interface Taking {
  readonly storage: TapeStorage
  /** Ids of the stored sessions; grows. */
  readonly stored: Set<string>
  readonly dry: boolean
}

async function take(found: Found, { storage, stored, dry }: Taking): Promise<SessionOutcome> {
  if (!("conversation" in found)) return { ...nothing, file: found.file, state: "skipped", reason: found.reason }
  const { conversation } = found
  const reason = reasonAgainst(conversation)
  const outcome = outcomeOf(conversation)
  if (reason !== null) return { ...outcome, state: "skipped", reason }
  if (stored.has(conversation.id)) return { ...outcome, state: "present", reason: null }
  stored.add(conversation.id)
  if (!dry) {
    const session = sessionOf(conversation, storage.ids, storage.workspace.cwd)
    await storage.sessions.import({ ...session, workspace: workspaceOf(session.workspace, storage) })
  }
  return { ...outcome, state: "import", reason: null }
}

/** A subfolder of this repository belongs to it. */
function workspaceOf(cwd: string, { workspace }: TapeStorage): string {
  return cwd.startsWith(`${workspace.folder}/`) ? workspaceName({ workspace: workspace.folder }) : cwd
}

const nothing = {
  id: null,
  cwd: null,
  title: null,
  created: null,
  untaken: {},
  messages: 0,
  calls: 0,
  images: 0,
  branches: 0,
}

function outcomeOf(conversation: Conversation) {
  const { id, file, cwd, title, steps, untaken } = conversation
  const first = steps
    .find(({ message }) => message.role === "user")
    ?.message.content.find(({ type }) => type === "text")
  const named = title ?? (first?.type === "text" ? first.text : null)
  return { id, file, cwd, title: named, created: steps[0]?.time ?? null, untaken, ...countsOf(conversation) }
}

function reasonAgainst({ id, steps }: Conversation): "empty" | "invalid" | null {
  if (!steps.some(({ message }) => message.role === "user")) return "empty"
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(id) ? null : "invalid"
}
