import { lstatSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isRecord, maxWrappedDepth, type Model, parseJson, phrase } from "@gong/spec"
import { ok, type Outcome, usage } from "@gong/config/usage"
import {
  type ExchangeLine,
  type RecordedBody,
  recordingFile,
  type RecordLine,
  type RecordedSettings,
} from "@gong/app/record/lines"

/** A recorded exchange with its settings. */
export interface Exchange extends Omit<ExchangeLine, "model"> {
  /** Its number in the recording, from 1. */
  readonly number: number
  /** The settings; the same object for all exchanges of a process until they change. */
  readonly set: RecordedSettings
  readonly model: Model
}

export interface Recording {
  readonly exchanges: readonly Exchange[]
  /** The bytes of a request, computed from the previous one, so cheapest in the order of the recording. */
  bodyOf(exchange: Exchange): Uint8Array
}

/** Reads the recording of the session in this folder. An invalid line is a usage error. */
export function readRecording(folder: string | null, id: string): Outcome<Recording> {
  const lines = folder === null ? undefined : textOf(join(folder, "artifacts", recordingFile))?.split("\n")
  if (lines === undefined)
    return usage(
      phrase`session ${id} was not recorded. To record sessions: gong --set record=on ..., or the setting "record".`,
    )
  const exchanges: Exchange[] = []
  const parse = lineParser((exchange) => exchanges.push({ ...exchange, number: exchanges.length + 1 }))
  for (const [at, text] of lines.entries()) {
    const line = lineOf(text)
    // The last line may be torn.
    const isTorn = line === null && at === lines.length - 1
    if (!isTorn && (line === null || !parse(line)))
      return usage(phrase`line ${at + 1} of the recording of session ${id} cannot be read.`)
  }
  return ok({ exchanges, bodyOf: bodiesOf(exchanges) })
}

function textOf(path: string): string | null {
  try {
    return lstatSync(path).isFile() ? readFileSync(path, "utf8") : null
  } catch {
    return null
  }
}

function lineOf(text: string): RecordLine | null {
  const value = parseJson(text, maxWrappedDepth)
  return isRecord(value) ? (value as unknown as RecordLine) : null
}

/** Returns false for a line that is invalid after the previous ones. */
function lineParser(onExchange: (exchange: Omit<Exchange, "number">) => void): (line: RecordLine) => boolean {
  let set: RecordedSettings | null = null
  const models = new Map<string, Model>()
  return (line) => {
    switch (line.type) {
      case "session":
        ;({ set } = line)
        return line.version === 1
      case "model":
        models.set(`${line.model.provider}/${line.model.id}`, line.model)
        return true
      case "exchange": {
        const model = models.get(line.model)
        if (set === null || model === undefined) return false
        onExchange({ ...line, set, model })
        return true
      }
      default:
        return false
    }
  }
}

function bodiesOf(exchanges: readonly { readonly body: RecordedBody }[]): Recording["bodyOf"] {
  let current = 0
  let last: Uint8Array = new Uint8Array()
  return ({ number }) => {
    if (number < current) current = 0
    for (const { body } of exchanges.slice(current, number)) {
      const { kept, rest, end } = body
      last = Buffer.concat([last.subarray(0, kept), Buffer.from(rest), last.subarray(last.length - end)])
    }
    current = number
    return last
  }
}
