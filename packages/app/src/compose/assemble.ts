import type { Model } from "@gong/spec"
import { changedFiles } from "./tools/changed-files.ts"
import { updateIndex } from "./tapes/update-index.ts"
import { telemetrySubscribers } from "./hooks/telemetry-subscribers.ts"
import { compactionPolicy, summaryModel } from "./models/compaction.ts"
import type { Config } from "./config.ts"
import { commandHost } from "./sandbox/command-host.ts"
import { lazily } from "./lazily.ts"
import { contextSources, nestedContext } from "./resources/context.ts"
import { type KeyRing, keyRing } from "./keys/keys.ts"
import { endings } from "./shutdown.ts"
import type { SessionExtensions } from "./extensions/extension-parts.ts"
import { sessionHooks } from "./hooks/hooks.ts"
import { liveSettings, streamTimeouts } from "./models/settings-values.ts"
import { followSettings } from "./models/settings-reload.ts"
import { runControls } from "./models/run-controls.ts"
import { limitsOf } from "./models/limits.ts"
import { type ChosenModel, openerOf } from "./models/model.ts"
import { buildPolicy, type PolicyDeps } from "./permissions/policy.ts"
import { sessionPrompt } from "./resources/prompt.ts"
import { type LoadingResources, resourceLines } from "./resources/resources.ts"
import { newTape, openingLines, type OpenedTape, type TapeStorage } from "./tapes/tape.ts"
import { sessionModel, modelDeps, providerChoice, withExtensionModels } from "./models/session-model.ts"
import { notificationSink } from "./notification-sink.ts"
import { sessionEvent } from "./session-event.ts"
import { levelOf, sandboxFacts } from "./sandbox/sandbox.ts"
import { changeDetectorOf } from "./tools/change-detector.ts"
import type { TaskDeps } from "./tasks/task-deps.ts"
import { tasksOf } from "./tasks/tasks.ts"
import { type ToolParts, toolDepsOf } from "./tools/tool-deps.ts"
import { buildTools, reselect } from "./tools/tools.ts"
import { type RecordingDeps, type SessionNetwork, sessionNetwork } from "./network/transport.ts"
import type { CredentialSources } from "@gong/config/credentials"
import type { SessionSpec } from "@gong/config/session-spec"
import { must } from "@gong/config/usage"
import { loadPrompt } from "@gong/session/runs/prompt-state"
import { createQuestions } from "@gong/session/questions/questions"
import { repair } from "@gong/session/repair"
import { createSession, type Session, type SessionDeps } from "@gong/session/session"
import type { Services } from "../services.ts"
import type { OpenedSession, SessionOptions } from "./opened-session.ts"

/** What is known before the parts of a session are chosen. */
export interface Known {
  readonly services: Services
  readonly spec: SessionSpec
  readonly interactive: boolean
  /** The tape is on the disk. */
  readonly kept: boolean
  readonly own: SessionOptions
  readonly config: Config
  readonly sources: CredentialSources
  readonly loading: LoadingResources
  readonly place: TapeStorage
  readonly existing: OpenedTape | null
}

