import { basename, join } from "node:path"
import { exitStatus } from "./command-line/exit.ts"
import type { Options } from "./command-line/flags.ts"
import { specOf } from "./command-line/spec-of.ts"
import { homeFolder } from "@gong/config/home"
import type { SessionSpec } from "@gong/config/session-spec"
import { readUserSettings } from "@gong/config/settings/read"
import { resolveSettings } from "@gong/config/settings/resolve"
import type { SettingValues } from "@gong/config/settings/schema"
import type { SessionController } from "@gong/app/controller/api"
import type { KeyProblem } from "./modes/tui/input/keymap.ts"
import type { Painter } from "./modes/painter.ts"
import { extensionRenderer } from "./modes/render-call.ts"
import { exitStatusIn } from "./commands/process-exit.ts"
import type { Dialogs } from "./modes/dialogs.ts"
import { abilitiesOf } from "./terminal/abilities.ts"
import { notificationBytes } from "./terminal/attention.ts"
import { repairTerminal } from "./terminal/raw-mark.ts"
import { modesOff } from "./terminal/modes.ts"
import { themeStyle } from "./terminal/theme-style.ts"
import { openTty, type TtyEvents } from "./terminal/tty.ts"
import type { Wanted } from "./open-conversation.ts"
import type { Cli } from "./cli.ts"
import type { Translate } from "@gong/texts/translator"
import { languageOf } from "@gong/texts/language"

/** Runs a conversation at a terminal. Returns the exit status. */
export async function runConversation(cli: Cli, options: Options, words: readonly string[]): Promise<number> {
  const wanted = { cli, options, words }
  const settings = await screenSettings(cli, options)
  return settings === null ? byLines(wanted) : onScreen(wanted, settings)
}

async function byLines(wanted: Wanted): Promise<number> {
  const { cli } = wanted
  const [{ lineReader }, { lineDialogs }, { plain }, { columnsOf, openConversation }] = await Promise.all([
    import("./terminal/lines.ts"),
    import("./modes/plain/line-dialogs.ts"),
    import("./modes/plain/plain.ts"),
    import("./open-conversation.ts"),
  ])
  const lines = lineReader(cli.openStdin(), cli.openStdout(), {
    clock: cli.clock,
    marksPastes: cli.env["TERM"] !== "dumb",
  })
  cli.onShutdown(() => lines.close())
  const opened = await openConversation(wanted, lineDialogs(lines, cli))
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
async function onScreen(wanted: Wanted, settings: SettingValues): Promise<number> {
  const { cli, options } = wanted
  const [{ screen }, { createKeymap }] = await Promise.all([
    import("./modes/tui/run.ts"),
    import("./modes/tui/input/keymap.ts"),
  ])
  const { keymap, problems } = createKeymap(settings["terminal.keys"])
  const marks = join(homeFolder(cli.env, cli.userHome, cli.cwd), "terminals")
  if (repairTerminal(marks)) {
    cli.styled(modesOff)
    // At its exit Node sets the modes again that it found.
    cli.restart()
  }
  const ownStatus = settings["terminal.statusLine"]
  const abilities = abilitiesOf(cli.env)
  const hasTitle = settings["terminal.title"] && abilities.hasTitle
  const current: { controller: SessionController | null } = { controller: null }
  const shown = {
    ...frontendOptions(cli, () => current.controller),
    t: cli.t,
    head: `Gong ${cli.version} · ${cli.cwd}`,
    ...abilities,
    images: settings["terminal.images"] ? abilities.images : null,
    keymap,
    hasVim: settings["terminal.vim"],
    theme: themeStyle(cli, specOf(options, true)),
    openTty: (events: TtyEvents) => openTty({ ...cli, path: cli.env["PATH"] ?? "" }, events, marks),
    statusLine: ownStatus === null ? null : (facts: object) => printedStatus(cli, ownStatus, facts),
    clipboardImage: async () => (await import("./commands/clipboard-image.ts")).clipboardImage(cli),
    notification: (text: string) => (settings["terminal.notify"] ? notificationBytes(text, cli.env) : ""),
    title: (isRunning: boolean) => (hasTitle ? `${basename(cli.cwd)}${isRunning ? " ..." : ""} · gong` : null),
    edit: async (text: string) => (await import("./terminal/external-editor.ts")).editExternally(text, cli.env),
    capture: cli.capture,
    onShutdown: cli.onShutdown,
    problems: problems.map((problem) => keyProblem(cli.t, problem)),
    async open(dialogs: Dialogs) {
      const { openConversation } = await import("./open-conversation.ts")
      const opened = await openConversation(wanted, dialogs)
      if ("exit" in opened) return opened
      current.controller = opened.controller
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

function frontendOptions(cli: Cli, current: () => SessionController | null) {
  return {
    render: extensionRenderer(cli, () => current()?.current.resources.extensions.renderers ?? noRenderers),
    exitOf: exitStatusIn(cli),
    clock: cli.clock,
    copy: async (text: string, write?: (bytes: string) => void) =>
      (await import("./commands/clipboard.ts")).toClipboard(cli, text, write),
  }
}

const noRenderers = new Map<string, never>()

const SCREEN_MIN_COLUMNS = 20

/** Settings of the screen. Null: a terminal that is too narrow, or understands no control sequences, gets lines. Sets the language. */
async function screenSettings(cli: Cli, options: Options): Promise<SettingValues | null> {
  // Windows has no TERM.
  const isDumb = cli.platform !== "win32" && ["", "dumb"].includes(cli.env["TERM"] ?? "")
  const isTerminal = cli.outIsTerminal && cli.stdin === "terminal" && !isDumb
  if (options.plain === true || !isTerminal || cli.columns < SCREEN_MIN_COLUMNS) return null
  const spec = specOf(options, true)
  const user = options.bare === true ? null : await readUserSettings(homeFolder(cli.env, cli.userHome, cli.cwd))
  // Unreadable settings are reported when the session is opened.
  const file = user?.ok === true ? user.value : null
  const settings = resolveSettings({ spec, env: cli.env, user: file, project: null })
  if (!settings.ok || settings.value.values["terminal.view"] !== "screen") return null
  await cli.setLocale(languageOf(settings.value.values.language, cli.env))
  return settings.value.values
}

async function printedStatus(cli: Cli, command: string, facts: object): Promise<string | null> {
  const { statusLine } = await import("./terminal/status-line.ts")
  return statusLine(cli, command, { cwd: cli.cwd, ...facts })
}

function keyProblem(t: Translate, problem: KeyProblem): string {
  if (problem.kind === "unknown")
    return t`gong: terminal.keys: there is no action ${problem.action}; docs/terminal.md lists them.`
  return t`gong: terminal.keys: ${problem.key} is a key of two actions, ${problem.actions.join(", ")}; the first one has it.`
}

/** The theme is loaded meanwhile; until then the default colours are used. */
function painterOf(cli: Cli, spec: SessionSpec): Painter | null {
  if (!cli.outIsTerminal || !cli.errIsTerminal) return null
  const theme = themeStyle(cli, spec)
  theme.load()
  return {
    get style() {
      return theme.style
    },
    out: cli.styled,
    err: cli.styledErr,
  }
}
