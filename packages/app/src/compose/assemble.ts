import type { Hook, Model, Provider } from "@gong/spec"
import type { ToolSource } from "@gong/tools"
import { changedFiles } from "./tools/changed-files.ts"
import { updateIndex } from "./tapes/update-index.ts"
import { telemetrySubscribers } from "./hooks/telemetry-subscribers.ts"
import { compactionPolicy, summaryModel } from "./models/compaction.ts"
import type { SessionContext } from "./config.ts"
import { commandHost } from "./sandbox/command-host.ts"
import { lazily } from "./lazily.ts"
import { contextFileOptions, nestedContext } from "./resources/context.ts"
import { keyNames, type KeyRing, keyRing } from "./keys/keys.ts"
import { sessionShutdown } from "./shutdown.ts"
import type { SessionExtensions } from "./extensions/extension-parts.ts"
import { sessionHooks } from "./hooks/hooks.ts"
import { liveSettings, streamTimeouts } from "./models/settings-values.ts"
import type { SessionMcp } from "./mcp/parts.ts"
import { sessionMcp } from "./mcp/session-mcp.ts"
import { reloadSettings } from "./models/settings-reload.ts"
import { runControls } from "./models/run-controls.ts"
import { limitsOf } from "./models/limits.ts"
import { type ChosenModel, type NamedModel, openerOf } from "./models/model.ts"
import { buildPolicy, type PolicyDeps } from "./permissions/policy.ts"
import { sessionPrompt } from "./resources/prompt.ts"
import { type LoadingResources, resourceLines } from "./resources/resources.ts"
import { newTape, openingLines, type OpenedTape } from "./tapes/tape.ts"
import type { TapeStorage } from "./tapes/storage.ts"
import { sessionModel, modelDeps, providerChoice, withExtensionModels } from "./models/session-model.ts"
import { notificationSink } from "./notification-sink.ts"
import { sessionEvent } from "./session-event.ts"
import { levelOf, type Sandbox, sandboxInfo } from "./sandbox/sandbox.ts"
import { changeDetectorOf } from "./tools/change-detector.ts"
import type { TaskDeps } from "./tasks/task-deps.ts"
import { createTasks } from "./tasks/tasks.ts"
import { toolDepsOf, type ToolOptions } from "./tools/tool-deps.ts"
import { buildTools, reselecting } from "./tools/tools.ts"
import { type RecordingDeps, type SessionNetwork, sessionNetwork } from "./network/transport.ts"
import type { CredentialSources } from "@gong/config/credentials"
import { must } from "@gong/config/usage"
import { loadPrompt } from "@gong/session/runs/prompt-state"
import { createQuestions } from "@gong/session/questions/questions"
import { repair } from "@gong/session/repair"
import { createSession, type SessionDeps } from "@gong/session/session"
import type { Translate } from "@gong/texts/translator"
import type { OpenedSession, SessionOptions } from "./opened-session.ts"

/** What is read before the parts of a session are composed. */
export interface ComposeContext extends SessionContext {
  readonly interactive: boolean
  /** The tape is stored on the disk. */
  readonly persistent: boolean
  readonly options: SessionOptions
  readonly sources: CredentialSources
  readonly loading: LoadingResources
  readonly storage: TapeStorage
  readonly existing: OpenedTape | null
}

