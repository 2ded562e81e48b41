import { readdirSync } from "node:fs"
import { dirname } from "node:path"
import { type OpenedSession, openSession } from "@gong/app/compose/open-session"
import { findLocalServers } from "@gong/app/compose/models/local-model"
import { readConfig } from "@gong/app/compose/config"
import { readInput, withStdinKey } from "./input.ts"
import { openTransport } from "@gong/app/compose/network/transport"
import { askTrust } from "./commands/trust/ask.ts"
import { exitStatus } from "./command-line/exit.ts"
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
import { plain } from "./modes/plain.ts"
import type { Painter } from "./modes/painter.ts"
import { extensionRenderer } from "./modes/render-call.ts"
import { sessionSummary } from "./commands/session-summary.ts"
import { abortOnShutdown, exitStatusIn } from "./commands/process-exit.ts"
import { lineReader, type LineReader } from "./terminal/lines.ts"
import { openTty } from "./terminal/tty.ts"
import type { Cli } from "./cli.ts"
import { wrapLine } from "./terminal/word-wrap.ts"
import type { Translate } from "@gong/texts/translator"

/** Runs a conversation at a terminal. Returns the exit status. */
export async function runConversation(cli: Cli, options: Options, words: readonly string[]): Promise<number> {
  const first = words.length === 0 ? null : await readInput(cli, cli.clock, options, words)
  if (first && !first.ok) return printUsageError(cli, first.error)
  const lines = lineReader(cli.openStdin(), cli.openStdout(), {
    clock: cli.clock,
    marksPastes: cli.env["TERM"] !== "dumb",
  })
  await askTrust(cli, options, lines)
  let spec = specOf(options, true)
  let opened = await openWithKey(cli, spec)
  if (!opened.ok && opened.error.noModel) {
    const setup = await runSetup(cli, options, lines)
    if ("exit" in setup) {
      lines.close()
      return setup.exit
    }
    spec = specOf(setup.options, true)
    opened = await openWithKey(cli, spec)
  }
  if (!opened.ok) {
    lines.close()
    return printUsageError(cli, opened.error)
  }
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
  const isScreen = await usesScreen(cli, options, spec)
  let exit = 1
  let isStored = false
  try {
    const given = first?.value ?? null
    const intro = introLines(cli, opened.value, given)
    exit = await (isScreen ? onScreen : byLines)({ cli, spec, controller, lines, first: given, intro })
  } finally {
    isStored = await controller.shutdown()
  }
  if (cli.shutdown !== null) return exitStatus({ status: "interrupted" }, cli.shutdown)
  return isStored ? exit : exit || 1
}

interface Conversation {
  readonly cli: Cli
  readonly spec: SessionSpec
  readonly controller: SessionController
  readonly lines: LineReader
  readonly first: PromptInput | null
  readonly intro: readonly string[]
}

function byLines({ cli, spec, controller, lines, first, intro }: Conversation): Promise<number> {
  cli.onShutdown(() => lines.close())
  return plain(controller, cli, lines, {
    ...frontendOptions(cli, controller),
    first,
    intro,
    painter: painterOf(cli, spec),
    columns: () => columnsOf(cli),
  })
}

async function onScreen({ cli, spec, controller, lines, first, intro }: Conversation): Promise<number> {
  lines.close()
  const painter = painterOf(cli, spec)
  const { screen } = await import("./modes/tui/run.ts")
  return screen(controller, {
    ...frontendOptions(cli, controller),
    t: cli.t,
    first,
    intro,
    reflows: reflows(cli.env),
    style: () => painter?.style ?? cli.style,
    openTty: (events) => openTty(cli, events),
    capture: cli.capture,
    onShutdown: cli.onShutdown,
  })
}

function frontendOptions(cli: Cli, controller: SessionController) {
  return {
    render: extensionRenderer(cli, () => controller.current.resources.extensions.renderers),
    exitOf: exitStatusIn(cli),
    clock: cli.clock,
    copy: async (text: string) => (await import("./commands/clipboard.ts")).toClipboard(cli, text),
  }
}

const SCREEN_MIN_COLUMNS = 20

/** A terminal that is too narrow, or understands no control sequences, gets lines. */
async function usesScreen(cli: Cli, { plain: isPlain }: Options, spec: SessionSpec): Promise<boolean> {
  const isTerminal = cli.outIsTerminal && cli.stdin === "terminal" && cli.env["TERM"] !== "dumb"
  if (isPlain === true || !isTerminal || cli.columns < SCREEN_MIN_COLUMNS) return false
  const config = await readConfig(cli, spec)
  return config.ok && config.value.settings.values["terminal.view"] === "screen"
}

/** Whether the terminal breaks its rows anew when its width changes: all but xterm, screen and the console of Linux do. */
function reflows(env: Cli["env"]): boolean {
  if (env["TMUX"] !== undefined) return true
  return env["XTERM_VERSION"] === undefined && !/^(?:screen|linux)/.test(env["TERM"] ?? "")
}

/** The theme is loaded meanwhile; until then the default colours are used. */
function painterOf(cli: Cli, spec: SessionSpec): Painter | null {
  if (!cli.outIsTerminal || !cli.errIsTerminal) return null
  let { style } = cli
  const loaded = import("@gong/app/compose/resources/theme").then(({ chosenStyle }) => chosenStyle(cli, spec))
  loaded.then(
    (chosen) => (style = chosen),
    () => undefined,
  )
  return {
    get style() {
      return style
    },
    out: cli.styled,
    err: cli.styledErr,
  }
}

async function openWithKey(cli: Cli, wanted: SessionSpec): Promise<Outcome<OpenedSession>> {
  const spec = await withStdinKey(cli, wanted)
  return spec.ok ? openSession(spec.value, cli) : spec
}

function introLines(cli: Cli, app: OpenedSession, first: PromptInput | null): readonly string[] {
  return [
    `Gong ${cli.version} · ${app.info.workspace} · ${sessionSummary(cli.t, app)}`,
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

function columnsOf(cli: Cli): number {
  return cli.outIsTerminal ? cli.columns : Infinity
}

/** Where a resumed session stands. */
function recap(t: Translate, { info, session }: Pick<OpenedSession, "info" | "session">): readonly string[] {
  const found = info.resumed ? recapOf(session.history) : null
  return found === null ? [] : recapLines(t, found)
}

/** Problems of the settings were already printed when the session could not be opened. */
async function runSetup(cli: Cli, options: Options, lines: LineReader): Promise<SetupResult> {
  const config = await readConfig(cli, options)
  if (!config.ok) return { exit: config.error.exit }
  const transport = openTransport(cli, config.value.settings)
  try {
    const local = await findLocalServers(config.value, transport, cli.env)
    return await setUpModel(cli, options, lines, transport, local)
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
