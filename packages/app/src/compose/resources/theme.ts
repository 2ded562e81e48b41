import type { SessionSpec } from "@gong/config/session-spec"
import { didYouMean } from "@gong/config/usage"
import { colorCode, depthOf } from "@gong/texts/colors"
import { createStyle, type Role, type Style } from "@gong/texts/style"
import { type Theme, themeFile } from "@gong/resources/themes/theme"
import type { Services } from "../../services.ts"
import { readConfig } from "../config.ts"
import { readResources } from "./resources.ts"

/** A terminal with its default style. */
export interface StyledTerminal {
  readonly style: Style
  readonly outIsTerminal: boolean
}

/**
 * The style of this terminal with the selected theme. A missing or unreadable theme is reported, and the default style is used.
 */
export async function chosenStyle(services: Services & StyledTerminal, spec: SessionSpec): Promise<Style> {
  const { style, env, outIsTerminal } = services
  if (!outIsTerminal) return style
  const config = await readConfig(services, spec)
  const selected = config.ok ? config.value.settings.values.theme : null
  if (!config.ok || selected === null) return style
  const resources = await readResources(services, spec, config.value)
  const themes = resources.ok ? resources.value.themes : []
  const theme = findTheme(themes, selected, services.userHome)
  if (theme === undefined) {
    const near = didYouMean(
      selected,
      themes.map(({ name }) => name),
    )
    services.warn(services.t`gong: there is no theme "${selected}".${near} gong doctor lists all themes.`)
    return style
  }
  return createStyle({ terminal: true, env, colors: codesOf(theme, services) })
}

/** The theme with this name or file. */
export function findTheme(themes: readonly Theme[], selected: string | null, userHome: string): Theme | undefined {
  const file = themeFile(selected, userHome)
  return themes.find(({ name, location }) => (file === null ? name === selected : location === file))
}

function codesOf({ colors }: Theme, { env }: Services): Readonly<Partial<Record<Role, string>>> {
  const depth = depthOf(env)
  return Object.fromEntries(Object.entries(colors).map(([role, color]) => [role, colorCode(color, depth)]))
}
