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
import { homeFolder } from "@gong/config/home"
import type { SessionSpec } from "@gong/config/session-spec"
import { readUserSettings } from "@gong/config/settings/read"
import { resolveSettings } from "@gong/config/settings/resolve"
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
import { lineReader, type QuestionReader } from "./terminal/lines.ts"
import { openTty, type TtyEvents } from "./terminal/tty.ts"
import type { Cli } from "./cli.ts"
import { wrapLine } from "./terminal/word-wrap.ts"
import { languageOf } from "@gong/texts/language"
import type { Translate } from "@gong/texts/translator"

/** Runs a conversation at a terminal. Returns the exit status. */
export async function runConversation(cli: Cli, options: Options, words: readonly string[]): Promise<number> {
  const wanted = { cli, options, words }
  return (await usesScreen(cli, options)) ? onScreen(wanted) : byLines(wanted)
}

interface Wanted {
  readonly cli: Cli
  readonly options: Options
  readonly words: readonly string[]
}

interface Conversation {
  readonly controller: SessionController
  readonly first: PromptInput | null
  /** The workspace, and the model with its limits. */
  readonly title: readonly [workspace: string, summary: string]
  /** Further lines shown at the start. */
  readonly intro: readonly string[]
}

async function byLines(wanted: Wanted): Promise<number> {
  const { cli } = wanted
  const lines = lineReader(cli.openStdin(), cli.openStdout(), {
    clock: cli.clock,
    marksPastes: cli.env["TERM"] !== "dumb",
  })
  cli.onShutdown(() => lines.close())
  const opened = await openConversation(wanted, lines)
  if ("exit" in opened) {
    lines.close()
    return opened.exit
  }
  const { controller, first, title, intro } = opened
  const options = {
    ...frontendOptions(cli, () => controller),
    first,
    intro: [[`Gong ${cli.version}`, ...title].join(" · "), ...intro],
    painter: painterOf(cli, specOf(wanted.options, true)),
    columns: () => columnsOf(cli),
  }
  return untilShutdown(
    cli,
    () => controller,
    () => plain(controller, cli, lines, options),
  )
}

/** The screen is shown before anything is read or opened; what is typed meanwhile is kept. */
async function onScreen(wanted: Wanted): Promise<number> {
  const { cli, options } = wanted
  const { screen } = await import("./modes/tui/run.ts")
  const current: { controller: SessionController | null; painter: Painter | null } = { controller: null, painter: null }
  const shown = {
    ...frontendOptions(cli, () => current.controller),
    t: cli.t,
    head: `Gong ${cli.version} · ${cli.cwd}`,
    reflows: reflows(cli.env),
    style: () => current.painter?.style ?? cli.style,
    openTty: (events: TtyEvents) => openTty(cli, events),
    capture: cli.capture,
    onShutdown: cli.onShutdown,
    async open(lines: QuestionReader) {
      const opened = await openConversation(wanted, lines)
      if ("exit" in opened) return opened
      current.controller = opened.controller
      current.painter = painterOf(cli, specOf(options, true))
      return { ...opened, intro: [opened.title[1], ...opened.intro] }
    },
  }
  return untilShutdown(
    cli,
    () => current.controller,
    () => screen(shown),
  )
}

/** Runs a frontend, and ends its session. */
async function untilShutdown(
  cli: Cli,
  current: () => SessionController | null,
  run: () => Promise<number>,
): Promise<number> {
  let exit = 1
  let isStored = false
  try {
    exit = await run()
  } finally {
    isStored = (await current()?.shutdown()) ?? true
  }
  if (cli.shutdown !== null) return exitStatus({ status: "interrupted" }, cli.shutdown)
  return isStored ? exit : exit || 1
}

/** Opens the session. What is missing or has to be decided is asked for: trust in the folder, a model. */
async function openConversation(
  { cli, options, words }: Wanted,
  lines: QuestionReader,
): Promise<Conversation | { readonly exit: number }> {
  const first = words.length === 0 ? null : await readInput(cli, cli.clock, options, words)
  if (first && !first.ok) return { exit: printUsageError(cli, first.error) }
  await askTrust(cli, options, lines)
  let spec = specOf(options, true)
  let opened = await openWithKey(cli, spec)
  if (!opened.ok && opened.error.noModel) {
    const setup = await runSetup(cli, options, lines)
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

function frontendOptions(cli: Cli, current: () => SessionController | null) {
  return {
    render: extensionRenderer(cli, () => current()?.current.resources.extensions.renderers ?? noRenderers),
    exitOf: exitStatusIn(cli),
    clock: cli.clock,
    copy: async (text: string) => (await import("./commands/clipboard.ts")).toClipboard(cli, text),
  }
}

const noRenderers = new Map<string, never>()

const SCREEN_MIN_COLUMNS = 20

/** A terminal that is too narrow, or understands no control sequences, gets lines. Sets the language of the screen. */
async function usesScreen(cli: Cli, options: Options): Promise<boolean> {
  const isTerminal = cli.outIsTerminal && cli.stdin === "terminal" && cli.env["TERM"] !== "dumb"
  if (options.plain === true || !isTerminal || cli.columns < SCREEN_MIN_COLUMNS) return false
  const spec = specOf(options, true)
  const user = options.bare === true ? null : await readUserSettings(homeFolder(cli.env, cli.userHome, cli.cwd))
  // Unreadable settings are reported when the session is opened.
  const file = user?.ok === true ? user.value : null
  const settings = resolveSettings({ spec, env: cli.env, user: file, project: null })
  if (!settings.ok || settings.value.values["terminal.view"] !== "screen") return false
  await cli.setLocale(languageOf(settings.value.values.language, cli.env))
  return true
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
async function runSetup(cli: Cli, options: Options, lines: QuestionReader): Promise<SetupResult> {
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
