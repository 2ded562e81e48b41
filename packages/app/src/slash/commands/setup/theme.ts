import { nearest } from "@gong/spec"
import { hasLightBackground } from "@gong/texts/colors"
import { roleNames } from "@gong/texts/style"
import { findTheme, themeStyles } from "../../../compose/resources/theme.ts"
import type { ControllerState } from "../../../controller/api.ts"
import { usageErrorOutput, output, type SlashCommand } from "../../command.ts"
import { changeSetting, settingRows } from "../../setting-rows.ts"

/** The colours of the terminal itself. */
const DEFAULT = "default"

export const theme: SlashCommand = {
  name: "theme",
  about: "select the colours of the terminal",
  value: "[NAME]",
  complete: async ({ controller }) => namesOf(controller).map((value) => ({ value })),
  async run(context, name) {
    const { t, controller, user } = context
    const rows = await settingRows(controller)
    if (!rows.ok) return usageErrorOutput(t, rows)
    const names = namesOf(controller)
    if (name !== "" && !names.includes(name)) {
      const near = nearest(name, names)
      return output([
        t`There is no theme ${name}.${near === null ? "" : t` Did you mean ${near}?`} docs/settings.md shows how to write one.`,
      ])
    }
    const value = rows.value.find((row) => row.name === "theme")?.value ?? "-"
    const { name: current = DEFAULT } = findTheme(themesOf(controller), value, controller.services.userHome) ?? {}
    const shown = names.map((one) => (one === current ? t`${one} (in use)` : one))
    const options = { at: names.indexOf(current), preview: async (at: number) => sample(controller, names[at] ?? "") }
    const picked = name === "" ? await user.choose(t`Which colours?`, shown, options) : names.indexOf(name)
    const chosen = picked === null ? undefined : names[picked]
    if (chosen === undefined) return output([t`Nothing has changed.`], { themes: names, theme: current })
    return changeSetting(context, "theme", chosen === DEFAULT ? null : chosen)
  },
}

function themesOf({ current }: ControllerState) {
  return current.resources.themes
}

function namesOf(controller: ControllerState): readonly string[] {
  return [DEFAULT, ...themesOf(controller).map(({ name }) => name)]
}

/** Names of kinds of text in their colours. */
const SAMPLES_PER_LINE = 8

function sample(controller: ControllerState, name: string): readonly string[] {
  const { services } = controller
  const found = themesOf(controller).find((one) => one.name === name) ?? { colors: {}, light: {} }
  const { dark, light } = themeStyles(services, found)
  const style = hasLightBackground(services.env) ? light : dark
  const words = roleNames.map((role) => style[role](role))
  return [words.slice(0, SAMPLES_PER_LINE), words.slice(SAMPLES_PER_LINE)].map((line) => line.join(" "))
}
