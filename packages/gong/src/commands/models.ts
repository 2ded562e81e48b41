import { type Config, readConfig } from "@gong/app/compose/config"
import { keyRows } from "@gong/app/compose/keys/key-rows"
import { configWithExtensionModels } from "@gong/app/compose/models/session-model"
import type { Options } from "../command-line/flags.ts"
import { attempt, must, type Outcome } from "@gong/config/usage"
import type { Cli } from "../cli.ts"
import { keysJson, type KeySources, keysText } from "./models/keys.ts"
import { listModels, modelsJson, modelsText } from "./models/list.ts"
import { refreshCatalogue } from "./models/refresh.ts"

/** `gong models [SEARCH]`: available models, prices and keys. Only `--refresh` uses the network. */
export function models(cli: Cli, options: Options, words: readonly string[]): Promise<Outcome<string>> {
  return attempt(async () => {
    const read = must(await readConfig(cli, options))
    if (options.refresh === true) return must(await refreshCatalogue(cli, read))
    const { config, lines } = await configWithExtensionModels(cli, options, read)
    for (const line of lines) cli.err(`${line}\n`)
    const sources = keySources(cli, config)
    if (options.keys === true) {
      return options.json === true
        ? json(keysJson(config.registry, sources))
        : keysText(cli.t, config.registry, sources)
    }
    const search = words[0] ?? null
    const listed = await listModels(config.registry, sources, search)
    return options.json === true ? json(modelsJson(listed)) : modelsText(cli.t, listed, search, sources.size > 0)
  })
}

function json(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

/** The source of the key, by provider. */
function keySources({ env }: Cli, config: Config): KeySources {
  const used = must(keyRows({ ...config, env })).filter((row) => row.used)
  const any = used.find(({ provider }) => provider === null)
  const found = new Map<string, string>()
  for (const { id, keys } of config.registry.providers) {
    const row = keys.length === 0 ? null : (any ?? used.find(({ provider }) => provider === id))
    if (row) found.set(id, row.from)
  }
  return found
}
