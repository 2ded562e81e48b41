import { readModelsDev } from "@gong/llm/models-dev"
import { failureOf, parseJson, phrase } from "@gong/spec"
import { catalogueFolder } from "@gong/app/compose/models/catalogue"
import type { Config } from "@gong/app/compose/config"
import { openTransport } from "@gong/app/compose/network/transport"
import { keepFile } from "@gong/config/home"
import { ok, type Outcome, usage } from "@gong/config/usage"
import { signalAfter } from "@gong/app/ports"
import type { Cli } from "../../cli.ts"

/** Where the catalogue comes from when GONG_CATALOG_URL does not say otherwise. */
const usualAddress = "https://models.dev/api.json"
/** Milliseconds, and bytes: the document has about three million. */
const wait = 60_000
const maxBytes = 64 * 1024 * 1024

/** `gong models --refresh`: fetched only when a person asks for it. What came counts from the next run on. */
export async function refreshCatalogue(cli: Cli, config: Config): Promise<Outcome<string>> {
  const address = cli.env["GONG_CATALOG_URL"] || usualAddress
  const text = await fetched(cli, config, address)
  if (!text.ok) return text
  const found = readModelsDev(parseJson(text.value), config.registry.providers)
  if (found.size === 0) return usage(phrase`${address} is no catalogue in the form of models.dev; nothing was changed.`)
  const folder = catalogueFolder(config.home)
  let count = 0
  for (const [provider, models] of found) {
    count += Object.keys(models).length
    keepFile(folder, `${provider}.json`, `${JSON.stringify({ models })}\n`)
  }
  return ok(cli.t`${count} models of ${found.size} providers, from ${address}, are kept in ${folder}.\n`)
}

async function fetched(cli: Cli, config: Config, url: string): Promise<Outcome<string>> {
  const transport = openTransport(cli, config.settings)
  try {
    const response = await transport.send({ url, method: "GET", headers: {}, body: [], signal: signalAfter(wait) })
    const parts: Uint8Array[] = []
    let size = 0
    for await (const bytes of response.body) {
      parts.push(bytes)
      size += bytes.length
      if (size > maxBytes) return usage(phrase`${url} sends more than ${maxBytes} bytes: no catalogue has so many.`)
    }
    if (response.status !== 200) return usage(phrase`${url} answered ${response.status}; the catalogue is as it was.`)
    return ok(Buffer.concat(parts).toString("utf8"))
  } catch (error) {
    return usage(phrase`${url} cannot be read (${failureOf(error).message}); the catalogue is as it was.`)
  } finally {
    transport.close()
  }
}
