import type { ExtensionProvider } from "./api-models.ts"

export type * from "./api-models.ts"

/**
 * What an extension of Gong is given and gives, version 1: types only, and whole in this file and the one of models, so that
 * authors need nothing else (docs/extensions.md). Within a version fields are only ever added.
 */
export interface ExtensionApi {
  /** The version of this API. An extension that needs a newer one says so: `export const api = 2`. */
  readonly api: 1
  /** The version of Gong. */
  readonly gong: string
  /** The extension's own: the name of its file or folder. */
  readonly name: string
  readonly cwd: string
  /** The git top level around `cwd`, or `cwd` itself. */
  readonly workspace: string
  /** What stands under `extensions.NAME` in the settings; `{}` without any. */
  readonly settings: Readonly<Record<string, unknown>>
  /** These register something. They work until the extension has been loaded, and not later. */
  tool<A extends object = Record<string, unknown>>(tool: ExtensionTool<A>): void
  command(command: ExtensionCommand): void
  hook(hook: ExtensionHook): void
  /** How ended calls of a tool are shown to people, Gong's own tools among them. */
  renderer(renderer: ExtensionRenderer): void
  /** Only the user's own extensions and those of `-e` bring models; of a project's, none are taken. */
  provider(provider: ExtensionProvider): void
  /** Only looks. Nobody waits for what it returns but the end of the session, for 5 s at most. */
  on<N extends ExtensionEventName>(event: N, look: (event: ExtensionEventOf<N>) => unknown): void
  /** Skills, prompt templates and themes that lie with the extension. */
  resources(paths: ExtensionResources): void
  /** Says a line to the user, never to the model. At any time. */
  say(text: string, level?: "info" | "warn"): void
}

/** The default export of an extension. It is loaded when what this returns has resolved, within 5 s. */
export type Extension = (gong: ExtensionApi) => unknown

/** Files and folders, from the extension's own folder; those of a repository's extension lie in it. They count as if the user had named them. */
export interface ExtensionResources {
  readonly skills?: readonly string[]
  readonly prompts?: readonly string[]
  readonly themes?: readonly string[]
}

export interface CallContext {
  /** Aborted when nobody waits for the answer any more: the run was stopped, or the time is up. */
  readonly signal: AbortSignal
}

/** Questions to the person who is there: one after the other, in a conversation and by rpc. */
export interface AskingContext extends CallContext {
  /** Somebody is there who can answer; otherwise each of the following is answered with null or false. */
  readonly interactive: boolean
  /** The index of one of the rows, of which there are 200 at most; null: none of them. */
  choose(question: string, rows: readonly string[]): Promise<number | null>
  confirm(question: string): Promise<boolean>
  line(question: string): Promise<string | null>
}

/** What a model can call. Permission is asked for each call as for any tool; `--allow NAME` allows it. */
export interface ExtensionTool<A extends object = Record<string, unknown>> {
  /** 1 to 64 of a-z A-Z 0-9 _ -; of two with one name the first stays, and Gong's own are the first. */
  readonly name: string
  /** For people. Default: the name. */
  readonly label?: string
  /** For the model. */
  readonly description: string
  /** JSON Schema of an object; arguments are checked against it before the tool is called. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The argument that people see beside the name. Default: the first that is text. */
  readonly title?: string
  /** One line under "Available tools" of the system prompt. Default: the first line of the description. */
  readonly promptSnippet?: string
  readonly promptGuidelines?: readonly string[]
  /** Changes nothing, so that it may run beside other calls that only read. It is no permission. Default false. */
  readonly readOnly?: boolean
  /** May be stopped half-way by a message of the user's. Default false. */
  readonly interruptible?: boolean
  /**
   * What a call acts on outside of the session. With `write` and `execute` Gong looks what a call has changed in the workspace,
   * so that it can be undone. It is no permission: each call is asked about all the same. Default: unknown.
   */
  readonly effect?: "none" | "read" | "write" | "execute" | "network"
  /** The arguments that hold paths. Hooks get them whole; files that are read and changed outlive a compaction. Default: `path`. */
  readonly paths?: readonly PathArgument[]
  /** More names that a matcher of a hook may use for it; the first is its name there. */
  readonly aliases?: readonly string[]
  /** The field of `details` that says in a few words what came of a call. Default: the number of lines. */
  readonly summary?: string
  /** What it throws, the model reads as an error. Ended after 600 s. */
  execute(args: A, context: ToolCallContext): ToolAnswer | string | Promise<ToolAnswer | string>
}

