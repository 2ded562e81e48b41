import { phrase } from "@gong/spec"
import { readConfig } from "../compose/config.ts"
import { config, shown } from "../administration/settings.ts"
import { settingNames, settingOf } from "@gong/config/settings/schema"
import { attempt, codeOf, must, type Outcome, usage } from "@gong/config/usage"
import type { ControllerContext } from "../controller/api.ts"
import { errorLine, output, type SlashContext, type SlashResult, usageErrorOutput } from "./command.ts"

export interface SettingRow {
  readonly name: string
  readonly value: string
  /** Its source, or `default`. */
  readonly origin: string
  readonly about: string
  /** All values that it can have; empty: any. */
  readonly choices: readonly string[]
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
      choices: settingOf(name).kind === "switch" ? switches : (settingOf(name).choices ?? []),
    }))
  })
}

const switches = ["true", "false"]

/** Like `gong config set`, or `unset` for null; the session is opened again with it. */
export async function changeSetting(
  { t, controller }: SlashContext,
  name: string,
  value: string | null,
): Promise<SlashResult> {
  const stored = await storeSetting(controller, value === null ? ["unset", name] : ["set", name, value])
  if (!stored.ok) return usageErrorOutput(t, stored)
  const lines = stored.value.trimEnd().split("\n")
  const opened = await controller.call("reload", {})
  return output(opened.ok ? lines : [...lines, errorLine(t, opened.error.message)], { name, value })
}

/** Returns the output of `gong config`. */
async function storeSetting({ services, spec }: ControllerContext, words: readonly string[]): Promise<Outcome<string>> {
  try {
    return await config(services, spec, words)
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error
    return usage(phrase`the settings cannot be written (${codeOf(error)}).`)
  }
}
