import {
  type Hook,
  type Host,
  type Jobs,
  type PermissionAnswer,
  type PermissionLevel,
  type PermissionRequest,
  protocol,
  type Provider,
  type SessionEvent,
  type Tool,
} from "@gong/spec"
import { keyVariables, openProvider } from "@gong/llm"
import { catchUpSession } from "./build/catch-up.ts"
import { type Config, readConfig } from "./build/config.ts"
import { readKey } from "./build/input.ts"
import { limitsOf } from "./build/limits.ts"
import { chooseModel, type ChosenModel } from "./build/model.ts"
import { buildPolicy } from "./build/policy.ts"
import { promptParts } from "./build/prompt.ts"
import { existingTape, lastModel, modelOf, newTape, type OpenedTape, type TapePlace } from "./build/tape.ts"
import { chooseSandbox, confine, levelOf, type Sandbox, sandboxFacts } from "./build/sandbox.ts"
import { type LazySweep, lazySweep } from "./build/sweep.ts"
import { buildTools } from "./build/tools.ts"
import { sessionTransport } from "./build/transport.ts"
import { createCredentials, type CredentialSources, heldKeys, redactor } from "./config/credentials.ts"
import type { Options } from "./config/flags.ts"
import { attempt, must, type Outcome } from "./config/usage.ts"
import { systemClock, systemIds, systemRandom } from "./ports.ts"
import type { SessionPolicy } from "./policy/policy.ts"
import { loadPrompt } from "./session/prompt-state.ts"
import { repair, type Repaired } from "./session/repair.ts"
import { createSession, type Session } from "./session/session.ts"
import type { World } from "./world.ts"

/** A session with every part chosen. */
export interface App {
  readonly session: Session
  /** The first event; the first line for people is made of it. */
  readonly info: SessionEvent
  readonly chosen: ChosenModel
  /** Whole lines for the user, before anything is sent. */
  readonly lines: readonly string[]
  /** What runs in the background: to be ended before `close`; where there is no time for it, the death of the process ends it. */
  readonly jobs: Jobs
  /** For when nobody waits: the index of sessions reads what is new in this one. Says nothing, never fails. */
  catchUp(): Promise<void>
  close(): void
}

/** Asks the person at the terminal; null when nobody is there. */
export type Confirm = ((request: PermissionRequest, signal: AbortSignal) => Promise<PermissionAnswer>) | null

/** What a program gives beside the options of the command line. */
export interface SessionOptions {
  /** A model that needs neither a key nor the network, in place of the one that the options would name. */
  readonly provider?: Provider
  /** Beside the built-in ones; permission is asked for each call, as for anything unknown. */
  readonly customTools?: readonly Tool[]
}

interface Known {
  readonly world: World
  readonly options: Options
  readonly confirm: Confirm
  readonly own: SessionOptions
  readonly config: Config
  readonly place: TapePlace
  readonly existing: OpenedTape | null
}

const clock = systemClock
const hooks: readonly Hook[] = []

/** Chooses the parts of a session: the only place that knows which implementation stands behind a port. */
export function build(
  world: World,
  options: Options,
  confirm: Confirm,
  own: SessionOptions = {},
): Promise<Outcome<App>> {
  return attempt(async () => {
    const config = must(await readConfig(world, options))
    const { home, workspace } = config
    const place = { home, workspace, temp: world.temp, clock, ids: systemIds(clock) }
    const existing = must(existingTape(place, options))
    try {
      return await assemble({ world, options, confirm, own, config, place, existing })
    } catch (error) {
      existing?.abandon()
      throw error
    }
  })
}

/** What can be wrong is found before a new session is made: a usage error leaves nothing behind. */
async function assemble(known: Known): Promise<App> {
  const { world, options, confirm, own, config, place, existing } = known
  const { settings } = config
  const { values } = settings
  const interactive = confirm !== null
  const sources = await keySources(known)
  const keys = heldKeys(sources)
  const chosen = own.provider ? ownChoice(own.provider) : await modelFor(known, sources)
  const limits = must(limitsOf(settings, chosen.model, interactive))
  const prompt = must(promptParts(world, options, config))
  const bare = lazyHost(known)
  const sandboxPlace = { world, config, keeps: options.noSession !== true, host: bare }
  const sandbox = must(await chooseSandbox(sandboxPlace))
  const host = lazily(async () => confine(await bare(), sandboxPlace, sandbox))
  const level = levelOf(settings, interactive, sandbox)
  const policy = must(await buildPolicy({ world, options, config, level, sandbox: sandbox.mode, interactive, host }))
  const id = existing?.tape.id ?? options.sessionId ?? place.ids.tape()
  // A session that is not kept cannot be undone.
  const sweep = options.noSession === true ? null : lazySweep(config, world.userHome, host)
  const given = { sources, keys, session: id, level, policy, sandbox, host, sweep }
  const { tools, conflicts, jobs } = must(toolsFor(known, given))

  const opened = existing ?? must(newTape(place, options, id))
  const { tape } = opened
  const repaired = repair(tape)
  if (options.name !== undefined) tape.append([{ type: "session_info", name: options.name }], { sync: false })
  const transport = sessionTransport(world.env)
  const { model, credential, thinking } = chosen
  const provider =
    own.provider ?? (await openProvider(model, { transport, clock, credential, silence: silenceOf(config) }))
  const session = createSession({
    tape,
    provider,
    thinking,
    tools: () => tools,
    prompt: prompt.source,
    lastPrompt: opened.resumed ? await loadPrompt(tape) : null,
    hooks,
    policy,
    confirm,
    redact: redactor(keys),
    limits,
    writeGuard: settings.values.writeGuard === "on",
    strict: options.strict === true,
    toolExecution: "parallel",
    watch: sweep?.watch ?? null,
    retry: { count: values["retry.count"], baseMs: values["retry.baseMs"], random: systemRandom },
    clock,
    ids: place.ids,
  })
  return {
    session,
    chosen,
    info: sessionEvent(known, opened, chosen, { permission: level, sandbox: sandboxFacts(sandbox) }, tools),
    lines: [
      ...config.lines,
      ...conflicts.map((line) => `gong: ${line}`),
      ...prompt.lines,
      ...openingLines(opened, repaired),
    ],
    jobs,
    catchUp: () => catchUpSession(place, opened.store.path),
    close: once(() => {
      transport.close()
      tape.close()
    }),
  }
}