export interface PathArgument {
  /** Its value is a path, or a list of paths. */
  readonly argument: string
  /** `file`: one file. `folder`: a folder, of which names are shown. `tree`: a folder with the text of all files in it. */
  readonly holds: "file" | "folder" | "tree"
}

export interface ToolCallContext extends AskingContext {
  readonly callId: string
  /** New output only; shown while the tool runs, never stored. */
  progress(delta: string): void
}

export interface ToolAnswer {
  /** For the model. */
  readonly content: string | readonly Content[]
  /** For people and programs; never sent to a model. */
  readonly details?: Readonly<Record<string, unknown>> | null
  readonly isError?: boolean
}

/** Of two for one tool the first counts. */
export interface ExtensionRenderer {
  /** The name of the tool. */
  readonly tool: string
  /** Nothing: Gong's own line. So it is where this throws or takes more than 250 ms; after three times it is not asked again. */
  render(call: ShownCall, context: CallContext): Maybe<string | readonly ShownLine[]>
}

/** A call that has ended. */
export interface ShownCall {
  readonly id: string
  readonly tool: string
  /** What Gong shows of the arguments. */
  readonly title: string
  readonly args: Readonly<Record<string, unknown>>
  readonly status: string
  readonly content: readonly Content[]
  readonly details: Readonly<Record<string, unknown>> | null
  readonly durationMs: number
  /** Columns of the terminal. */
  readonly width: number
}

/** One line, of 1,000 characters at most; of lines there are 100. A surface without styles shows the text alone. */
export type ShownLine = string | readonly ShownSpan[]

export interface ShownSpan {
  readonly text: string
  readonly style?: "plain" | "name" | "title" | "number" | "dim" | "added" | "removed" | "error"
}

/** What a person types as `/name ...`. Gong's own commands keep their names. */
export interface ExtensionCommand {
  /** Without the slash: a letter or digit, then anything but blanks and slashes. */
  readonly name: string
  /** What it does, in a few words. */
  readonly about: string
  /** How its arguments are written. */
  readonly value?: string
  /** `rest`: what followed the name, without blanks at its ends. */
  run(rest: string, context: CommandContext): CommandAnswer | Promise<CommandAnswer>
}

/** Lines for the user; `{ prompt }` is a message for the model; nothing: it is done. */
export type CommandAnswer = string | readonly string[] | { readonly prompt: string } | void | null

export type CommandContext = AskingContext

/**
 * The three kinds of hook: a gate (`before...`) may refuse, a pipe (`on...`) may change, and `on()` of the API only looks. All
 * are optional. Hooks run in the order in which they were loaded, behind those of the settings.
 */
export interface ExtensionHook {
  /** Only calls of these tools pass the gate and the pipe of results. Default: all. */
  readonly tools?: readonly string[]
  /** Milliseconds for one callback, 1 to 60,000. Default 5,000. A gate that is late blocks, a pipe is skipped. */
  readonly timeMs?: number
  beforeToolCall?(call: HookCall, context: CallContext): Maybe<GateAnswer>
  beforeSessionOp?(
    op: "fork" | "compact" | "switch",
    meta: Readonly<Record<string, unknown>>,
    context: CallContext,
  ): Maybe<GateAnswer>
  /** The run would end; `block` sends it on, with the reason as the model's next message. */
  beforeStop?(stop: { readonly again: boolean }, context: CallContext): Maybe<GateAnswer>
  onToolResult?(call: HookCall, result: HookResult, context: CallContext): Maybe<HookResult & HookAside>
  /** Messages that are given back as they are keep what is cached of them; all are frozen. Each call copies the conversation. */
  onContext?(messages: readonly Message[], context: CallContext): Maybe<readonly Message[]>
  onInput?(text: string, images: readonly ImageContent[], context: CallContext): Maybe<InputAnswer>
  onBeforeAgent?(prompt: string, system: string, context: CallContext): Maybe<BeforeAgentAnswer>
}

