import { absolute } from "../paths.ts"
import { isKnown, unknown } from "./value.ts"

/** A path relative to a folder; an unknown part stays. */
export function joinedPath(folder: string, path: string): string {
  if (path === "-" || /^[-+]\d+$/.test(path)) return unknown
  if (path === "") return folder
  const whole = path.startsWith("/") || path.startsWith(unknown) ? path : `${folder}/${path}`
  if (isKnown(whole)) return absolute(`./${whole}`.slice(2), "/", "~")
  // After an unknown part `..` may lead anywhere.
  if (/\0[^]*(?:^|\/)\.\.(?:\/|$)/.test(whole)) return unknown
  return whole.replaceAll(/\/(?:\.?\/)+/g, "/").replace(/(?<=[^/])\/\.?$/, "")
}
