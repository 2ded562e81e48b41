import {
  type Hook,
  type Host,
  type Hosts,
  type Jobs,
  type Model,
  type Notification,
  type Provider,
  type SessionEvent,
  type Tool,
  phrase,
} from "@gong/spec"
import { hookRunner } from "@gong/loop"
import { changedFiles } from "./tools/changed-files.ts"
import { catchUpSession } from "./tapes/catch-up.ts"
import type { Choosing } from "./models/choices.ts"
import { telemetrySubscribers } from "./hooks/telemetry-subscribers.ts"
import { compactionPolicy, summaryModel } from "./models/compaction.ts"
import type { Config } from "./config.ts"
import { commandPlace } from "./sandbox/command-place.ts"
import { lazily } from "./lazily.ts"
import { contextPlaces, nestedContext } from "./resources/context.ts"
import { type KeyRing, keyRing, keySources } from "./keys/keys.ts"
import { endings, type Endings } from "./endings.ts"
import type { SessionExtensions } from "./extensions/extension-parts.ts"
import { hooksOf } from "./hooks/hooks.ts"
import { asSet, silenceOf } from "./models/from-settings.ts"
import { liveSettings } from "./models/live-settings.ts"
import { limitsOf } from "./models/limits.ts"
import { type ChosenModel, openerOf } from "./models/model.ts"
import { buildPolicy } from "./permissions/policy.ts"
import { promptParts } from "./resources/prompt.ts"
import { loadResources, type LoadingResources, resourceLines, type Resources } from "./resources/resources.ts"
import { locateSession } from "./locate-session.ts"
import { existingTape, newTape, openingLines, type OpenedTape, type TapePlace } from "./tapes/tape.ts"
import type { SyncMode } from "./tapes/sessions.ts"
import { modelFor, modelPlace, ownChoice, withBrought } from "./models/session-model.ts"
import { sessionEvent } from "./session-event.ts"
import { levelOf, sandboxFacts } from "./sandbox/sandbox.ts"
import { changeDetectorOf } from "./tools/change-detector.ts"
import type { TaskFacts } from "./tasks/task-facts.ts"
import { tasksOf } from "./tasks/tasks.ts"
import { toolPlaceOf } from "./tools/tool-place.ts"
import { buildTools, reselected } from "./tools/tools.ts"
import { type RecordPlace, type SessionNetwork, sessionNetwork } from "./network/transport.ts"
import type { CredentialSources } from "../config/credentials.ts"
import type { SessionSpec } from "../config/session-spec.ts"
import { attempt, must, ok, type Outcome, usage } from "../config/usage.ts"
import { nextSlice, systemClock } from "../ports.ts"
import { loadPrompt } from "../session/runs/prompt-state.ts"
import { createQuestions } from "../session/questions/questions.ts"
import { repair } from "../session/repair.ts"
import { createSession, type Session, type SessionDeps } from "../session/session.ts"
import type { Services } from "../services.ts"

/** A session with every part chosen. */
export interface App extends Endings {
  readonly session: Session
  /** The first event; the first line for people is made of it. */
  readonly info: SessionEvent
  readonly chosen: ChosenModel
  /** Whole lines for the user, before anything is sent. */
  readonly lines: readonly string[]
  /** What runs in the background; where there is no time for `leave`, the death of the process ends it. */
  readonly jobs: Jobs
  readonly choosing: Choosing
  /** For when nobody waits: the index of sessions reads what is new in this one. Says nothing, never fails. */
  catchUp(): Promise<void>
  /** Skills, templates and what else lies in files of the user's and of the folder. */
  readonly resources: Resources
  /** For another session that goes on with it. */
  readonly opened: OpenedTape
  readonly hosts: Hosts
  /** Where the session works. */
  readonly host: Host
}

/** What a program gives beside the plain data of a spec. */
export interface SessionOptions {
  /** A model that needs neither a key nor the network, in place of the one that the spec would name. */
  readonly provider?: Provider
  /** Beside the built-in ones; permission is asked for each call, as for anything unknown. */
  readonly customTools?: readonly Tool[]
  /** Called before those that are configured. */
  readonly hooks?: readonly Hook[]
  /** Goes on with a tape that is open already; it stays open when that cannot be done. */
  readonly opened?: OpenedTape
  /** Default: this machine alone. */
  readonly hosts?: Hosts
  /** `thread-pool` in a process of many sessions, so that a slow disk stops none of the others. Default: `at-once`. */
  readonly syncMode?: SyncMode
}

