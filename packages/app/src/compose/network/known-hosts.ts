import { readFileSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import type { KnownHost } from "@gong/policy/decision"
import { registries } from "@gong/policy/command/registries"
import type { NetworkDestination } from "@gong/policy/rules"

export interface HostSources {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The user's home folder. */
  readonly home: string
  /** The root of the repository; its git settings contain its remotes. */
  readonly repository: string
}

/** Larger settings files are ignored. */
const maxFileBytes = 256 * 1024

/** Hosts that commands may reach without a question: known registries, configured registries, the remotes of the repository. */
export function knownHosts({ env, home, repository }: HostSources): () => Promise<readonly KnownHost[]> {
  let fixed: readonly KnownHost[] | undefined
  const remotes = cachedFile(configOf(repository), remotesIn)
  return async () => {
    fixed ??= [...builtIn(), ...configured(env, home)]
    return [...fixed, ...remotes()]
  }
}

function builtIn(): readonly KnownHost[] {
  return Object.keys(registries).flatMap((host) => [443, 80].map((port) => ({ host, port, near: true })))
}

/** Environment variables of package managers with addresses of registries. */
const variable =
  /registry|index_url|extra_index|default_index|^uv_index|^goproxy$|^gosumdb$|_mirror$|dist_server|update_root/i

/** Settings files of package managers in the home folder. Those of a repository are never used. */
const settingsFiles = [
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".config/pip/pip.conf",
  ".pip/pip.conf",
  ".config/uv/uv.toml",
  ".cargo/config.toml",
  ".cargo/config",
  ".config/go/env",
  ".m2/settings.xml",
  ".gradle/init.gradle",
  ".gradle/init.gradle.kts",
  ".bundle/config",
  ".gemrc",
  ".nuget/NuGet/NuGet.Config",
]
const systemFiles = ["/etc/pip.conf", "/etc/npmrc", "/etc/apt/sources.list"]
const systemFolder = "/etc/apt/sources.list.d"

function configured(env: HostSources["env"], home: string): readonly KnownHost[] {
  const named = Object.entries(env).flatMap(([name, value]) => (variable.test(name) && value ? [value] : []))
  const folder = namesIn(systemFolder).map((name) => join(systemFolder, name))
  const files = [...settingsFiles.map((name) => join(home, name)), ...systemFiles, ...folder]
  const endpoints = [...named, ...files.map(textOf)].flatMap(registriesIn)
  return endpoints.map((endpoint) => ({ ...endpoint, near: true }))
}

/** All addresses in a text of any format, except those of proxies, which would lead to any host. */
export function registriesIn(text: string): readonly NetworkDestination[] {
  const lines = text.split("\n").filter((line) => !/^\s*[#;]/.test(line))
  return lines.flatMap((line) =>
    [...line.matchAll(/\bhttps?:\/\/[^\s"'<>,|]+/g)].flatMap(({ 0: url, index }) => {
      const before = line.slice(0, index)
      return /proxy/i.test(before) && !/goproxy/i.test(before) ? [] : destinationOf(url)
    }),
  )
}

function destinationOf(text: string): readonly NetworkDestination[] {
  const url = URL.canParse(text) ? new URL(text) : null
  const port = url === null ? NaN : Number(url.port || portOf[url.protocol])
  return url === null || Number.isNaN(port) ? [] : [{ host: url.hostname.toLowerCase(), port }]
}

const portOf: Readonly<Record<string, number>> = {
  "http:": 80,
  "https:": 443,
  "ssh:": 22,
  "git:": 9418,
  "git+ssh:": 22,
}

/** The git settings of a repository, read as text: includes and URL rewriting are ignored. */
function configOf(repository: string): string {
  const inFolder = join(repository, ".git", "config")
  return textOf(inFolder) === "" ? join(repository, "config") : inFolder
}

/** The hosts of all remotes (git-config(1)). A repository may come from an archive, so they count only on the internet. */
export function remotesIn(config: string): readonly KnownHost[] {
  let inRemote = false
  const found: KnownHost[] = []
  for (const line of config.split("\n")) {
    const [, section] = /^\s*\[([^\]]*)\]/.exec(line) ?? []
    if (section !== undefined) inRemote = /^remote\s+"/i.test(section)
    const [, value = ""] = /^\s*(?:\[[^\]]*\]\s*)?(?:push)?url\s*=\s*"?([^"#;\s]+)/i.exec(line) ?? []
    if (inRemote && value !== "") found.push(...remoteAt(value).map((endpoint) => ({ ...endpoint, near: false })))
  }
  return found
}

/** An address, or `user@host:path` for SSH. */
function remoteAt(value: string): readonly NetworkDestination[] {
  if (value.includes("://")) return destinationOf(value)
  const [, host = ""] = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)/.exec(value) ?? []
  return host.length > 1 ? [{ host: host.toLowerCase(), port: 22 }] : []
}

/** A value computed from a file, and again after a change of the file. */
function cachedFile<T>(path: string, compute: (text: string) => T): () => T {
  let stamp: string | undefined
  let value: T
  return () => {
    const found = statSync(path, { throwIfNoEntry: false })
    const current = found === undefined ? "" : `${found.mtimeMs} ${found.size} ${found.ino}`
    if (current !== stamp) value = compute(textOf(path))
    stamp = current
    return value
  }
}

/** Empty for a missing or unreadable file. Never waits on a pipe or a device. */
function textOf(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found?.isFile() && found.size <= maxFileBytes ? readFileSync(path, "utf8") : ""
  } catch {
    return ""
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
