import { phrase } from "@gong/spec"
import { readConfig } from "../compose/config.ts"
import { config, shown } from "../administration/settings.ts"
import { settingNames, settingOf } from "@gong/config/settings/schema"
import { attempt, codeOf, must, type Outcome, usage } from "@gong/config/usage"
import type { ControllerContext } from "../controller/api.ts"

export interface SettingRow {
  readonly name: string
  readonly value: string
  /** Its source, or `default`. */
  readonly origin: string
  readonly about: string
}

/** All settings with their current values, in the order of the table. */
export function settingRows({ services, spec }: ControllerContext): Promise<Outcome<readonly SettingRow[]>> {
  return attempt(async () => {
    const { settings } = must(await readConfig(services, spec))
    return settingNames.map((name) => ({
      name,
      value: shown(settings.values[name]),
      origin: settings.origins[name],
      about: settingOf(name).about,
    }))
  })
}

/** Like `gong config set`; returns its output. */
export async function setSetting(
  { services, spec }: ControllerContext,
  name: string,
  text: string,
): Promise<Outcome<string>> {
  try {
    return await config(services, spec, ["set", name, text])
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error
    return usage(phrase`the settings cannot be written (${codeOf(error)}).`)
  }
}
