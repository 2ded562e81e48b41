import { type Language, languageOf } from "../../texts/translator.ts"
import { homeFolder } from "../home.ts"
import { readUserSettings } from "./read.ts"

export interface LanguagePlace {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly userHome: string
  readonly cwd: string
}

/** The language of what is said without a session and its settings, as help: the environment's, else the user's own. */
export async function wantedLanguage({ env, userHome, cwd }: LanguagePlace): Promise<Language> {
  const settings = env["GONG_LANG"] ? null : await readUserSettings(homeFolder(env, userHome, cwd))
  // A file that cannot be read is told when something depends on it.
  const wish = settings?.ok === true ? settings.value?.values.get("language") : undefined
  return languageOf(env["GONG_LANG"] || String(wish ?? ""), env)
}
