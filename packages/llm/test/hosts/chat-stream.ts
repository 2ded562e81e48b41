import { type CallFacts, type ChatFacts, counted, type Expected, scene } from "./facts.ts"

/** The bytes that a host with these facts sends, as text. */
export function chatStream(facts: ChatFacts): string {
  const { eol = "\n", field = "data: ", comments = [], before = [], done } = facts
  const lines = comments.map((comment) => `: ${comment}`)
  const data = [...before, ...chunksOf(facts)].map((chunk) => `${field}${JSON.stringify(chunk)}`)
  const events = [...lines, ...data, ...(done === false ? [] : [`${field}[DONE]`])]
  return events.map((event) => `${event}${eol}${eol}`).join("")
}

export function chatExpected({ thoughts, calls, means }: ChatFacts): Expected {
  const thinking = scene.thinking.join("")
  const signature = thoughts === "details" ? JSON.stringify(detail) : thoughts
  const text = { type: "text", text: scene.text.join("") } as const
  const called = scene.calls.map(
    ({ id, name, args }, at) =>
      ({
        type: "tool_call",
        id: calls?.id === "absent" ? `call_d1_${1 + at + (thoughts ? 1 : 0)}` : id,
        name,
        arguments: args,
      }) as const,
  )
  const thought =
    thoughts === "tags"
      ? [{ type: "thinking", text: thinking.trimEnd() } as const]
      : thoughts && signature
        ? [{ type: "thinking", text: thinking, signature } as const]
        : []
  return {
    content: [...thought, text, ...(calls === null ? [] : called)],
    stopReason: calls === null ? "stop" : "tool_calls",
    usage: means ?? counted,
  }
}

const detail = { type: "reasoning.text", format: "unknown", index: 0 }
const counts = {
  prompt_tokens: 120,
  completion_tokens: 40,
  total_tokens: 160,
  prompt_tokens_details: { cached_tokens: 100 },
  completion_tokens_details: { reasoning_tokens: 8 },
}

interface Piece {
  readonly delta: object
  readonly text?: string
}

function chunksOf(facts: ChatFacts): readonly object[] {
  const pieces = piecesOf(facts)
  const reason = facts.calls === null ? "stop" : "tool_calls"
  let printed = ""
  const chunks = pieces.map(({ delta, text = "" }, at) => {
    printed += text
    const last = at === pieces.length - 1
    const ends = last && facts.finish === "with the last piece"
    return chunkOf(facts, choiceOf(facts, delta, ends ? reason : null, printed), ends)
  })
  return [...chunks, ...endOf(facts, reason, printed)]
}

function endOf(facts: ChatFacts, reason: string, printed: string): readonly object[] {
  const { finish, lastDelta = {}, usage } = facts
  const own = usage === undefined ? [chunk(facts, { choices: [], usage: countsOf(facts) })] : []
  const empty =
    usage === "with an empty choice"
      ? [chunk(facts, { choices: [{ index: 0, delta: {} }], usage: countsOf(facts) })]
      : []
  if (finish === "with the last piece" || finish === "never") return [...own, ...empty]
  if (finish === "message") {
    const choice = { index: 0, finish_reason: reason, message: { role: "assistant", content: printed } }
    return [chunk(facts, { choices: [choice], usage: countsOf(facts) })]
  }
  const choice = choiceOf(facts, lastDelta, reason, printed)
  const ending = chunkOf(facts, choice, finish !== "twice")
  return [...(finish === "twice" ? [ending, chunkOf(facts, choice, true)] : [ending]), ...own, ...empty]
}

function piecesOf(facts: ChatFacts): readonly Piece[] {
  const { first = { role: "assistant", content: "" }, calls = { arguments: "pieces" } } = facts
  const text = scene.text.map((words) => ({ delta: { content: words, ...facts.withText }, text: words }))
  return [
    ...(first === null ? [] : [{ delta: first }]),
    ...thoughtsOf(facts),
    ...(facts.thoughts === "tags" ? joinedTags(text) : text),
    ...(calls === null ? [] : scene.calls.flatMap((_, at) => callPieces(calls, at))),
  ]
}

