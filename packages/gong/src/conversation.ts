import { basename } from "node:path"
import { exitStatus } from "./command-line/exit.ts"
import type { Options } from "./command-line/flags.ts"
import { specOf } from "./command-line/spec-of.ts"
import type { SessionSpec } from "@gong/config/session-spec"
import type { SettingValues } from "@gong/config/settings/schema"
import type { SessionController } from "@gong/app/controller/api"
import type { Painter } from "./modes/painter.ts"
import { extensionRenderer } from "./modes/render-call.ts"
import { exitStatusIn } from "./commands/process-exit.ts"
import type { Dialogs } from "./modes/dialogs.ts"
import { notificationBytes } from "./terminal/attention.ts"
import { screenOptions, screenSettings } from "./terminal-screen.ts"
import { themeStyle } from "./terminal/theme-style.ts"
import type { Wanted } from "./open-conversation.ts"
import type { Cli } from "./cli.ts"

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
  const { screen } = await import("./modes/tui/run.ts")
  const device = screenOptions(cli, options, settings)
  const ownStatus = settings["terminal.statusLine"]
  const current: { controller: SessionController | null } = { controller: null }
  const shown = {
    ...device,
    ...frontendOptions(cli, () => current.controller),
    head: `Gong ${cli.version} · ${cli.cwd}`,
    statusLine: ownStatus === null ? null : (facts: object) => printedStatus(cli, ownStatus, facts),
    clipboardImage: async () => (await import("./commands/clipboard-image.ts")).clipboardImage(cli),
    notification: (text: string) => (settings["terminal.notify"] ? notificationBytes(text, cli.env) : ""),
    title: (isRunning: boolean) => (device.hasTitle ? `${basename(cli.cwd)}${isRunning ? " ..." : ""} · gong` : null),
    edit: async (text: string) => (await import("./terminal/external-editor.ts")).editExternally(text, cli.env),
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

async function printedStatus(cli: Cli, command: string, facts: object): Promise<string | null> {
  const { statusLine } = await import("./terminal/status-line.ts")
  return statusLine(cli, command, { cwd: cli.cwd, ...facts })
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
