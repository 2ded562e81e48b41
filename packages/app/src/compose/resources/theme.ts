import type { SessionSpec } from "@gong/config/session-spec"
import { didYouMean } from "@gong/config/usage"
import { colorCode, depthOf } from "@gong/texts/colors"
import { createStyle, type Role, type Style } from "@gong/texts/style"
import { type Theme, themeFile } from "@gong/resources/themes/theme"
import type { Services } from "../../services.ts"
import { readConfig } from "../config.ts"
import { readResources } from "./resources.ts"

/** A terminal with its usual style. */
export interface StyledTerminal {
  readonly style: Style
  readonly outIsTerminal: boolean
}

/**
 * The style of this terminal in the colours that its user chose. A theme that is not there, or cannot be read, changes
 * nothing and is said: colours are no reason to do nothing.
 */
export async function chosenStyle(services: Services & StyledTerminal, spec: SessionSpec): Promise<Style> {
  const { style, env, outIsTerminal } = services
  if (!outIsTerminal) return style
  const config = await readConfig(services, spec)
  const wanted = config.ok ? config.value.settings.values.theme : null
  if (!config.ok || wanted === null) return style
  const resources = await readResources(services, spec, config.value)
  const themes = resources.ok ? resources.value.themes : []
  const theme = findTheme(themes, wanted, services.userHome)
  if (theme === undefined) {
    const near = didYouMean(
      wanted,
      themes.map(({ name }) => name),
    )
    services.warn(services.t`gong: there is no theme "${wanted}".${near} gong doctor lists those that there are.`)
    return style
  }
  return createStyle({ terminal: true, env, colors: codesOf(theme, services) })
}

/** By its name, or by its file. */
export function findTheme(themes: readonly Theme[], wanted: string | null, userHome: string): Theme | undefined {
  const file = themeFile(wanted, userHome)
  return themes.find(({ name, location }) => (file === null ? name === wanted : location === file))
}

function codesOf({ colors }: Theme, { env }: Services): Readonly<Partial<Record<Role, string>>> {
  const depth = depthOf(env)
  return Object.fromEntries(Object.entries(colors).map(([role, color]) => [role, colorCode(color, depth)]))
}
