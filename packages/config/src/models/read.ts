import { join } from "node:path"
import { readText } from "../settings/read.ts"
import { ok, type Outcome } from "../usage.ts"
import type { OwnProvider } from "./schema.ts"

export interface ModelsFile {
  readonly path: string
  readonly providers: Readonly<Record<string, OwnProvider>>
}

/** The user's `models.json`: providers, models and prices; null if missing. Comments are allowed. */
export async function readModels(home: string): Promise<Outcome<ModelsFile | null>> {
  const path = join(home, "models.json")
  const text = readText(path)
  if (!text.ok) return text
  if (text.value === null) return ok(null)
  // The validator is loaded only for existing files.
  const { checkModels } = await import("./check.ts")
  const providers = await checkModels(path, text.value)
  return providers.ok ? ok({ path, providers: providers.value }) : providers
}
