import { join } from "node:path"
import type { Options } from "./command-line/flags.ts"
import { specOf } from "./command-line/spec-of.ts"
import { homeFolder } from "@gong/config/home"
import { readUserSettings } from "@gong/config/settings/read"
import { resolveSettings } from "@gong/config/settings/resolve"
import type { SettingValues } from "@gong/config/settings/schema"
import { measureAmbiguousAsWide } from "@gong/screen/cells"
import { languageOf } from "@gong/texts/language"
import type { Translate } from "@gong/texts/translator"
import { createKeymap, type KeyProblem } from "./modes/tui/input/keymap.ts"
import { abilitiesOf } from "./terminal/abilities.ts"
import { modesOff } from "./terminal/modes.ts"
import { repairTerminal } from "./terminal/raw-mark.ts"
import { themeStyle } from "./terminal/theme-style.ts"
import { openTty, type TtyEvents } from "./terminal/tty.ts"
import type { Cli } from "./cli.ts"

const SCREEN_MIN_COLUMNS = 20

/** Settings of the screen. Null: a terminal that is too narrow, or understands no control sequences, gets lines. Sets the language. */
export async function screenSettings(cli: Cli, options: Options): Promise<SettingValues | null> {
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

/** What every view of this terminal needs. Repairs the terminal if the last Gong in it was killed. */
export function screenOptions(cli: Cli, options: Options, settings: SettingValues) {
  const { keymap, problems } = createKeymap(settings["terminal.keys"])
  const marks = join(homeFolder(cli.env, cli.userHome, cli.cwd), "terminals")
  if (repairTerminal(marks)) {
    cli.styled(modesOff)
    // At its exit Node sets the modes again that it found.
    cli.restart()
  }
  measureAmbiguousAsWide(settings["terminal.wideAmbiguous"])
  const abilities = abilitiesOf(cli.env)
  return {
    t: cli.t,
    clock: cli.clock,
    ...abilities,
    hasTitle: settings["terminal.title"] && abilities.hasTitle,
    images: settings["terminal.images"] ? abilities.images : null,
    keymap,
    hasVim: settings["terminal.vim"],
    theme: themeStyle(cli, specOf(options, true)),
    openTty: (events: TtyEvents) => openTty({ ...cli, path: cli.env["PATH"] ?? "" }, events, marks),
    capture: cli.capture,
    onShutdown: cli.onShutdown,
    problems: problems.map((problem) => keyProblem(cli.t, problem)),
  }
}

function keyProblem(t: Translate, problem: KeyProblem): string {
  if (problem.kind === "unknown")
    return t`gong: terminal.keys: there is no action ${problem.action}; docs/terminal.md lists them.`
  return t`gong: terminal.keys: ${problem.key} is a key of two actions, ${problem.actions.join(", ")}; the first one has it.`
}