/** Nothing means: no objection, and nothing changed. */
export type Maybe<T> = T | void | null | Promise<T | void | null>

export interface HookCall {
  readonly id: string
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}

export interface HookResult {
  readonly content: readonly Content[]
  readonly details: Readonly<Record<string, unknown>> | null
  readonly isError: boolean
}

export interface HookAside {
  /** For the user. */
  readonly tell?: string
  /** Why the run ends after this. */
  readonly stop?: string
}

/** No answer loosens what the permissions decided; `ask` makes a question of what would have run. */
export type GateAnswer = HookAside &
  (
    | { readonly answer: "ok"; readonly arguments?: Readonly<Record<string, unknown>>; readonly note?: string }
    | { readonly answer: "ask"; readonly reason: string; readonly arguments?: Readonly<Record<string, unknown>> }
    | { readonly answer: "block"; readonly reason: string }
    | { readonly answer: "cancel"; readonly reason?: string }
  )

export type InputAnswer =
  | { readonly answer: "passthrough" }
  | { readonly answer: "transform"; readonly text: string; readonly images?: readonly ImageContent[] }
  | { readonly answer: "handled" }

export interface BeforeAgentAnswer extends HookAside {
  readonly prompt?: string
  readonly system?: string
  readonly messages?: readonly Message[]
}

export interface TextContent {
  readonly type: "text"
  readonly text: string
}

export interface ImageContent {
  readonly type: "image"
  readonly mimeType: string
  /** Base64. */
  readonly data: string
}

export type Content = TextContent | ImageContent

/** A message as the model sees it; fields that are not named here belong to Gong and are kept. */
export type Message =
  | { readonly role: "user"; readonly content: readonly Content[] }
  | {
      readonly role: "assistant"
      readonly content: readonly (TextContent | { readonly type: "thinking" | "tool_call" })[]
    }
  | {
      readonly role: "tool"
      readonly toolCallId: string
      readonly toolName: string
      readonly content: readonly Content[]
      readonly isError: boolean
    }

/** What `on` can look at; each event also has `event` (its name) and `session_id`. Durations are milliseconds. */
export interface ExtensionEvents {
  readonly "session.start": object
  readonly "session.shutdown": object
  readonly "agent.start": { readonly prompt: string }
  readonly "agent.end": { readonly duration_ms: number; readonly steps: number; readonly status: string }
  readonly "turn.start": { readonly turn_index: number }
  readonly "turn.end": {
    readonly turn_index: number
    readonly duration_ms: number
    readonly tool_calls: readonly { readonly id: string; readonly tool: string }[]
  }
  readonly "model.select": { readonly model: string; readonly provider: string }
  readonly "llm.start": { readonly model: string; readonly provider: string }
  readonly "llm.stop": { readonly model: string; readonly provider: string; readonly duration_ms: number }
  readonly "tool.start": HookCall
  readonly "tool.stop": {
    readonly id: string
    readonly tool: string
    readonly duration_ms: number
    readonly result: { readonly content: readonly Content[]; readonly isError: boolean }
  }
  readonly "permission.ask": { readonly id: string; readonly tool: string; readonly title: string }
  readonly "hook.error": { readonly hook: string; readonly callback: string; readonly error: string }
}

export type ExtensionEventName = keyof ExtensionEvents

export type ExtensionEventOf<N extends ExtensionEventName> = ExtensionEvents[N] & {
  readonly event: N
  readonly session_id: string
}
