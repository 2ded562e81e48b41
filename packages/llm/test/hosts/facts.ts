import type { Api, AssistantMessage, Usage } from "@gong/spec"

/** The reply of every host in these tests: text, sizes and ids are invented, and hard to cut. */
export const scene = {
  thinking: ["Hm, ", "ü 世", "界?\n"],
  text: ["Hel", 'lo "世界" ', "😀\\n"],
  calls: [
    { id: "call_1", name: "ls", args: { path: '/ü "x"' } },
    { id: "call_2", name: "read", args: { path: "a b", lines: [1, 2] } },
  ],
} as const

/** Default token counts: 100 tokens of the prompt were cached, 8 of the output are reasoning. */
export const counted: Usage = { input: 20, output: 40, cacheRead: 100, cacheWrite: 0, reasoning: 8 }

/** Evidence for a host's facts: a public recording or test of its stream, its source code, or its documentation. */
export type Basis = "recorded" | "source" | "documents"

export interface Host {
  readonly host: string
  readonly source: string
  readonly basis: Basis
}

/** Format of calls in Chat Completions. */
export interface CallFacts {
  readonly arguments: "pieces" | "whole"
  /** Default: each has its own. */
  readonly index?: "absent" | "zero"
  /** Default: in the first delta only. */
  readonly id?: "every" | "empty later" | "absent"
  /** Default: in the first delta only. */
  readonly name?: "empty later"
  /** A delta without arguments after the last one. */
  readonly emptyEnd?: boolean
  readonly type?: "absent"
}

/** Differences of a host's stream from OpenAI's reference for Chat Completions. */
export interface ChatFacts extends Host {
  /** Line ends; default `
  `. */
  readonly eol?: "\r\n"
  /** Default `data: `. */
  readonly field?: "data:"
  /** Comments before the first event. */
  readonly comments?: readonly string[]
  /** Chunks before the first of the reply. */
  readonly before?: readonly object[]
  /** Default: present. */
  readonly done?: false
  /** `choices` precedes the other fields of a chunk. */
  readonly choicesFirst?: boolean
  /** Fields of every chunk. */
  readonly beside?: object
  readonly inChoice?: object
  readonly inDelta?: object
  /** The delta before the first text; null: none. Default `{role: "assistant", content: ""}`. */
  readonly first?: object | null
  readonly roleInEach?: boolean
  /** Location of reasoning; default: none. */
  readonly thoughts?: "reasoning_content" | "reasoning" | "content" | "tags" | "details"
  /** Other fields of a delta with reasoning. */
  readonly withThoughts?: object
  /** Other fields of a delta with text. */
  readonly withText?: object
  /** `finish_reason` before the end; default null. */
  readonly unfinished?: "absent" | ""
  /** Default: a separate chunk. `message`: with the whole message instead of a delta. */
  readonly finish?: "with the last piece" | "twice" | "never" | "message"
  /** Default `{}`. */
  readonly lastDelta?: object
  /** Every choice has the message so far besides its delta. */
  readonly repeated?: boolean
  /** Default: a separate chunk without choices. */
  readonly usage?: "with the finish" | "in each" | "in the choice" | "with an empty choice"
  /** `usage` of earlier chunks. */
  readonly usageBefore?: object | null
  /** Default: as `counted`, with OpenAI's names. */
  readonly counts?: object
  /** Meaning of these counts; default: `counted`. */
  readonly means?: Usage
  /** Null: none in this stream. Default: streamed. */
  readonly calls?: CallFacts | null
}

/** Expected result of a stream. */
export interface Expected {
  readonly content: AssistantMessage["content"]
  readonly stopReason: AssistantMessage["stopReason"]
  readonly usage: Usage
}

/** A host with its stream as text. */
export interface HostStream extends Host {
  readonly api: Api
  readonly stream: string
  readonly expected: Expected
}
