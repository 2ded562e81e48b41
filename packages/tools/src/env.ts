/** What a child process may know (engine D23). */
export interface ChildEnvOptions {
  /** Names that hold a model's key. */
  readonly keyNames: readonly string[]
  /** Keys that Gong holds: a variable with one of these values is withheld under any name. */
  readonly keyValues?: readonly string[]
  /** Names that pass all the same; a name in `deny` never does. */
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  /** Names that look like those of keys and passwords pass. Default: they do. */
  readonly secrets?: boolean
  /** The session's id. */
  readonly session?: string
}

export interface ChildEnv {
  readonly env: Readonly<Record<string, string>>
  /** Names that were kept back, for the notice that tells why a command did not find them. */
  readonly withheld: readonly string[]
}

/** The parent's environment without keys, and with what tells a program that no person is there. */
export function childEnvironment(
  parent: Readonly<Record<string, string | undefined>>,
  options: ChildEnvOptions,
): ChildEnv {
  const names = new Set(options.keyNames)
  const values = new Set(options.keyValues?.filter((value) => value !== ""))
  const allow = new Set(options.allow)
  const deny = new Set(options.deny)
  const env: Record<string, string> = {}
  const withheld: string[] = []
  for (const [name, value] of Object.entries(parent)) {
    if (value === undefined) continue
    const isKey = names.has(name) || values.has(value) || (options.secrets === false && secretName.test(name))
    if (deny.has(name) || (isKey && !allow.has(name))) withheld.push(name)
    else env[name] = value
  }
  return { env: { ...env, ...marks, ...(options.session && { GONG_SESSION: options.session }) }, withheld }
}

const secretName = /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(?:_|$)/i

const marks = {
  GONG: "1",
  AI_AGENT: "gong",
  GIT_TERMINAL_PROMPT: "0",
  PAGER: "cat",
  GIT_EDITOR: "true",
  GIT_OPTIONAL_LOCKS: "0",
  // `cd src` means the folder of that name here, and no other.
  CDPATH: "",
} as const
