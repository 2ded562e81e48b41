import type { SessionSpec } from "@gong/config/session-spec"
import { didYouMean } from "@gong/config/usage"
import { colorCode, depthOf } from "@gong/texts/colors"
import { createStyle, type Role, type Style } from "@gong/texts/style"
import { type RoleColors, type Theme, themeFile } from "@gong/resources/themes/theme"
import type { Services } from "../../services.ts"
import { readConfig } from "../config.ts"
import { readResources } from "./resources.ts"

/** A terminal with its default style. */
export interface StyledTerminal {
  readonly style: Style
  readonly outIsTerminal: boolean
}

/** The styles of a theme; `light`: on a light background, the same one if the theme makes no difference. */
export interface ThemeStyles {
  readonly dark: Style
  readonly light: Style
}

/**
 * The styles of this terminal with the selected theme. A missing or unreadable theme is reported, and the default style is used.
 */
export async function chosenStyles(services: Services & StyledTerminal, spec: SessionSpec): Promise<ThemeStyles> {
  const { style, outIsTerminal } = services
  const unchanged = { dark: style, light: style }
  if (!outIsTerminal) return unchanged
  const config = await readConfig(services, spec)
  const selected = config.ok ? config.value.settings.values.theme : null
  if (!config.ok || selected === null) return unchanged
  const resources = await readResources(services, spec, config.value)
  const themes = resources.ok ? resources.value.themes : []
  const theme = findTheme(themes, selected, services.userHome)
  if (theme === undefined) {
    const near = didYouMean(
      selected,
      themes.map(({ name }) => name),
    )
    services.warn(services.t`gong: there is no theme "${selected}".${near} gong doctor lists all themes.`)
    return unchanged
  }
  return themeStyles(services, theme)
}

export function themeStyles(
  { env }: Pick<Services, "env">,
  { colors, light }: Pick<Theme, "colors" | "light">,
): ThemeStyles {
  const styled = (some: RoleColors): Style => createStyle({ terminal: true, env, colors: codesOf(some, env) })
  const dark = styled(colors)
  return { dark, light: Object.keys(light).length > 0 ? styled({ ...colors, ...light }) : dark }
}

/** The theme with this name or file. */
export function findTheme(themes: readonly Theme[], selected: string | null, userHome: string): Theme | undefined {
  const file = themeFile(selected, userHome)
  return themes.find(({ name, location }) => (file === null ? name === selected : location === file))
}

function codesOf(colors: RoleColors, env: Services["env"]): Readonly<Partial<Record<Role, string>>> {
  const depth = depthOf(env)
  return Object.fromEntries(Object.entries(colors).map(([role, color]) => [role, colorCode(color, depth)]))
}