function thoughtsOf({ thoughts, withThoughts }: ChatFacts): readonly Piece[] {
  return scene.thinking
    .map((words, at) => {
      switch (thoughts) {
        case undefined:
          return { delta: {} }
        case "content":
          return {
            delta: {
              content: [
                { type: "thinking", thinking: [{ type: "text", text: words }], ...(at > 0 && { closed: true }) },
              ],
            },
          }
        case "tags":
          return { delta: { content: at === 0 ? `<think>${words}` : words } }
        case "details":
          return { delta: { content: "", reasoning: words, reasoning_details: [{ ...detail, text: words }] } }
        default:
          return { delta: { [thoughts]: words, ...withThoughts } }
      }
    })
    .filter(({ delta }) => Object.keys(delta).length > 0)
}

/** The end of the reasoning and its trailing blank lines come with the first text. */
function joinedTags([first, ...rest]: readonly Piece[]): readonly Piece[] {
  return first?.text === undefined
    ? rest
    : [{ ...first, delta: { ...first.delta, content: `</think>\n\n${first.text}` } }, ...rest]
}

function callPieces(facts: CallFacts, at: number): readonly Piece[] {
  const call = scene.calls[at]
  if (!call) return []
  const json = JSON.stringify(call.args)
  const cut = Math.ceil(json.length / 3)
  const parts = facts.arguments === "whole" ? [json] : ["", json.slice(0, cut), json.slice(cut)]
  return [...parts, ...(facts.emptyEnd ? [""] : [])].map((args, part) => {
    const later = part > 0
    const name = !later ? { name: call.name } : facts.name === "empty later" ? { name: "" } : {}
    const piece = {
      ...(facts.index === "absent" ? {} : { index: facts.index === "zero" ? 0 : at }),
      ...idOf(facts, call.id, later),
      ...(facts.type === "absent" || (later && facts.id === undefined) ? {} : { type: "function" }),
      function: { ...name, arguments: args },
    }
    return { delta: { tool_calls: [piece] } }
  })
}

function idOf({ id }: CallFacts, given: string, later: boolean): object {
  if (id === "absent") return {}
  if (!later || id === "every") return { id: given }
  return id === "empty later" ? { id: "" } : {}
}

function choiceOf(facts: ChatFacts, delta: object, finish: string | null, printed: string): object {
  const { unfinished, inChoice, inDelta, roleInEach, repeated } = facts
  const before = unfinished === "absent" ? {} : { finish_reason: unfinished ?? null }
  return {
    index: 0,
    delta: { ...(roleInEach && { role: "assistant" }), ...inDelta, ...delta },
    ...(finish === null ? before : { finish_reason: finish }),
    ...(repeated && { message: { role: "assistant", content: printed } }),
    ...inChoice,
  }
}

/** `counted`: its usage is in this chunk, unless it has a chunk of its own. */
function chunkOf(facts: ChatFacts, choice: object, ends: boolean): object {
  const { usage, usageBefore } = facts
  if (usage === "in the choice" && ends) return chunk(facts, { choices: [{ ...choice, usage: countsOf(facts) }] })
  if ((usage === "with the finish" && ends) || usage === "in each")
    return chunk(facts, { choices: [choice], usage: countsOf(facts, ends) })
  return chunk(facts, { choices: [choice], ...(usageBefore === undefined ? {} : { usage: usageBefore }) })
}

/** Running counts have less output before the end of the reply. */
function countsOf({ counts: own }: ChatFacts, ends = true): object {
  const all = own ?? counts
  return ends ? all : { ...all, completion_tokens: 1, total_tokens: 121, completion_tokens_details: null }
}

function chunk(
  { choicesFirst, beside }: ChatFacts,
  { choices, ...rest }: { readonly choices: readonly object[]; readonly usage?: object | null },
): object {
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m", ...beside }
  return choicesFirst ? { choices, ...rest, ...head } : { ...head, choices, ...rest }
}
