import type { ClientImage } from "@gong/app/controller/prompt-input"
import type { Block } from "@gong/screen/row"
import type { Size } from "@gong/screen/frame"
import type { Input } from "@gong/screen/keys"
import type { Dialog, DialogValue } from "./dialog/dialog.ts"
import type { CompletionItem, CompletionTarget } from "./input/completion.ts"
import type { DirectAction } from "./input/keymap.ts"
import type { Passage, PassageAction, ReaderText } from "./reader/reader.ts"
import type { RunningCall } from "./state.ts"

/** What has happened. */
export type Message =
  | { readonly kind: "input"; readonly input: Input }
  | { readonly kind: "size"; readonly size: Size }
  /** Nothing has happened but time. */
  | { readonly kind: "tick" }
  | { readonly kind: "blocks"; readonly blocks: readonly Block[] }
  /** New final lines of the reply, and its open lines, which further text can change. */
  | { readonly kind: "reply"; readonly final: readonly Block[]; open(): readonly Block[] }
  /** The blocks that were drawn. */
  | { readonly kind: "drawn"; readonly blocks: number }
  | { readonly kind: "running"; readonly isRunning: boolean }
  | { readonly kind: "calls"; readonly calls: readonly RunningCall[] }
  | { readonly kind: "todos" | "waiting"; readonly texts: readonly string[] }
  | { readonly kind: "status"; readonly parts: readonly string[] }
  | { readonly kind: "hint"; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  /** Messages of the opened session, the newest last. */
  | { readonly kind: "history"; readonly texts: readonly string[] }
  /** An image was pasted. */
  | { readonly kind: "image"; readonly image: ClientImage }
  | { readonly kind: "completions"; readonly target: CompletionTarget; readonly items: readonly CompletionItem[] }
  | { readonly kind: "ask"; readonly dialog: Dialog }
  | { readonly kind: "close"; readonly id: string }
  /** Lines about a row of a list, by its index. */
  | { readonly kind: "preview"; readonly id: string; readonly of: number; readonly lines: readonly string[] }
  /** Opens the reader. */
  | { readonly kind: "read"; readonly id: number; readonly text: ReaderText }
  /** Adds earlier passages to the text that is read. */
  | { readonly kind: "passages"; readonly id: number; readonly passages: readonly Passage[] }

/** Work that an update asks for. */
export type Action =
  | { readonly kind: "send"; readonly text: string; readonly isLater: boolean; readonly images: readonly ClientImage[] }
  | { readonly kind: "answer"; readonly id: string; readonly value: DialogValue }
  /** Asks for lines about a row of a list, by its index. */
  | { readonly kind: "preview"; readonly id: string; readonly of: number }
  | { readonly kind: "complete"; readonly target: CompletionTarget }
  | { readonly kind: "leave"; readonly isInterrupted: boolean }
  /** Shows a notification of the end of a run, or of a question. */
  | { readonly kind: "notify"; readonly about: "end" | "question" }
  /** The terminal has answered a query. */
  | { readonly kind: "reply"; readonly text: string }
  | PassageAction
  /** The reader was closed, with one of its own keys or without. */
  | { readonly kind: "read-end"; readonly id: number; readonly key: string | null }
  | { readonly kind: "stop" | "take-back" | "redraw" | "suspend" | "warn-exit" }
  | { readonly kind: DirectAction }
