import { phrase, type Phrase } from "../text/phrase.ts"
/** Why a base URL is invalid, as a sentence with the remedy; null for a valid one. */
export function baseUrlFault(url: string): Phrase | null {
  const { protocol = null, hash = "" } = URL.canParse(url) ? new URL(url) : {}
  if (protocol !== "http:" && protocol !== "https:") {
    return phrase`${url} is no base URL. Write http://HOST:PORT/v1 or https://HOST/v1.`
  }
  return hash === ""
    ? null
    : phrase`${url} has a fragment, which is never sent. Leave out ${url.slice(url.indexOf("#"))}.`
}
