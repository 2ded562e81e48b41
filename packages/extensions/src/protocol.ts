import type { Text } from "@gong/spec"
import type { ExtensionEventName, ExtensionTool } from "./api.ts"

/** Configuration of the worker thread. */
export interface WorkerBegin {
  readonly gong: string
  readonly cwd: string
  readonly workspace: string
  /** Folder for compiled copies; null: none are stored. */
  readonly cache: string | null
  /** File with earlier registrations (`memory.ts`); null: not written. */
  readonly memory: string | null
  /** In load order. */
  readonly extensions: readonly WorkerExtension[]
}

export interface WorkerExtension {
  readonly id: number
  readonly name: string
  /** Real path of its file. */
  readonly path: string
  /** Real path of its folder. */
  readonly folder: string
  /** Restricts its imports; null: no restriction. */
  readonly boundary: ImportBoundary | null
  readonly settings: Readonly<Record<string, unknown>>
}

/** A folder of a trusted repository. Modules inside import only from inside, with the content that was trusted. */
export interface ImportBoundary {
  /** Real path. */
  readonly folder: string
  /** SHA-256 (hex) by real path. */
  readonly files: ReadonlyMap<string, string>
}

/** The plain data of an extension's registrations; its functions stay in the worker. */
export interface Registrations {
  readonly tools: readonly RegisteredTool[]
  readonly commands: readonly RegisteredCommand[]
  readonly hooks: readonly RegisteredHook[]
  readonly providers: readonly RegisteredProvider[]
  /** Tools whose calls it renders. */
  readonly renderers: readonly string[]
  readonly events: readonly ExtensionEventName[]
  readonly resources: RegisteredResources
}

export const resourceKinds = ["skills", "prompts", "themes"] as const

/** Full paths. */
export type RegisteredResources = Readonly<Record<(typeof resourceKinds)[number], readonly string[]>>

/** The author's declarations are used unchanged; absent if unknown. */
export interface RegisteredTool extends Pick<ExtensionTool, "effect" | "paths" | "aliases" | "summary"> {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly title: string | null
  readonly promptSnippet: string
  readonly promptGuidelines: readonly string[]
  readonly readOnly: boolean
  readonly interruptible: boolean
}

export interface RegisteredCommand {
  readonly name: string
  readonly about: string
  readonly value: string | null
}

/** `facts`: like a provider in models.json, not validated yet. */
export interface RegisteredProvider {
  readonly name: string
  readonly facts: Readonly<Record<string, unknown>>
  /** The extension itself serves the models. */
  readonly streams: boolean
}

/** Events that `on` of the API can observe. */
const events: Readonly<Record<ExtensionEventName, true>> = {
  "session.start": true,
  "session.shutdown": true,
  "agent.start": true,
  "agent.end": true,
  "turn.start": true,
  "turn.end": true,
  "model.select": true,
  "llm.start": true,
  "llm.stop": true,
  "tool.start": true,
  "tool.stop": true,
  "permission.ask": true,
  "hook.error": true,
}
export const eventNames: readonly string[] = Object.keys(events)

export const hookCallbacks = [
  "beforeToolCall",
  "beforeSessionOp",
  "beforeStop",
  "onToolResult",
  "onContext",
  "onInput",
  "onBeforeAgent",
] as const
export type HookCallback = (typeof hookCallbacks)[number]

export interface RegisteredHook {
  readonly callbacks: readonly HookCallback[]
  readonly tools: readonly string[] | null
  readonly timeMs: number
}

/** Identifies a function of an extension: of a tool or command by name, of a hook by number, of an event by name. */
export type CallTarget =
  | { readonly kind: "tool"; readonly key: string }
  | { readonly kind: "command"; readonly key: string }
  | { readonly kind: "renderer"; readonly key: string }
  /** Streams the chunks of a reply; its answer only marks the end. */
  | { readonly kind: "provider"; readonly key: string }
  | { readonly kind: "event"; readonly key: string }
  | { readonly kind: "hook"; readonly key: number; readonly callback: HookCallback }

/** A call of one of these functions. */
export interface Call {
  readonly extension: number
  readonly target: CallTarget
  readonly args: readonly unknown[]
  /** Id of the model's tool call. */
  readonly callId?: string
  /** Whether a user can answer questions of a command. */
  readonly interactive?: boolean
  /** Number of the session, if several share the thread. */
  readonly session?: number
}

/** The session of the call during which it came; null if that is not known. */
interface FromSession {
  readonly session: number | null
}

/** An error in an extension, and its location. */
export interface Problem {
  /** Without a full stop. A phrase is Gong's own, a string was thrown by the extension. */
  readonly message: Text
  readonly stack: string
  /** A file of the extension; null if the stack names none. */
  readonly path: string | null
  /** Counted from 1. */
  readonly line: number | null
  /** HTTP status of the error, and the code of the underlying connection error. */
  readonly status?: number
  readonly code?: string
}

export type Question = "choose" | "confirm" | "line"

export type ToWorker =
  /** The first message: loads all. Until then the thread has loaded nothing and its environment is empty. */
  | { readonly kind: "begin"; readonly begin: WorkerBegin; readonly env: Readonly<Record<string, string>> }
  | ({ readonly kind: "call"; readonly id: number } & Call)
  | { readonly kind: "stop"; readonly id: number }
  /** Flow control: this many characters of a call's chunks were consumed. */
  | { readonly kind: "taken"; readonly id: number; readonly size: number }
  | { readonly kind: "ping" }
  | { readonly kind: "reply"; readonly id: number; readonly value: unknown }

/** `json`: the result as text, so that it is plain data and its size and depth are checked before parsing. */
export type FromWorker =
  /** JSON of `Offers`. */
  | { readonly kind: "loaded"; readonly extension: number; readonly json: string }
  /** `timedOut`: the load timed out. */
  | { readonly kind: "failed"; readonly extension: number; readonly problem: Problem; readonly timedOut: boolean }
  /** All extensions of the thread were loaded or failed. */
  | { readonly kind: "ready" }
  | { readonly kind: "answer"; readonly id: number; readonly json: string }
  | { readonly kind: "threw"; readonly id: number; readonly problem: Problem }
  | { readonly kind: "chunk"; readonly id: number; readonly json: string }
  | { readonly kind: "progress"; readonly id: number; readonly delta: string }
  | ({
      readonly kind: "notice"
      readonly extension: number
      readonly level: "info" | "warn"
      readonly text: string
    } & FromSession)
  /** Printed output that belongs to no call. */
  | ({ readonly kind: "printed"; readonly extension: number | null; readonly text: string } & FromSession)
  /** An unhandled error. */
  | ({ readonly kind: "unhandled"; readonly extension: number | null; readonly problem: Problem } & FromSession)
  | {
      readonly kind: "ask"
      readonly id: number
      readonly call: number
      readonly question: Question
      readonly args: readonly unknown[]
    }
  /** The extension that called process.exit(); null if unknown. */
  | { readonly kind: "exiting"; readonly extension: number | null }
  | { readonly kind: "pong" }

/** The API version of this Gong. */
export const apiVersion = 1

/** Maximum bytes of one source file. */
export const maxSource = 2_000_000

/** Milliseconds for loading an extension, and of silence after which the worker is ended. */
export const silenceTime = 5_000

/** Maximum characters of one answer as JSON. */
export const maxAnswer = 8_000_000

/** Maximum characters of unconsumed chunks; the extension is paused beyond that. */
export const maxUnconsumed = 256_000

/** Maximum characters of a problem's message and of its stack. */
export const maxProblem = 4_000
