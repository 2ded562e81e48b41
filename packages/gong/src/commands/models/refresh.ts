import { readModelsDev } from "@gong/llm/models-dev"
import { failureOf, parseJson, phrase } from "@gong/spec"
import { catalogueFolder } from "@gong/app/compose/models/catalogue"
import type { Config } from "@gong/app/compose/config"
import { openTransport } from "@gong/app/compose/network/transport"
import { writePrivateFile } from "@gong/config/home"
import { ok, type Outcome, usage } from "@gong/config/usage"
import { signalAfter } from "@gong/app/ports"
import type { Cli } from "../../cli.ts"

/** The catalogue, unless GONG_CATALOG_URL is set. */
const defaultUrl = "https://models.dev/api.json"
/** Timeout in milliseconds, and maximum bytes; the document has about three million. */
const timeout = 60_000
const maxBytes = 64 * 1024 * 1024

/** `gong models --refresh`: fetches a newer catalogue, which is used from the next start on. */
export async function refreshCatalogue(cli: Cli, config: Config): Promise<Outcome<string>> {
  const url = cli.env["GONG_CATALOG_URL"] || defaultUrl
  const text = await fetchText(cli, config, url)
  if (!text.ok) return text
  const found = readModelsDev(parseJson(text.value), config.registry.providers)
  if (found.size === 0)
    return usage(phrase`${url} is not a catalogue in the format of models.dev; nothing was changed.`)
  const folder = catalogueFolder(config.home)
  let count = 0
  for (const [provider, models] of found) {
    count += Object.keys(models).length
    writePrivateFile(folder, `${provider}.json`, `${JSON.stringify({ models })}\n`)
  }
  return ok(cli.t`${count} models of ${found.size} providers, from ${url}, are stored in ${folder}.\n`)
}

async function fetchText(cli: Cli, config: Config, url: string): Promise<Outcome<string>> {
  const transport = openTransport(cli, config.settings)
  try {
    const response = await transport.send({ url, method: "GET", headers: {}, body: [], signal: signalAfter(timeout) })
    const parts: Uint8Array[] = []
    let size = 0
    for await (const bytes of response.body) {
      parts.push(bytes)
      size += bytes.length
      if (size > maxBytes)
        return usage(phrase`${url} sent more than ${maxBytes} bytes; a catalogue is smaller. Nothing was changed.`)
    }
    if (response.status !== 200)
      return usage(phrase`${url} responded with status ${response.status}; nothing was changed.`)
    return ok(Buffer.concat(parts).toString("utf8"))
  } catch (error) {
    return usage(phrase`${url} cannot be fetched (${failureOf(error).message}); nothing was changed.`)
  } finally {
    transport.close()
  }
}
