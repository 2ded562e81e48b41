import { readdirSync } from "node:fs"
import { dirname } from "node:path"
import { type OpenedSession, openSession } from "@gong/app/compose/open-session"
import { findLocalServers } from "@gong/app/compose/models/local-model"
import { readConfig } from "@gong/app/compose/config"
import { readInput, withStdinKey } from "./input.ts"
import { openTransport } from "@gong/app/compose/network/transport"
import { askTrust } from "./commands/trust/ask.ts"
import type { Options } from "./command-line/flags.ts"
import { specOf } from "./command-line/spec-of.ts"
import { printUsageError } from "./command-line/usage-error.ts"
import type { SessionSpec } from "@gong/config/session-spec"
import type { Outcome } from "@gong/config/usage"
import { setUpModel, type SetupResult } from "./model-setup.ts"
import type { SessionController } from "@gong/app/controller/api"
import { createController } from "@gong/app/controller/controller"
import type { PromptInput } from "@gong/app/controller/prompt-input"
import { recapLines, recapOf } from "@gong/app/recap"
import { unseenImages } from "@gong/app/controller/unseen-images"
import { sessionSummary } from "./commands/session-summary.ts"
import { abortOnShutdown, exitStatusIn } from "./commands/process-exit.ts"
import type { Dialogs } from "./modes/dialogs.ts"
import type { Cli } from "./cli.ts"
import { wrapLine } from "./terminal/word-wrap.ts"
import type { Translate } from "@gong/texts/translator"

/** The request for a conversation. */
export interface Wanted {
  readonly cli: Cli
  readonly options: Options
  readonly words: readonly string[]
}

/** A conversation whose session is open. */
export interface Conversation {
  readonly controller: SessionController
  readonly first: PromptInput | null
  /** The workspace, and the model with its limits. */
  readonly title: readonly [workspace: string, summary: string]
  /** Further lines shown at the start. */
  readonly intro: readonly string[]
}

/** Opens the session. What is missing or has to be decided is asked for: trust in the folder, a model. */
export async function openConversation(
  { cli, options, words }: Wanted,
  dialogs: Dialogs,
): Promise<Conversation | { readonly exit: number }> {
  const first = words.length === 0 ? null : await readInput(cli, cli.clock, options, words)
  if (first && !first.ok) return { exit: printUsageError(cli, first.error) }
  await askTrust(cli, options, dialogs)
  let spec = specOf(options, true)
  let opened = await openWithKey(cli, spec)
  if (!opened.ok && opened.error.noModel) {
    const setup = await runSetup(cli, options, dialogs)
    if ("exit" in setup) return setup
    spec = specOf(setup.options, true)
    opened = await openWithKey(cli, spec)
  }
  if (!opened.ok) return { exit: printUsageError(cli, opened.error) }
  const controller = createController({ services: cli, spec, exitOf: exitStatusIn(cli) }, opened.value)
  abortOnShutdown(cli, controller)
  let shown = opened.value.session.id
  controller.listen({
    opened(next) {
      // A reload opens the same session again.
      printOpened(cli, next, next.session.id === shown ? [] : recap(cli.t, next))
      shown = next.session.id
    },
  })
  const message = first?.value ?? null
  const title = [opened.value.info.workspace, sessionSummary(cli.t, opened.value)] as const
  return { controller, first: message, title, intro: introLines(cli, opened.value, message) }
}

/** Columns at which lines are broken; Infinity without a terminal. */
export function columnsOf(cli: Cli): number {
  return cli.outIsTerminal ? cli.columns : Infinity
}

async function openWithKey(cli: Cli, wanted: SessionSpec): Promise<Outcome<OpenedSession>> {
  const spec = await withStdinKey(cli, wanted)
  return spec.ok ? openSession(spec.value, cli, { defersServers: true }) : spec
}

function introLines(cli: Cli, app: OpenedSession, first: PromptInput | null): readonly string[] {
  return [
    ...app.lines,
    ...(first ? unseenImages(cli.t, app.chosen.model, first) : []),
    ...(isFirstSession(app.info) ? [helpLine(cli.t, app.info)] : []),
    ...recap(cli.t, app),
  ]
}

/** Names the current model, which may differ from the one that the session was opened with. */
function printOpened(cli: Cli, { chosen, info, session, lines }: OpenedSession, more: readonly string[]): void {
  const { provider, id } = session.selection.provider.model
  const { t, err } = cli
  const now = { ...info, model: `${provider}/${id}`, permission: session.permission }
  const line = `${info.resumed ? "" : t`New session · `}${sessionSummary(t, { chosen, info: now })}`
  for (const text of [line, ...lines, ...more]) err(`${wrapLine(text, columnsOf(cli))}\n`)
}

/** Where a resumed session stands. */
function recap(t: Translate, { info, session }: Pick<OpenedSession, "info" | "session">): readonly string[] {
  const found = info.resumed ? recapOf(session.history) : null
  return found === null ? [] : recapLines(t, found)
}

/** Problems of the settings were already printed when the session could not be opened. */
async function runSetup(cli: Cli, options: Options, dialogs: Dialogs): Promise<SetupResult> {
  const config = await readConfig(cli, options)
  if (!config.ok) return { exit: config.error.exit }
  const transport = openTransport(cli, config.value.settings)
  try {
    const local = await findLocalServers(config.value, transport, cli.env)
    return await setUpModel(cli, options, dialogs, transport, local)
  } finally {
    transport.close()
  }
}

/** The help is shown as long as there is no other session. */
function isFirstSession({ tape }: OpenedSession["info"]): boolean {
  try {
    return tape === null || readdirSync(dirname(tape)).filter((name) => !name.startsWith(".")).length <= 1
  } catch {
    return true
  }
}

function helpLine(t: Translate, { workspace, permission, sandbox }: OpenedSession["info"]): string {
  return t`${permissionText(t, workspace, permission, sandbox.mode)} Ctrl+C stops, /undo undoes file changes, /help lists all commands, Ctrl+D exits.`
}

function permissionText(t: Translate, workspace: string, permission: string, sandbox: string): string {
  if (permission === "full") return t`Everything runs without asking.`
  if (permission === "plan") return t`Nothing in ${workspace} is changed.`
  if (permission === "ask") return t`Reading in ${workspace} needs no permission; changes need permission.`
  return sandbox === "off"
    ? t`Edits inside ${workspace} run without asking; everything else needs permission.`
    : t`Edits and commands inside ${workspace} run without asking; everything else needs permission.`
}