/** Usage errors are found before a new tape is created, so they leave no files. */
export async function assemble(context: ComposeContext): Promise<OpenedSession> {
  const { services, spec, interactive, persistent, options, storage, existing } = context
  const { clock } = services
  const { settings } = context.config
  const chosen = options.provider ? providerChoice(options.provider) : await sessionModel(context)
  const limitsFor = (...models: readonly Model[]) => limitsOf(settings, models, interactive)
  const limits = must(limitsFor(...[chosen, ...chosen.fallbacks].map(({ model }) => model)))
  const { bareHost, host, sandbox, networkPorts } = await commandHost(context)
  const resources = await context.loading.all()
  const complete = await withExtensionModels(context)
  const { extensions } = resources
  const { config } = complete
  const prompt = must(await sessionPrompt(complete, resources))
  const { models, keyFor } = modelsOf(complete, chosen)
  const summaries = must(await summaryModel(settings, models))
  const keys = keysOf(complete, [chosen, ...chosen.fallbacks, summaries])
  const mcp = await serversOf(complete, sandbox, keys)
  const toolSources = [ownTools(options), mcp.source, ...extensions.tools]
  const level = levelOf(settings, interactive, sandbox)
  const toolOptions = { level, sandbox, host, toolSources, keys: keys.initial, session: idOf(context), mcp }
  const { policy, detector, tasks, toolDeps, ...built } = await toolsOf(complete, toolOptions)
  const { tools, jobs, bash, declared, select } = built
  const opened = existing ?? must(await newTape(storage, persistent, toolOptions.session))
  const { tape } = opened
  const repaired = repairAndName(opened, spec.name)
  const network = await networkOf(complete, { folder: tape.store.path, keys, ...extensionTransports(extensions) })
  const stream = { clock, silence: streamTimeouts(config) }
  const openModel = keys.tracking(openerOf(network, stream, (one) => session.notify(one)))
  const live = { ...liveSettings(config), compaction: compactionPolicy(settings, summaries, openModel) }
  const controls = runControls(tools, live)
  const hookDeps = { services, spec, config, opened, clock, toolDeps, extensions, declared, host: bareHost }
  const hooks = await sessionHooks({ ...hookDeps, own: hooksOf(mcp, options), level: () => policy.level })
  const renewed = reselecting(controls, tools, () => select(settings.values.tools))
  extensions.follow({ hooks, sources: toolSources, renewed })
  const deps: SessionDeps = {
    tape,
    ...(await modelsIn(options, chosen, openModel)),
    tools: controls.tools,
    settings: controls.settings,
    declared,
    bash,
    prompt: prompt.source,
    expander: reloadSettings(complete, controls, prompt.expander),
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
    ids: storage.ids,
  }
  const session = createSession(deps)
  network.attach(deps, session)
  networkPorts.attach({ policy, session })
  tasks.attach(taskDeps(complete, { session, sessionDeps: deps, opened, models, limitsFor, network, keys }))
  extensions.sendTo(notificationSink(session, services), session.ask)
  mcp.attach({ session, renewed })
  const later = [...built.lines, ...prompt.lines, ...openingLines(services.t, tape, repaired)]
  return {
    session,
    chosen,
    info: sessionEvent(complete, opened, chosen, { permission: level, sandbox: sandboxInfo(sandbox) }, tools),
    lines: linesOf(services.t, complete, { chosen, resources, mcp }, later),
    resources,
    mcp,
    jobs,
    choices: { models, keyFor, openModel, limitsFor, selectTools: select, retry: live.retry, controls },
    catchUp: () => updateIndex(opened),
    ...sessionShutdown(services.t, { session, jobs, transport: network, tape, extensions, mcp }),
    opened,
    host: config.host,
  }
}

type OpenModel = (chosen: NamedModel) => Promise<Provider>

/** The model of the session, and how its fallbacks are opened. */
async function modelsIn({ provider }: SessionOptions, chosen: ChosenModel, open: OpenModel) {
  return {
    provider: provider ?? (await open(chosen)),
    thinking: chosen.thinking,
    fallbacks: chosen.fallbacks.map((one) => ({ thinking: one.thinking, open: () => open(one) })),
  }
}

function hooksOf(mcp: SessionMcp, { hooks = [] }: SessionOptions): readonly Hook[] {
  return [...mcp.hooks, ...hooks]
}

type LineSources = Pick<OpenedSession, "chosen" | "resources" | "mcp">

/** The lines for the user before the first request: of the configuration, then of the parts of the session. */
function linesOf(
  t: Translate,
  { config }: ComposeContext,
  { chosen, resources, mcp }: LineSources,
  others: readonly string[],
): readonly string[] {
  return [...config.lines, ...chosen.lines, ...mcp.lines.map(t.text), ...resourceLines(t, resources), ...others]
}

