import { isRecord, parseJson } from "@gong/spec"
import { jsonValueAt } from "./json-value.ts"

/** A call as a model wrote it. */
export interface WrittenCall {
  readonly name: string
  /** The values of `texts` are unparsed text, whose type follows from the tool. */
  readonly arguments: Readonly<Record<string, unknown>>
  readonly texts: boolean
}

export interface Written {
  /** Not empty. */
  readonly calls: readonly WrittenCall[]
  /** Offset after the calls and their closing marks. */
  readonly end: number
}

/** A notation for tool calls in text, named after the models that are trained on it. */
interface Format {
  readonly models: string
  /** Reads the calls whose first mark is at `at`; null if there are none or they are incomplete. */
  read(text: string, at: number): Written | null
}

/** The first that reads something counts. */
export const formats: readonly Format[] = [
  {
    models: "Hermes, Qwen 2.5 and 3, Granite, Phi-4, Nemotron, Llama 3, older Mistral",
    read: between(/<tool_call>|<\|tool_call\|>|<TOOLCALL>|<\|python_tag\|>|\[TOOL_CALLS\]/y, valuesAt),
  },
  {
    models: "Qwen3-Coder, Seed-OSS",
    read: between(/(?:<(?:seed:)?tool_call>\s*)?(?=<function=)/y, many(/\s*<function=([^>\s]+)>/y, functionBody)),
  },
  { models: "GLM", read: between(/<tool_call>\s*(?=[\w.-]+\s*<arg_key>|[\w.-]+\s*<\/tool_call>)/y, glmCall) },
  {
    models: "newer Mistral",
    read: many(/\s*\[TOOL_CALLS\]([\w.-]+)(?:\[CALL_ID\]\w+)?(?:\[ARGS\])?(?=\{)/y, argumentsAt),
  },
  {
    models: "DeepSeek",
    read: between(
      /<｜tool▁calls▁begin｜>|(?=<｜tool▁call▁begin｜>)/y,
      many(
        /\s*<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?([\w.-]+)(?:<｜tool▁sep｜>)?\s*(?:```json\s*)?(?=\{)/y,
        argumentsAt,
      ),
    ),
  },
  {
    models: "Kimi",
    read: between(
      /<\|tool_calls_section_begin\|>|(?=<\|tool_call_begin\|>)/y,
      many(
        /\s*<\|tool_call_begin\|>(?:functions\.)?([\w.-]+)(?::\d+)?\s*<\|tool_call_argument_begin\|>\s*(?=\{)/y,
        argumentsAt,
      ),
    ),
  },
  {
    models: "gpt-oss (harmony)",
    read: many(
      /\s*(?:<\|start\|>assistant)?(?: to=functions\.[\w.-]+)?<\|channel\|>(?:commentary|analysis)(?: to=functions\.[\w.-]+)?[ \w]*(?:<\|constrain\|>\s*\w+)?\s*<\|message\|>\s*(?=\{)/y,
      argumentsAt,
      (mark) => /to=functions\.([\w.-]+)/.exec(mark)?.[1] ?? "",
    ),
  },
  {
    models: "MiniMax, DeepSeek V3.2, Anthropic's prompt format",
    read: between(
      /<(?:minimax:tool_call|function_calls|tool_call|｜DSML｜function_calls)>|(?=<invoke name=)/y,
      many(/\s*<(?:｜DSML｜)?invoke name="([^"]+)">/y, invokeBody),
    ),
  },
]

/** Calls of a plain JSON value: an object, or a list of them. Null if it is anything else. */
export function callsOfValue(value: unknown): readonly WrittenCall[] | null {
  if (Array.isArray(value)) {
    const calls = value.map(callsOfValue)
    return calls.length > 0 && calls.every((call) => call !== null) ? calls.flat() : null
  }
  if (!isRecord(value)) return null
  if (Array.isArray(value["tool_calls"])) return callsOfValue(value["tool_calls"])
  const call = isRecord(value["function"]) ? value["function"] : value
  const name = call["name"] ?? call["tool_name"] ?? call["tool"] ?? call["function"]
  const given = call["arguments"] ?? call["parameters"] ?? call["args"] ?? {}
  const args = typeof given === "string" ? parseJson(given) : given
  if (typeof name !== "string" || !isRecord(args)) return null
  return [{ name: name.replace(/^functions\./, ""), arguments: args, texts: false }]
}

type Read = (text: string, at: number) => Written | null

/** Marks after calls; the end of a reply is often among them. */
const closing =
  /(?:\s*(?:<\/(?:seed:|minimax:)?tool_call>|<\|\/tool_call\|>|<\/TOOLCALL>|<\/function_calls>|<\/｜DSML｜function_calls>|<\/function>|<｜tool▁calls?▁end｜>|<\|tool_calls_section_end\|>|<\|tool_call_end\|>|<\|(?:call|end|im_end|eot_id|eom_id)\|>|<｜end▁of▁sentence｜>|<\/s>))+/y

function afterClosing(text: string, at: number): number {
  return at + (matchAt(closing, text, at)?.[0].length ?? 0)
}

/** Calls after an opening mark, up to the closing ones. */
function between(open: RegExp, read: Read): Read {
  return (text, at) => {
    const mark = matchAt(open, text, at)
    const inside = mark && read(text, at + mark[0].length)
    return inside ? { calls: inside.calls, end: afterClosing(text, inside.end) } : null
  }
}

type ReadBody = (name: string, text: string, at: number) => { readonly call: WrittenCall; readonly end: number } | null

/** Consecutive calls, each a head with the name and a body with the arguments. */
function many(head: RegExp, body: ReadBody, nameIn: (mark: string) => string = () => ""): Read {
  return (text, from) => {
    const calls: WrittenCall[] = []
    let end = from
    for (;;) {
      const mark = matchAt(head, text, end)
      const found = mark && body(mark[1] ?? nameIn(mark[0]), text, end + mark[0].length)
      if (!found) return calls.length > 0 ? { calls, end } : null
      calls.push(found.call)
      end = afterClosing(text, found.end)
    }
  }
}

/** JSON values, one after another. */
function valuesAt(text: string, from: number): Written | null {
  const calls: WrittenCall[] = []
  let end = from
  for (;;) {
    const begin = end + (matchAt(/\s*[,;]?\s*/y, text, end)?.[0].length ?? 0)
    const found = jsonValueAt(text, begin)
    const some = found && callsOfValue(found.value)
    if (!found || !some) return calls.length > 0 ? { calls, end } : null
    calls.push(...some)
    end = found.end
  }
}

/** One JSON object with the arguments, possibly in a fence. */
function argumentsAt(name: string, text: string, at: number): ReturnType<ReadBody> {
  const found = jsonValueAt(text, at)
  if (!found || !isRecord(found.value)) return null
  const end = found.end + (matchAt(/\s*```/y, text, found.end)?.[0].length ?? 0)
  return { call: { name, arguments: found.value, texts: false }, end }
}

function functionBody(name: string, text: string, at: number): ReturnType<ReadBody> {
  const begin = at + (matchAt(/\s*/y, text, at)?.[0].length ?? 0)
  if (text[begin] === "{") return argumentsAt(name, text, begin)
  return pairsAt(name, text, at, /\s*<parameter=([^>\s]+)>\n?([^]*?)\n?<\/parameter>/y, /\s*<\/function>/y)
}

function invokeBody(name: string, text: string, at: number): ReturnType<ReadBody> {
  return pairsAt(
    name,
    text,
    at,
    /\s*<(?:｜DSML｜)?parameter name="([^"]+)"[^>]*>([^]*?)<\/(?:｜DSML｜)?parameter>/y,
    /\s*<\/(?:｜DSML｜)?invoke>/y,
  )
}

function glmCall(text: string, at: number): Written | null {
  const name = matchAt(/[\w.-]+/y, text, at)?.[0] ?? ""
  const pair = /\s*<arg_key>([^<]*)<\/arg_key>\s*<arg_value>([^]*?)<\/arg_value>/y
  const found = pairsAt(name, text, at + name.length, pair, /\s*<\/tool_call>/y)
  return found && { calls: [found.call], end: found.end }
}

/** Arguments as pairs of a name and a text, up to a closing mark. */
function pairsAt(name: string, text: string, from: number, pair: RegExp, close: RegExp): ReturnType<ReadBody> {
  const args: Record<string, unknown> = Object.create(null)
  let end = from
  for (let found = matchAt(pair, text, end); found; found = matchAt(pair, text, end)) {
    args[(found[1] ?? "").trim()] = found[2] ?? ""
    end += found[0].length
  }
  const closed = matchAt(close, text, end)
  return closed && { call: { name, arguments: { ...args }, texts: true }, end: end + closed[0].length }
}

function matchAt(form: RegExp, text: string, at: number): RegExpExecArray | null {
  form.lastIndex = at
  return form.exec(text)
}
