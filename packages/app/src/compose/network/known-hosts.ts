import { readFileSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import type { KnownHost } from "@gong/policy/decision"
import { registries } from "@gong/policy/command/registries"
import type { NetworkDestination } from "@gong/policy/rules"

export interface HostSources {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The user's home folder. */
  readonly home: string
  /** What is one repository to the user; its settings name its remotes. */
  readonly repository: string
}

/** A settings file is small; a larger one names no registry. */
const FILE_MAX_BYTES = 256 * 1024

/** Hosts that commands reach without a question: known registries, those that the user has set up, and the repository's remotes. */
export function knownHosts({ env, home, repository }: HostSources): () => Promise<readonly KnownHost[]> {
  let own: readonly KnownHost[] | undefined
  const remotes = remembered(configOf(repository), remotesIn)
  return async () => {
    own ??= [...builtIn(), ...usersOwn(env, home)]
    return [...own, ...remotes()]
  }
}

function builtIn(): readonly KnownHost[] {
  return Object.keys(registries).flatMap((host) => [443, 80].map((port) => ({ host, port, near: true })))
}

/** Variables with addresses of registries, as the package managers name them. */
const variable =
  /registry|index_url|extra_index|default_index|^uv_index|^goproxy$|^gosumdb$|_mirror$|dist_server|update_root/i

/** Settings of package managers with addresses of registries, below the home. Never a repository's own. */
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

function usersOwn(env: HostSources["env"], home: string): readonly KnownHost[] {
  const named = Object.entries(env).flatMap(([name, value]) => (variable.test(name) && value ? [value] : []))
  const folder = namesIn(systemFolder).map((name) => join(systemFolder, name))
  const files = [...settingsFiles.map((name) => join(home, name)), ...systemFiles, ...folder]
  const places = [...named, ...files.map(textOf)].flatMap(registriesIn)
  return places.map((place) => ({ ...place, near: true }))
}

/** Whatever the format, a registry is an address. What is called a proxy is none: that one leads anywhere. */
export function registriesIn(text: string): readonly NetworkDestination[] {
  const lines = text.split("\n").filter((line) => !/^\s*[#;]/.test(line))
  return lines.flatMap((line) =>
    [...line.matchAll(/\bhttps?:\/\/[^\s"'<>,|]+/g)].flatMap(({ 0: url, index }) => {
      const before = line.slice(0, index)
      return /proxy/i.test(before) && !/goproxy/i.test(before) ? [] : placeOf(url)
    }),
  )
}

function placeOf(text: string): readonly NetworkDestination[] {
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

/** The settings of a repository, read as text: what they include, and what the user's own make of an address, does not count. */
function configOf(repository: string): string {
  const inFolder = join(repository, ".git", "config")
  return textOf(inFolder) === "" ? join(repository, "config") : inFolder
}

/** The hosts of all remotes (git-config(1)). A repository may have been unpacked: they count on the internet only. */
export function remotesIn(config: string): readonly KnownHost[] {
  let inRemote = false
  const found: KnownHost[] = []
  for (const line of config.split("\n")) {
    const [, section] = /^\s*\[([^\]]*)\]/.exec(line) ?? []
    if (section !== undefined) inRemote = /^remote\s+"/i.test(section)
    const [, value = ""] = /^\s*(?:\[[^\]]*\]\s*)?(?:push)?url\s*=\s*"?([^"#;\s]+)/i.exec(line) ?? []
    if (inRemote && value !== "") found.push(...remoteAt(value).map((place) => ({ ...place, near: false })))
  }
  return found
}

/** An address, or `user@host:path`, which is SSH. */
function remoteAt(value: string): readonly NetworkDestination[] {
  if (value.includes("://")) return placeOf(value)
  const [, host = ""] = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)/.exec(value) ?? []
  return host.length > 1 ? [{ host: host.toLowerCase(), port: 22 }] : []
}

/** What is made of a file, anew when it has changed. */
function remembered<T>(path: string, make: (text: string) => T): () => T {
  let stamp: string | undefined
  let made: T
  return () => {
    const found = statSync(path, { throwIfNoEntry: false })
    const now = found === undefined ? "" : `${found.mtimeMs} ${found.size} ${found.ino}`
    if (now !== stamp) made = make(textOf(path))
    stamp = now
    return made
  }
}

/** Empty where there is none, or none that can be read; never waits on a pipe or a device. */
function textOf(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found?.isFile() && found.size <= FILE_MAX_BYTES ? readFileSync(path, "utf8") : ""
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
