import type { ExtensionProvider } from "./api-models.ts"

export type * from "./api-models.ts"

/**
 * The API of an extension, version 1. Types only; this file and that of models are all that authors need
 * (docs/extensions.md). Within a version fields are only added.
 */
export interface ExtensionApi {
  /** The version of this API. An extension that needs a newer one exports it: `export const api = 2`. */
  readonly api: 1
  /** The version of Gong. */
  readonly gong: string
  /** The name of the extension: that of its file or folder. */
  readonly name: string
  readonly cwd: string
  /** The git top level around `cwd`, or `cwd` itself. */
  readonly workspace: string
  /** The settings under `extensions.NAME`; `{}` if absent. */
  readonly settings: Readonly<Record<string, unknown>>
  /** These register something. They work only until the extension has been loaded. */
  tool<A extends object = Record<string, unknown>>(tool: ExtensionTool<A>): void
  command(command: ExtensionCommand): void
  hook(hook: ExtensionHook): void
  /** Renders finished calls of a tool, including Gong's own tools. */
  renderer(renderer: ExtensionRenderer): void
  /** Accepted only from the user's own extensions and those of `-e`, not from those of a project. */
  provider(provider: ExtensionProvider): void
  /** Observes events. Its result is awaited only at the end of the session, for at most 5 s. */
  on<N extends ExtensionEventName>(event: N, look: (event: ExtensionEventOf<N>) => unknown): void
  /** Skills, prompt templates and themes shipped with the extension. */
  resources(paths: ExtensionResources): void
  /** Shows a line to the user, never to the model. Allowed at any time. */
  say(text: string, level?: "info" | "warn"): void
}

/** The default export of an extension. It counts as loaded when the result has resolved, within 5 s. */
export type Extension = (gong: ExtensionApi) => unknown

/** Paths relative to the extension's folder (a repository's must be inside it); they count as named by the user. */
export interface ExtensionResources {
  readonly skills?: readonly string[]
  readonly prompts?: readonly string[]
  readonly themes?: readonly string[]
}

export interface CallContext {
  /** Aborts when the answer is no longer needed: the run was stopped, or the time is up. */
  readonly signal: AbortSignal
}

/** Questions to the user, one at a time, in a conversation and over rpc. */
export interface AskingContext extends CallContext {
  /** Whether a user can answer. Otherwise each question returns null or false. */
  readonly interactive: boolean
  /** The index of the chosen row, of at most 200; null for none. */
  choose(question: string, rows: readonly string[]): Promise<number | null>
  confirm(question: string): Promise<boolean>
  line(question: string): Promise<string | null>
}

/** A tool for models. Permission is required for each call, as for any tool; `--allow NAME` grants it. */
export interface ExtensionTool<A extends object = Record<string, unknown>> {
  /** 1 to 64 of a-z A-Z 0-9 _ -. The first of two equal names wins, and Gong's own tools come first. */
  readonly name: string
  /** Shown to users. Default: the name. */
  readonly label?: string
  /** For the model. */
  readonly description: string
  /** JSON Schema of an object. Arguments are validated before the tool is called. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The argument shown beside the name. Default: the first string. */
  readonly title?: string
  /** One line under "Available tools" of the system prompt. Default: the first line of the description. */
  readonly promptSnippet?: string
  readonly promptGuidelines?: readonly string[]
  /** Changes nothing, so it may run in parallel with other read-only calls. Not a permission. Default false. */
  readonly readOnly?: boolean
  /** May be interrupted by a message of the user. Default false. */
  readonly interruptible?: boolean
  /**
   * What a call acts on outside of the session. With `write` and `execute` Gong detects its changes in the workspace,
   * so that they can be undone. Not a permission: each call still requires one. Default: unknown.
   */
  readonly effect?: "none" | "read" | "write" | "execute" | "network"
  /**
   * Arguments that hold paths. Hooks receive them as absolute paths; files that are read or changed are kept through
   * compaction. Default: `path`.
   */
  readonly paths?: readonly PathArgument[]
  /** Additional names for matchers of hooks; the first is its name in hook input. */
  readonly aliases?: readonly string[]
  /** The field of `details` that summarizes the outcome. Default: the number of lines. */
  readonly summary?: string
  /** An exception becomes an error result for the model. Times out after 600 s. */
  execute(args: A, context: ToolCallContext): ToolAnswer | string | Promise<ToolAnswer | string>
}