interface Known {
  readonly services: Services
  readonly spec: SessionSpec
  readonly interactive: boolean
  /** The tape is on the disk. */
  readonly kept: boolean
  readonly own: SessionOptions
  readonly config: Config
  readonly sources: CredentialSources
  readonly loading: LoadingResources
  readonly place: TapePlace
  readonly existing: OpenedTape | null
}

const clock = systemClock

/** Opens a session, with every part chosen: the only place that knows which implementation stands behind a port. */
export function openSession(spec: SessionSpec, services: Services, own: SessionOptions = {}): Promise<Outcome<App>> {
  return attempt(async () => {
    const { tape: wanted = { kind: "new" }, interactive = false } = spec
    const shared = own.syncMode === "thread-pool"
    // Many that begin at once hold up no other session.
    if (shared) await nextSlice()
    const { config, place, stored } = must(await locateSession(services, spec, own))
    const sources = keySources({ services, spec, config })
    // A reload is to show how things are now.
    const fresh = wanted.kind === "fork" || own.opened !== undefined
    const extended = { services, spec, config, sources, interactive, fresh, shared }
    const loading = must(await loadResources(extended))
    let existing: OpenedTape | null = null
    try {
      if (wanted.kind === "fork") must(await mayFork(own, loading, wanted.session))
      existing = own.opened ? goneOnWith(own.opened) : must(await existingTape(place, stored, wanted.kind === "fork"))
      const kept = wanted.kind !== "memory"
      return await assemble({ services, spec, interactive, kept, own, config, sources, loading, place, existing })
    } catch (error) {
      await existing?.abandon()
      loading.end()
      throw error
    }
  })
}

function goneOnWith(opened: OpenedTape): OpenedTape {
  return { ...opened, resumed: true, abandon: async () => undefined }
}

async function mayFork(own: SessionOptions, loading: LoadingResources, session: string): Promise<Outcome<null>> {
  const hooks = [...(own.hooks ?? []), ...(await loading.extensions).hooks]
  const gated = await hookRunner(hooks, { clock, sessionId: session }).beforeSessionOp("fork", { session })
  return gated.answer === "ok" ? ok(null) : usage(phrase`--fork ${session}: not forked: ${gated.reason}`)
}

/** What can be wrong is found before a new session is made: a usage error leaves nothing behind. */
async function assemble(begun: Known): Promise<App> {
  const { services, spec, interactive, kept, own, place, existing } = begun
  const { settings } = begun.config
  const chosen = own.provider ? ownChoice(own.provider) : await modelFor(begun)
  const limitsFor = (...models: readonly Model[]) => limitsOf(settings, models, interactive)
  const limits = must(limitsFor(...[chosen, ...chosen.fallbacks].map(({ model }) => model)))
  const { bare, host, sandbox, network: reached } = await commandPlace(begun)
  const level = levelOf(settings, interactive, sandbox)
  const resources = await begun.loading.all()
  const { extensions } = resources
  const known = await withBrought(begun)
  const { config } = known
  const texts = must(await promptParts(known, resources))
  const { models, keyFor } = modelsOf(known, chosen)
  const summaries = must(await summaryModel(settings, models))
  const keys = keysOf(known, [chosen, ...chosen.fallbacks, summaries])
  const more = [{ from: "the session's options", tools: own.customTools ?? [] }, ...extensions.tools]
  const policy = must(await buildPolicy({ services, spec, config, level, sandbox, interactive, more, host }))
  const id = existing?.tape.id ?? (spec.tape?.kind === "id" ? spec.tape.id : place.ids.tape())
  const detector = changeDetectorOf(known, host)
  const tasks = tasksOf()
  const given = {
    keys: keys.held,
    session: id,
    policy,
    sandbox,
    host,
    changeDetector: detector,
    more,
    runTask: tasks.runTask,
  }
  const toolPlace = toolPlaceOf(known, given)
  const { tools, lines: toolLines, jobs, bash, declared, select } = must(buildTools(toolPlace, spec))
  const opened = existing ?? must(await newTape(place, kept, id))
  const { tape } = opened
  const repaired = repair(tape)
  if (spec.name !== undefined) tape.append([{ type: "session_info", name: spec.name }], { sync: false })
  const network = await networkOf(known, { folder: tape.store.path, keys, inside: insideOf(extensions) })
  const openModel = keys.adding(openerOf(network, { clock, silence: silenceOf(config) }))
  const active = { ...asSet(config), tools, compaction: compactionPolicy(settings, summaries, openModel) }
  const hookPlace = { services, spec, config, opened, clock, toolPlace, extensions, declared, host: bare }
  const hooks = await hooksOf({ ...hookPlace, own: own.hooks ?? [], level: () => policy.level })
  extensions.follow({ hooks, sources: more, renewed: () => reselected(active, tools, select(settings.values.tools)) })
  const parts: SessionDeps = {
    ...active,
    tape,
    provider: own.provider ?? (await openModel(chosen)),
    thinking: chosen.thinking,
    fallbacks: chosen.fallbacks.map((one) => ({ thinking: one.thinking, open: () => openModel(one) })),
    tools: () => active.tools,
    declared,
    bash,
    ...texts.parts,
    lastPrompt: opened.resumed ? await loadPrompt(tape) : null,
    hooks,
    telemetry: await telemetrySubscribers(services),
    policy,
    interactive,
    redact: keys.redact,
    limits,
    strict: spec.strict === true,
    toolExecution: "parallel",
    files: changedFiles(config.hosts, tape),
    changeDetector: detector?.port ?? null,
    get retry() {
      return active.retry
    },
    clock,
    ids: place.ids,
  }
  const live = liveSettings(known, active, parts)
  const session = recorded(network, Object.assign(live, { questions: createQuestions(live) }))
  reached.begin({ policy, session })
  tasks.begin(taskFacts(known, { session, parts: live, opened, models, limitsFor, network, keys }))
  extensions.sendTo(noticesTo(session, services), session.ask)
  const before = [...config.lines, ...chosen.lines, ...resourceLines(services.t, resources)]
  return {
    session,
    chosen,
    info: sessionEvent(known, opened, chosen, { permission: level, sandbox: sandboxFacts(sandbox) }, tools),
    lines: [...before, ...toolLines, ...texts.lines, ...openingLines(services.t, tape, repaired)],
    resources,
    jobs,
    choosing: { models, keyFor, openModel, limitsFor, selectTools: select, retry: active.retry, active },
    catchUp: () => catchUpSession(opened),
    ...endings(services.t, { session, jobs, transport: network, tape, extensions }),
    opened,
    hosts: config.hosts,
    host: config.host,
  }
}

