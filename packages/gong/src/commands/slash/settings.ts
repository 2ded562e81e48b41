import { phrase } from "@gong/spec"
import { readConfig } from "../../build/config.ts"
import type { Options } from "../../config/flags.ts"
import { settingNames, settingOf } from "../../config/settings/schema.ts"
import { attempt, codeOf, must, type Outcome, usage } from "../../config/usage.ts"
import type { SettingRow } from "../../slash/command.ts"
import type { World } from "../../world.ts"
import { config, shown } from "../config.ts"

/** Every setting as it is now, in the order of its table. */
export function settingRows(world: World, options: Options): Promise<Outcome<readonly SettingRow[]>> {
  return attempt(async () => {
    const { settings } = must(await readConfig(world, options))
    return settingNames.map((name) => ({
      name,
      value: shown(settings.values[name]),
      origin: settings.origins[name],
      about: settingOf(name).about,
    }))
  })
}

/** As `gong config set`; gives what it says. */
export async function setSetting(world: World, options: Options, name: string, text: string): Promise<Outcome<string>> {
  try {
    return await config(world, options, ["set", name, text])
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error
    return usage(phrase`the settings cannot be written (${codeOf(error)}).`)
  }
}
