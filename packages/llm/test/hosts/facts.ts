import type { Api, AssistantMessage, Usage } from "@gong/spec"

/** What every host of these tests replies: words, sizes and ids are made up, and hard to cut. */
export const scene = {
  thinking: ["Hm, ", "ü 世", "界?\n"],
  text: ["Hel", 'lo "世界" ', "😀\\n"],
  calls: [
    { id: "call_1", name: "ls", args: { path: '/ü "x"' } },
    { id: "call_2", name: "read", args: { path: "a b", lines: [1, 2] } },
  ],
} as const

/** Tokens that the hosts count unless they say otherwise: 100 of the prompt were cached, 8 of the output reasoning. */
export const counted: Usage = { input: 20, output: 40, cacheRead: 100, cacheWrite: 0, reasoning: 8 }

/** What a host's facts rest on: a public recording or test of its stream, its source, or its documents. */
export type Basis = "recorded" | "source" | "documents"

export interface Host {
  readonly host: string
  readonly source: string
  readonly basis: Basis
}

/** How the calls of a reply come in Chat Completions. */
export interface CallFacts {
  readonly arguments: "pieces" | "whole"
  /** Default: each has its own. */
  readonly index?: "absent" | "zero"
  /** Default: in the first piece only. */
  readonly id?: "every" | "empty later" | "absent"
  /** Default: in the first piece only. */
  readonly name?: "empty later"
  /** A piece without arguments behind the last. */
  readonly emptyEnd?: boolean
  readonly type?: "absent"
}

/** One host's stream in the format of Chat Completions, as far as it is not that of OpenAI's reference. */
export interface ChatFacts extends Host {
  /** Ends of lines; default `\n`. */
  readonly eol?: "\r\n"
  /** Default `data: `. */
  readonly field?: "data:"
  /** Comments before the first event. */
  readonly comments?: readonly string[]
  /** Chunks before the first of the reply. */
  readonly before?: readonly object[]
  /** Default: there is. */
  readonly done?: false
  /** `choices` stands before the other fields of a chunk. */
  readonly choicesFirst?: boolean
  /** Fields of every chunk. */
  readonly beside?: object
  readonly inChoice?: object
  readonly inDelta?: object
  /** The delta before the first words; null: there is none. Default `{role: "assistant", content: ""}`. */
  readonly first?: object | null
  readonly roleInEach?: boolean
  /** Where thoughts stand; default: there are none. */
  readonly thoughts?: "reasoning_content" | "reasoning" | "content" | "tags" | "details"
  /** Other fields of a delta with thoughts. */
  readonly withThoughts?: object
  /** Other fields of a delta with text. */
  readonly withText?: object
  /** `finish_reason` before the end; default null. */
  readonly unfinished?: "absent" | ""
  /** Default: a chunk of its own. `message`: with the whole message in place of a delta. */
  readonly finish?: "with the last piece" | "twice" | "never" | "message"
  /** Default `{}`. */
  readonly lastDelta?: object
  /** Every choice has the message so far beside its delta. */
  readonly repeated?: boolean
  /** Default: a chunk of its own without choices. */
  readonly usage?: "with the finish" | "in each" | "in the choice" | "with an empty choice"
  /** `usage` of the chunks before. */
  readonly usageBefore?: object | null
  /** Default: as `counted`, with OpenAI's names. */
  readonly counts?: object
  /** What these counts mean; default: `counted`. */
  readonly means?: Usage
  /** Null: this stream has none. Default: in pieces. */
  readonly calls?: CallFacts | null
}

/** What must come of a stream. */
export interface Expected {
  readonly content: AssistantMessage["content"]
  readonly stopReason: AssistantMessage["stopReason"]
  readonly usage: Usage
}

/** A host with its bytes as text. */
export interface HostStream extends Host {
  readonly api: Api
  readonly stream: string
  readonly expected: Expected
}
