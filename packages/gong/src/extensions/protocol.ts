import type { Text } from "@gong/spec"
import type { ExtensionEventName, ExtensionTool } from "./api.ts"

/** What the worker thread of extensions is begun with: all that it may be told to load. */
export interface WorkerBegin {
  readonly gong: string
  readonly cwd: string
  readonly workspace: string
  /** Folder for compiled copies; null: none are kept. */
  readonly cache: string | null
  /** File that says what they brought the last times (`memory.ts`); null: it is not written. */
  readonly memory: string | null
  readonly extensions: readonly WorkerExtension[]
}

export interface WorkerExtension {
  readonly id: number
  readonly name: string
  /** Real path of its file. */
  readonly path: string
  /** Real path of the folder that it lies in. */
  readonly folder: string
  /** What bounds its imports; null: nothing does. */
  readonly fence: Fence | null
  readonly settings: Readonly<Record<string, unknown>>
}

/** A folder of a trusted repository: what is imported inside of it lies in it, and is as it was when it was trusted. */
export interface Fence {
  /** Real path. */
  readonly folder: string
  /** SHA-256 (hex) by real path. */
  readonly files: ReadonlyMap<string, string>
}

/** What an extension has registered, as far as it is plain data; its functions stay in the worker. */
export interface Offers {
  readonly tools: readonly OfferedTool[]
  readonly commands: readonly OfferedCommand[]
  readonly hooks: readonly OfferedHook[]
  readonly providers: readonly OfferedProvider[]
  /** Tools whose calls they show. */
  readonly renderers: readonly string[]
  readonly events: readonly ExtensionEventName[]
  readonly resources: OfferedResources
}

export const resourceKinds = ["skills", "prompts", "themes"] as const

/** Full paths. */
export type OfferedResources = Readonly<Record<(typeof resourceKinds)[number], readonly string[]>>

/** What its author declares is taken over as it is; absent: nothing is known. */
export interface OfferedTool extends Pick<ExtensionTool, "effect" | "paths" | "aliases" | "summary"> {
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

export interface OfferedCommand {
  readonly name: string
  readonly about: string
  readonly value: string | null
}

/** `facts`: what a provider in models.json may say, not looked at yet. */
export interface OfferedProvider {
  readonly name: string
  readonly facts: Readonly<Record<string, unknown>>
  /** The extension asks the models itself. */
  readonly streams: boolean
}

/** What `on` of the API can look at. */
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

export interface OfferedHook {
  readonly callbacks: readonly HookCallback[]
  readonly tools: readonly string[] | null
  readonly timeMs: number
}

/** Which function of an extension: of a tool or command by name, of a hook by its number, of an event by its name. */
export type Door =
  | { readonly door: "tool"; readonly key: string }
  | { readonly door: "command"; readonly key: string }
  | { readonly door: "renderer"; readonly key: string }
  /** Gives the pieces of a reply; its answer says only that they are over. */
  | { readonly door: "provider"; readonly key: string }
  | { readonly door: "event"; readonly key: string }
  | { readonly door: "hook"; readonly key: number; readonly callback: HookCallback }

/** A call of one of these functions. */
export interface Call {
  readonly extension: number
  readonly door: Door
  readonly args: readonly unknown[]
  /** Of the model's call, for a tool. */
  readonly callId?: string
  /** Somebody answers what a command asks. */
  readonly interactive?: boolean
}

/** What went wrong in an extension, and where. */
export interface Problem {
  /** Without a full stop. A phrase is Gong's own, a string what the extension threw. */
  readonly message: Text
  readonly stack: string
  /** A file of the extension; null where none stands in the stack. */
  readonly path: string | null
  /** From 1. */
  readonly line: number | null
  /** HTTP status that the error carries, and the code of the connection's fault behind it. */
  readonly status?: number
  readonly code?: string
}

export type Question = "choose" | "confirm" | "line"

export type ToWorker =
  /** The first message: until then the thread has loaded nothing but itself, and its environment is empty. */
  | { readonly kind: "begin"; readonly begin: WorkerBegin; readonly env: Readonly<Record<string, string>> }
  /** Loads these, one after the other, when what was asked for before has been loaded. */
  | { readonly kind: "load"; readonly extensions: readonly number[] }
  | ({ readonly kind: "call"; readonly id: number } & Call)
  | { readonly kind: "stop"; readonly id: number }
  /** So many characters of pieces of a call have been used. */
  | { readonly kind: "taken"; readonly id: number; readonly size: number }
  | { readonly kind: "ping" }
  | { readonly kind: "reply"; readonly id: number; readonly value: unknown }

/** `json`: what came back, as text, so that it is plain data, and its size and depth are known before it is. */
export type FromWorker =
  /** Of `Offers`. */
  | { readonly kind: "loaded"; readonly extension: number; readonly json: string }
  /** `late`: it did not come to an end in time. */
  | { readonly kind: "failed"; readonly extension: number; readonly problem: Problem; readonly late: boolean }
  /** All that the thread was begun with were loaded, or did not load. */
  | { readonly kind: "ready" }
  | { readonly kind: "answer"; readonly id: number; readonly json: string }
  | { readonly kind: "threw"; readonly id: number; readonly problem: Problem }
  | { readonly kind: "piece"; readonly id: number; readonly json: string }
  | { readonly kind: "progress"; readonly id: number; readonly delta: string }
  | { readonly kind: "said"; readonly extension: number; readonly level: "info" | "warn"; readonly text: string }
  /** What it printed, which belongs nowhere. */
  | { readonly kind: "printed"; readonly extension: number | null; readonly text: string }
  /** What nobody waited for went wrong. */
  | { readonly kind: "stray"; readonly extension: number | null; readonly problem: Problem }
  | {
      readonly kind: "ask"
      readonly id: number
      readonly call: number
      readonly question: Question
      readonly args: readonly unknown[]
    }
  /** Whose function called process.exit(); null: nobody's. */
  | { readonly kind: "leaving"; readonly extension: number | null }
  | { readonly kind: "pong" }

/** The version of the API that this Gong speaks. */
export const apiVersion = 1

/** Bytes of one source file. */
export const maxSource = 2_000_000

/** Milliseconds in which an extension must have been loaded, and after which a worker that says nothing is ended. */
export const silenceTime = 5_000

/** Characters of one answer as JSON. */
export const maxAnswer = 8_000_000

/** Characters of pieces that wait to be used; the extension is not asked for more until some have been. */
export const maxAhead = 256_000

/** Characters of a problem's message and of its stack. */
export const maxProblem = 4_000