/** Notices after the answer, or at a prompt, have no subscriber of the session: they go to stderr. */
function noticesTo(session: App["session"], services: Services) {
  return (notification: Notification): void => {
    if (!session.notify(notification) && "level" in notification)
      services.warn(`gong: ${services.t.text(notification.phrase ?? notification.text)}`)
  }
}

/** What models are chosen from once the first one is: a key of the command line was given for it. */
function modelsOf(known: Known, { model }: ChosenModel) {
  const keyFor = known.spec.apiKeyFor ?? (known.own.provider ? undefined : model.provider)
  const spec = { ...known.spec, ...(keyFor === undefined ? {} : { apiKeyFor: keyFor }) }
  return { keyFor, models: lazily(() => modelPlace({ ...known, spec })) }
}

function keysOf({ sources }: Known, chosen: readonly (Pick<ChosenModel, "credential"> | null)[]): KeyRing {
  const said = chosen.map((one) => one?.credential)
  return keyRing(sources, said)
}

type NetworkPlace = Pick<RecordPlace, "folder" | "keys" | "inside">

function networkOf({ services, config }: Known, place: NetworkPlace): Promise<SessionNetwork> {
  return sessionNetwork(services, config.settings, { ...place, clock, silence: silenceOf(config) })
}

/** Where a model is asked that an extension itself asks. */
function insideOf({ providers }: SessionExtensions): RecordPlace["inside"] {
  return ({ provider }) => providers.find(({ row }) => row.id === provider)?.transport ?? null
}

function recorded(network: SessionNetwork, parts: SessionDeps): Session {
  const session = createSession(parts)
  network.begin(parts, session)
  return session
}

type ForTasks = Pick<TaskFacts, "session" | "parts" | "opened" | "models" | "limitsFor"> & {
  readonly network: SessionNetwork
  readonly keys: KeyRing
}

function taskFacts({ services, spec, config, place, own }: Known, { network, keys, ...rest }: ForTasks): TaskFacts {
  const { settings } = config
  const places = contextPlaces(services, spec, config)
  return {
    ...rest,
    place,
    settings,
    openModel: keys.adding(openerOf({ over: network.unrecorded }, { clock, silence: silenceOf(config) })),
    contextHooks: (tape) => (places ? [nestedContext(places, tape, rest.parts.declared)] : []),
    provider: own.provider ?? null,
  }
}
