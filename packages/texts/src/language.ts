/** The texts of one language by the ids of their phrases. */
export type Catalogue = Readonly<Record<string, string>>

export const languages = ["en", "zh-CN"] as const
export type Language = (typeof languages)[number]

/**
 * The language requested by the settings or the locale (`LC_ALL`, `LC_MESSAGES`, `LANG`). Every Chinese locale uses
 * zh-CN.
 */
export function languageOf(setting: string, env: Readonly<Record<string, string | undefined>>): Language {
  const locale =
    setting === "" || setting === "auto" ? env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "" : setting
  return /^zh(?![a-z])/i.test(locale) ? "zh-CN" : "en"
}
