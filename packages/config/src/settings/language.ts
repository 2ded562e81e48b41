import { type Language, languageOf } from "@gong/texts/language"
import { homeFolder } from "../home.ts"
import { readUserSettings } from "./read.ts"

export interface LanguageSources {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly userHome: string
  readonly cwd: string
}

/** The language of texts without a session, such as help: from the environment, otherwise from the user's settings. */
export async function configuredLanguage({ env, userHome, cwd }: LanguageSources): Promise<Language> {
  const settings = env["GONG_LANG"] ? null : await readUserSettings(homeFolder(env, userHome, cwd))
  // An unreadable file is reported when something depends on it.
  const setting = settings?.ok === true ? settings.value?.values.get("language") : undefined
  return languageOf(env["GONG_LANG"] || String(setting ?? ""), env)
}