function idOf({ spec, storage, existing }: ComposeContext): string {
  return existing?.tape.id ?? (spec.tape?.kind === "id" ? spec.tape.id : storage.ids.tape())
}

function ownTools({ customTools = [] }: SessionOptions): ToolSource {
  return { from: "the session's options", tools: customTools }
}

/** The MCP servers; what their configuration tells them alone is redacted like a key of a model. */
async function serversOf(context: ComposeContext, sandbox: Sandbox, keys: KeyRing): Promise<SessionMcp> {
  const names = keyNames(context.sources, context.spec)
  return sessionMcp({ ...context, sandbox, keyNames: names, keys: keys.initial, redact: keys.add })
}

function repairAndName({ tape }: OpenedTape, name: string | undefined) {
  const repaired = repair(tape)
  if (name !== undefined) tape.append([{ type: "session_info", name }], { sync: false })
  return repaired
}

type SessionToolOptions = Pick<PolicyDeps, "level"> &
  Pick<OpenedSession, "mcp"> &
  Pick<ToolOptions, "toolSources" | "keys" | "session" | "sandbox" | "host">

/** The tools of a session, the policy for their calls, and the detector of their changes. */
async function toolsOf(context: ComposeContext, { level, mcp, ...given }: SessionToolOptions) {
  const { spec } = context
  const { sandbox, host, toolSources } = given
  const policy = must(await buildPolicy({ ...context, level, sandbox, toolSources, trusted: mcp.declared, host }))
  const detector = changeDetectorOf(context, host)
  const tasks = createTasks()
  const { runTask } = tasks
  const toolDeps = toolDepsOf(context, { ...given, policy, changeDetector: detector, runTask })
  return { policy, detector, tasks, toolDeps, ...must(buildTools(toolDeps, spec)) }
}

/** The dependencies of later model choices. A key of the command line belongs to the provider of the first model. */
function modelsOf(context: ComposeContext, { model }: ChosenModel) {
  const keyFor = context.spec.apiKeyFor ?? (context.options.provider ? undefined : model.provider)
  const spec = { ...context.spec, ...(keyFor === undefined ? {} : { apiKeyFor: keyFor }) }
  return { keyFor, models: lazily(() => modelDeps({ ...context, spec })) }
}

function keysOf({ sources }: ComposeContext, chosen: readonly (Pick<ChosenModel, "credential"> | null)[]): KeyRing {
  return keyRing(
    sources,
    chosen.map((one) => one?.credential),
  )
}

type NetworkOptions = Pick<RecordingDeps, "folder" | "keys" | "customTransport">

function networkOf({ services, config }: ComposeContext, options: NetworkOptions): Promise<SessionNetwork> {
  const { clock } = services
  return sessionNetwork(services, config.settings, { ...options, clock, silence: streamTimeouts(config) })
}

/** Models whose requests an extension makes itself. */
function extensionTransports({ providers }: SessionExtensions): Pick<RecordingDeps, "customTransport"> {
  return { customTransport: ({ provider }) => providers.find(({ row }) => row.id === provider)?.transport ?? null }
}

type SessionTaskDeps = Pick<TaskDeps, "session" | "sessionDeps" | "opened" | "models" | "limitsFor"> & {
  readonly network: SessionNetwork
  readonly keys: KeyRing
}

function taskDeps(context: ComposeContext, { network, keys, ...rest }: SessionTaskDeps): TaskDeps {
  const { services, config, storage, options } = context
  const sources = contextFileOptions(context)
  const timeouts = { clock: services.clock, silence: streamTimeouts(config) }
  return {
    ...rest,
    storage,
    settings: config.settings,
    openModel: keys.tracking(openerOf({ over: network.unrecorded }, timeouts)),
    contextHooks: (tape) => (sources ? [nestedContext(sources, tape, rest.sessionDeps.declared)] : []),
    provider: options.provider ?? null,
  }
}
