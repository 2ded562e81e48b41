/** What a child process may see (engine D23). */
export interface ChildEnvOptions {
  /** Names of variables that hold model keys. */
  readonly keyNames: readonly string[]
  /** Keys that Gong holds. A variable with one of these values is withheld under any name. */
  readonly keyValues?: readonly string[]
  /** Names that pass nevertheless. A name in `deny` never passes. */
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  /** Whether names that look like keys or passwords pass. Default true. */
  readonly secrets?: boolean
  /** The session id. */
  readonly session?: string
}

export interface ChildEnv {
  readonly env: Readonly<Record<string, string>>
  /** Withheld names, for the note that explains why a command did not find them. */
  readonly withheld: readonly string[]
}

/** The parent's environment without keys, plus variables that tell programs to run non-interactively. */
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
    const isKey = names.has(name) || values.has(value) || (options.secrets === false && looksSecret(name, value))
    if (deny.has(name) || (isKey && !allow.has(name))) withheld.push(name)
    else env[name] = value
  }
  return { env: { ...env, ...marks, ...(options.session && { GONG_SESSION: options.session }) }, withheld }
}

const secretName =
  /(?:^|_)(?:KEY|APIKEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PASS|CREDENTIALS?|AUTH|PAT|SK|DSN|WEBHOOK|COOKIE)(?:_|$)|._PWD$/i
/** An address with a password. */
const secretValue = /:\/\/[^\s/@:]*:[^\s/@]+@/

function looksSecret(name: string, value: string): boolean {
  return secretName.test(name) || secretValue.test(value)
}

const marks = {
  GONG: "1",
  AI_AGENT: "gong",
  GIT_TERMINAL_PROMPT: "0",
  PAGER: "cat",
  GIT_EDITOR: "true",
  GIT_OPTIONAL_LOCKS: "0",
  // `cd src` must mean the local folder of that name.
  CDPATH: "",
} as const