/** What can be wrong is found before a new session is made: a usage error leaves nothing behind. */
export async function assemble(begun: Known): Promise<OpenedSession> {
  const { services, spec, interactive, kept, own, place, existing } = begun
  const { clock } = services
  const { settings } = begun.config
  const chosen = own.provider ? providerChoice(own.provider) : await sessionModel(begun)
  const limitsFor = (...models: readonly Model[]) => limitsOf(settings, models, interactive)
  const limits = must(limitsFor(...[chosen, ...chosen.fallbacks].map(({ model }) => model)))
  const { bare, host, sandbox, network: reached } = await commandHost(begun)
  const level = levelOf(settings, interactive, sandbox)
  const resources = await begun.loading.all()
  const { extensions } = resources
  const known = await withExtensionModels(begun)
  const { config } = known
  const texts = must(await sessionPrompt(known, resources))
  const { models, keyFor } = modelsOf(known, chosen)
  const summaries = must(await summaryModel(settings, models))
  const keys = keysOf(known, [chosen, ...chosen.fallbacks, summaries])
  const more = [{ from: "the session's options", tools: own.customTools ?? [] }, ...extensions.tools]
  const id = existing?.tape.id ?? (spec.tape?.kind === "id" ? spec.tape.id : place.ids.tape())
  const at = { level, sandbox, host, more, keys: keys.held, session: id }
  const { policy, detector, tasks, toolDeps, ...chosenTools } = await toolsOf(known, at)
  const { tools, lines: toolLines, jobs, bash, declared, select } = chosenTools
  const opened = existing ?? must(await newTape(place, kept, id))
  const { tape } = opened
  const repaired = repair(tape)
  if (spec.name !== undefined) tape.append([{ type: "session_info", name: spec.name }], { sync: false })
  const network = await networkOf(known, { folder: tape.store.path, keys, inside: insideOf(extensions) })
  const openModel = keys.adding(openerOf(network, { clock, silence: streamTimeouts(config) }))
  const live = { ...liveSettings(config), compaction: compactionPolicy(settings, summaries, openModel) }
  const controls = runControls(tools, live)
  const hookPlace = { services, spec, config, opened, clock, toolDeps, extensions, declared, host: bare }
  const hooks = await sessionHooks({ ...hookPlace, own: own.hooks ?? [], level: () => policy.level })
  extensions.follow({ hooks, sources: more, renewed: () => reselect(controls, tools, select(settings.values.tools)) })
  const parts: SessionDeps = {
    tape,
    provider: own.provider ?? (await openModel(chosen)),
    thinking: chosen.thinking,
    fallbacks: chosen.fallbacks.map((one) => ({ thinking: one.thinking, open: () => openModel(one) })),
    tools: controls.tools,
    settings: controls.settings,
    declared,
    bash,
    ...texts.parts,
    expander: followSettings(known, controls, texts.parts.expander),
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
    questions: createQuestions({ clock, answerTime: () => controls.settings().answerTime }),
    clock,
    ids: place.ids,
  }
  const session = recorded(network, parts)
  reached.begin({ policy, session })
  tasks.begin(taskDeps(known, { session, parts, opened, models, limitsFor, network, keys }))
  extensions.sendTo(notificationSink(session, services), session.ask)
  const before = [...config.lines, ...chosen.lines, ...resourceLines(services.t, resources)]
  return {
    session,
    chosen,
    info: sessionEvent(known, opened, chosen, { permission: level, sandbox: sandboxFacts(sandbox) }, tools),
    lines: [...before, ...toolLines, ...texts.lines, ...openingLines(services.t, tape, repaired)],
    resources,
    jobs,
    choices: { models, keyFor, openModel, limitsFor, selectTools: select, retry: live.retry, controls },
    catchUp: () => updateIndex(opened),
    ...endings(services.t, { session, jobs, transport: network, tape, extensions }),
    opened,
    host: config.host,
  }
}

type ForTools = Pick<PolicyDeps, "level" | "more"> & Pick<ToolParts, "keys" | "session" | "sandbox" | "host">

/** The tools of a session, with what decides about their calls and finds what they changed. */
async function toolsOf(known: Known, { level, more, ...parts }: ForTools) {
  const { services, spec, config, interactive } = known
  const { sandbox, host } = parts
  const policy = must(await buildPolicy({ services, spec, config, level, sandbox, interactive, more, host }))
  const detector = changeDetectorOf(known, host)
  const tasks = tasksOf()
  const { runTask } = tasks
  const toolDeps = toolDepsOf(known, { ...parts, more, policy, changeDetector: detector, runTask })
  return { policy, detector, tasks, toolDeps, ...must(buildTools(toolDeps, spec)) }
}

/** What models are chosen from once the first one is: a key of the command line was given for it. */
function modelsOf(known: Known, { model }: ChosenModel) {
  const keyFor = known.spec.apiKeyFor ?? (known.own.provider ? undefined : model.provider)
  const spec = { ...known.spec, ...(keyFor === undefined ? {} : { apiKeyFor: keyFor }) }
  return { keyFor, models: lazily(() => modelDeps({ ...known, spec })) }
}

function keysOf({ sources }: Known, chosen: readonly (Pick<ChosenModel, "credential"> | null)[]): KeyRing {
  const said = chosen.map((one) => one?.credential)
  return keyRing(sources, said)
}

type NetworkDestination = Pick<RecordingDeps, "folder" | "keys" | "inside">

function networkOf({ services, config }: Known, place: NetworkDestination): Promise<SessionNetwork> {
  return sessionNetwork(services, config.settings, { ...place, clock: services.clock, silence: streamTimeouts(config) })
}

/** Where a model is asked that an extension itself asks. */
function insideOf({ providers }: SessionExtensions): RecordingDeps["inside"] {
  return ({ provider }) => providers.find(({ row }) => row.id === provider)?.transport ?? null
}

function recorded(network: SessionNetwork, parts: SessionDeps): Session {
  const session = createSession(parts)
  network.begin(parts, session)
  return session
}

type ForTasks = Pick<TaskDeps, "session" | "parts" | "opened" | "models" | "limitsFor"> & {
  readonly network: SessionNetwork
  readonly keys: KeyRing
}

function taskDeps({ services, spec, config, place, own }: Known, { network, keys, ...rest }: ForTasks): TaskDeps {
  const { settings } = config
  const places = contextSources(services, spec, config)
  return {
    ...rest,
    place,
    settings,
    openModel: keys.adding(
      openerOf({ over: network.unrecorded }, { clock: services.clock, silence: streamTimeouts(config) }),
    ),
    contextHooks: (tape) => (places ? [nestedContext(places, tape, rest.parts.declared)] : []),
    provider: own.provider ?? null,
  }
}
