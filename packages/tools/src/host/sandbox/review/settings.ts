/** Settings that start no program, read no other file and name no path, as written by `git init` and `git clone`. */
const harmless: readonly RegExp[] = [
  /^core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks)$/,
  /^core\.(?:autocrlf|eol|safecrlf|longpaths|quotepath|abbrev|sparsecheckout|sparsecheckoutcone)$/,
  /^extensions\.(?:objectformat|refstorage)$/,
  /^(?:init\.defaultbranch|user\.(?:name|email)|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote)|merge\.conflictstyle)$/,
  /^remote\..+\.(?:fetch|tagopt|prune)$/s,
  /^branch\..+\.(?:merge|rebase|description)$/s,
  /^submodule\.(?:active|.+\.active)$/s,
  /^lfs\.(?:repositoryformatversion|.+\.access)$/s,
]

/**
 * Addresses on another machine, including `host:path`. A path could lead to a repository with hooks, and `name::rest`
 * names a program.
 */
export const remoteAddress = /^(?:(?:https?|ssh|git):\/\/[^-/]|(?:[\w.-]+@)?\w[\w.-]*:(?!:|\/\/))/

/** The first setting by which git could run a program, from `git config --list -z`; null if there is none. */
export function unsafeSetting(settings: readonly string[]): string | null {
  const pairs = settings.map(parse)
  const remotes = new Set(pairs.map(([name]) => /^remote\.(.+)\.url$/s.exec(name)?.[1]))
  const acts = ([name, value]: readonly [string, string]): boolean => {
    if (harmless.some((known) => known.test(name))) return false
    if (/^(?:remote|submodule)\..+\.url$/s.test(name)) return !remoteAddress.test(value)
    // A name that is no remote is a path.
    if (/^branch\..+\.remote$/s.test(name)) return value !== "." && !remotes.has(value)
    return true
  }
  return pairs.find(acts)?.[0] ?? null
}

function parse(setting: string): readonly [string, string] {
  const at = setting.indexOf("\n")
  return at === -1 ? [setting, ""] : [setting.slice(0, at), setting.slice(at + 1)]
}