/** A second signal may come while the first one's end is under way. */
function once(work: () => void): () => void {
  let done = false
  return () => {
    if (!done) work()
    done = true
  }
}

async function keySources({ world, options, config }: Known): Promise<CredentialSources> {
  const apiKey = options.apiKey === "-" ? must(await readKey(world, clock)) : options.apiKey
  return {
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(options.apiKeyEnv === undefined ? {} : { apiKeyEnv: options.apiKeyEnv }),
    env: world.env,
    variables: keyVariables(),
    auth: config.auth,
  }
}

/** Where the session's tools act; loaded when the first of them is called. */
function lazyHost({ world, config }: Known): () => Promise<Host> {
  return lazily(async () => {
    const { createLocalHost } = await import("@gong/tools/host/local")
    return createLocalHost({ cwd: config.workspace.cwd, env: world.env, home: world.userHome })
  })
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

function ownChoice({ model }: Provider): ChosenModel {
  return { model, thinking: "off", credential: null, others: 0 }
}

async function modelFor({ world, config, existing, place }: Known, sources: CredentialSources): Promise<ChosenModel> {
  const credentials = must(createCredentials(sources))
  const last = () => (existing ? modelOf(existing.tape) : lastModel(place))
  return must(await chooseModel({ settings: config.settings, env: world.env, credentials, last }))
}

interface ForTools {
  readonly sources: CredentialSources
  readonly keys: readonly string[]
  readonly session: string
  readonly level: PermissionLevel
  readonly policy: SessionPolicy
  readonly sandbox: Sandbox
  readonly sweep: LazySweep | null
  host(): Promise<Host>
}

function toolsFor({ world, options, config, own }: Known, given: ForTools) {
  const { sources, keys, session, level, policy, sandbox, sweep, host } = given
  const keyNames = [
    "GONG_API_KEY",
    ...Object.values(sources.variables).flat(),
    ...(options.apiKeyEnv ? [options.apiKeyEnv] : []),
  ]
  const { workspace, settings } = config
  return buildTools(
    {
      workspace,
      settings,
      env: world.env,
      keyNames,
      keys,
      session,
      home: world.userHome,
      sandbox: sandbox.mode,
      host,
      granted: level === "full" ? "anywhere" : () => policy.granted(),
      customTools: own.customTools ?? [],
      watched: (bash, running) => sweep?.over(bash, running) ?? bash,
    },
    options,
  )
}

function silenceOf({ settings: { values } }: Config) {
  const firstEvent = values["stream.firstEvent"]
  return { ...(firstEvent === null ? {} : { firstEvent: firstEvent * 1000 }), gap: values["stream.gap"] * 1000 }
}

function sessionEvent(
  { world, options, config }: Known,
  { tape, store, resumed }: OpenedTape,
  { model, thinking }: ChosenModel,
  may: Pick<SessionEvent, "permission" | "sandbox">,
  tools: readonly Tool[],
): SessionEvent {
  return {
    type: "session",
    protocol,
    version: world.version,
    id: tape.id,
    cwd: config.workspace.cwd,
    workspace: config.workspace.folder,
    tape: store.path,
    model: `${model.provider}/${model.id}`,
    thinking,
    tools: tools.map((tool) => tool.name),
    ...may,
    trusted: config.trusted !== null,
    resumed,
    ...(store.info.from === undefined ? {} : { forkOf: store.info.from.id }),
    ...(options.name === undefined ? {} : { name: options.name }),
  }
}

function openingLines({ store }: OpenedTape, { calls, unsent }: Repaired): readonly string[] {
  const lines: string[] = []
  const [damage] = store.damage
  if (damage) {
    lines.push(
      `gong: ${store.damage.length} damaged line(s) in this session were kept and skipped; the first: ${damage.file} at byte ${damage.offset}, ${damage.reason}.`,
    )
  }
  if (calls > 0) lines.push(`gong: this session stopped in the middle of ${calls} tool call(s); the model is told so.`)
  for (const text of unsent)
    lines.push(`gong: a message from before Gong stopped was not sent: ${JSON.stringify(text.slice(0, 80))}`)
  return lines
}
