export const languages = ["en", "zh-CN"] as const
export type Language = (typeof languages)[number]

/** The language that the settings or the locale ask for (`LC_ALL`, `LC_MESSAGES`, `LANG`). Every kind of Chinese reads zh-CN. */
export function languageOf(setting: string, env: Readonly<Record<string, string | undefined>>): Language {
  const locale =
    setting === "" || setting === "auto" ? env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "" : setting
  return /^zh(?![a-z])/i.test(locale) ? "zh-CN" : "en"
}