export interface PathArgument {
  /** Its value is a path or a list of paths. */
  readonly argument: string
  /**
   * `file`: one file. `folder`: a folder whose names are listed. `tree`: a folder including the content of its files.
   */
  readonly holds: "file" | "folder" | "tree"
}

export interface ToolCallContext extends AskingContext {
  readonly callId: string
  /** New output only. Shown while the tool runs, never stored. */
  progress(delta: string): void
}

export interface ToolAnswer {
  /** For the model. */
  readonly content: string | readonly Content[]
  /** For users and programs; never sent to a model. */
  readonly details?: Readonly<Record<string, unknown>> | null
  readonly isError?: boolean
}

/** The first renderer of a tool wins. */
export interface ExtensionRenderer {
  /** The name of the tool. */
  readonly tool: string
  /**
   * No result: Gong's own line, as after an exception or a timeout of 250 ms. After three failures it is not called
   * again.
   */
  render(call: ShownCall, context: CallContext): Maybe<string | readonly ShownLine[]>
}

/** A finished call. */
export interface ShownCall {
  readonly id: string
  readonly tool: string
  /** The arguments as shown by Gong. */
  readonly title: string
  readonly args: Readonly<Record<string, unknown>>
  readonly status: string
  readonly content: readonly Content[]
  readonly details: Readonly<Record<string, unknown>> | null
  readonly durationMs: number
  /** Columns of the terminal. */
  readonly width: number
}

/** At most 1,000 characters per line and 100 lines. A frontend without styles shows the text only. */
export type ShownLine = string | readonly ShownSpan[]

export interface ShownSpan {
  readonly text: string
  readonly style?: "plain" | "name" | "title" | "number" | "dim" | "added" | "removed" | "error"
}

/** A command typed as `/name ...`. Names of Gong's own commands are taken. */
export interface ExtensionCommand {
  /** Without the slash: a letter or digit, then anything except blanks and slashes. */
  readonly name: string
  /** A short description. */
  readonly about: string
  /** The syntax of its arguments. */
  readonly value?: string
  /** `rest`: the text after the name, trimmed. */
  run(rest: string, context: CommandContext): CommandAnswer | Promise<CommandAnswer>
}

/** Lines for the user; `{ prompt }` is a message for the model; nothing: done. */
export type CommandAnswer = string | readonly string[] | { readonly prompt: string } | void | null

export type CommandContext = AskingContext

/**
 * The three kinds of hook: a gate (`before...`) may refuse, a pipe (`on...`) may change, and `on()` of the API
 * observes. All are optional. Hooks run in load order, after those of the settings.
 */
export interface ExtensionHook {
  /** Restricts the gate and the pipe of results to calls of these tools. Default: all. */
  readonly tools?: readonly string[]
  /** Milliseconds for one callback, 1 to 60,000. Default 5,000. A gate that times out blocks, a pipe is skipped. */
  readonly timeMs?: number
  beforeToolCall?(call: HookCall, context: CallContext): Maybe<GateAnswer>
  beforeSessionOp?(
    op: "fork" | "compact" | "switch",
    meta: Readonly<Record<string, unknown>>,
    context: CallContext,
  ): Maybe<GateAnswer>
  /** The run is about to end. `block` continues it with the reason as the next message of the model. */
  beforeStop?(stop: { readonly again: boolean }, context: CallContext): Maybe<GateAnswer>
  onToolResult?(call: HookCall, result: HookResult, context: CallContext): Maybe<HookResult & HookAside>
  /** Messages returned unchanged keep their cache; all are frozen. Each call copies the conversation. */
  onContext?(messages: readonly Message[], context: CallContext): Maybe<readonly Message[]>
  onInput?(text: string, images: readonly ImageContent[], context: CallContext): Maybe<InputAnswer>
  onBeforeAgent?(prompt: string, system: string, context: CallContext): Maybe<BeforeAgentAnswer>
}

/** Nothing means no objection and no change. */
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
  /** Ends the run, with this reason. */
  readonly stop?: string
}

/** An answer never loosens a permission decision; `ask` turns an allowed call into a question. */
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

/** A message as the model sees it. Other fields belong to Gong and are kept. */
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

/** Events for `on`. Each also has `event` (its name) and `session_id`. Durations are milliseconds. */
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
