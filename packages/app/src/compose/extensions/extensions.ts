import { existsSync, realpathSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { isRecord, localHost, phrase, ownFolder, type Diagnostic } from "@gong/spec"
import { ok, type Outcome, usage } from "@gong/config/usage"
import { findExtensions, type FoundExtension } from "@gong/extensions/find"
import type { Config } from "../config.ts"
import type { ConfiguredExtension, ExtensionOptions, SessionExtensions } from "./extension-parts.ts"

/** Extensions being loaded while the rest of the session is composed. */
export interface PendingExtensions {
  /** Never rejects. */
  readonly loaded: Promise<SessionExtensions>
  end(): void
}

/**
 * Starts loading the user's extensions, those of a trusted folder, and those of `-e`. Without any, no code of extensions is
 * loaded. A missing path of `-e` is a usage error.
 */
export function startExtensions(place: ExtensionOptions): Outcome<PendingExtensions> {
  const { services, spec, config } = place
  const usual = spec.bare !== true && spec.noExtensions !== true
  const named = (spec.extension ?? []).map((path) => fullPath(path, config.workspace.cwd, services.userHome))
  const missing = named.findIndex((path) => !existsSync(path))
  if (missing >= 0) return usage(phrase`-e ${spec.extension?.[missing]}: there is no such file or folder.`)
  const { extensions, diagnostics } = findExtensions({
    user: usual ? join(config.home, "extensions") : null,
    project: usual && config.host.id === localHost ? config.trusted : null,
    named,
  })
  const found = [...diagnostics, ...(usual ? skippedOnHost(config) : [])]
  const wanted = extensions.filter(isOn(config))
  if (wanted.length === 0) return ok({ loaded: Promise.resolve({ ...none, diagnostics: found }), end: () => undefined })
  let ended = false
  let end = (): void => void (ended = true)
  const loaded = (async () => {
    const { loadExtensions } = await import("./load-extensions.ts")
    const loading = loadExtensions(services.t, place, wanted.map(configured(config)), found)
    if (ended) loading.end()
    end = loading.end
    return loading.all
  })()
  return ok({ loaded, end: () => end() })
}

/** Extensions run on this machine, so code of a folder on another host is not loaded. */
function skippedOnHost({ host, trusted }: Config): readonly Diagnostic[] {
  const folder = `${ownFolder}/extensions`
  if (trusted === null || host.id === localHost) return []
  if (![...trusted.files.keys()].some((path) => path.startsWith(`${folder}/`))) return []
  const text = phrase`extensions of a folder on another host are not loaded.`
  return [{ type: "warning", path: join(trusted.root, folder), line: null, text }]
}

const none: SessionExtensions = {
  tools: [],
  hooks: [],
  commands: [],
  providers: [],
  renderers: new Map(),
  lines: [],
  diagnostics: [],
  resources: [],
  rows: [],
  follow: () => undefined,
  sendTo: () => undefined,
  end: () => undefined,
}

/** `"NAME": false` in the settings switches an extension off, at every level. */
function isOn({ extensionSettings: { user, project } }: Config) {
  return ({ name, level }: FoundExtension): boolean =>
    user[name] !== false && (level !== "project" || project[name] !== false)
}

/** A repository configures its own extensions only: the user's may guard against it. */
function configured({ extensionSettings }: Config) {
  return ({ name, path, boundary, level }: FoundExtension, id: number): ConfiguredExtension => {
    const real = realPath(path)
    const set = extensionSettings[level === "project" ? "project" : "user"][name]
    return { id, name, path: real, folder: dirname(real), boundary, level, settings: isRecord(set) ? set : {} }
  }
}

function fullPath(path: string, cwd: string, home: string): string {
  return path.startsWith("~/") ? join(home, path.slice(2)) : resolve(cwd, path)
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
