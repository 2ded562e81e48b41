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

/** An exchange as it was, and what it was made with. */
export interface Exchange extends Omit<ExchangeLine, "model"> {
  /** Its place in the recording, from 1 on. */
  readonly number: number
  /** The same object for as long as one process left it as it was. */
  readonly set: RecordedSettings
  readonly model: Model
}

export interface Recording {
  readonly exchanges: readonly Exchange[]
  /** The bytes of a request, made of those before it: cheap in the order of the recording. */
  bodyOf(exchange: Exchange): Uint8Array
}

/** The recording of the session in this folder; a line that cannot be read is named. Without a folder there is none. */
export function readRecording(folder: string | null, id: string): Outcome<Recording> {
  const lines = folder === null ? undefined : textOf(join(folder, "artifacts", recordingFile))?.split("\n")
  if (lines === undefined)
    return usage(
      phrase`session ${id} was not recorded. To record one: gong --set record=on ..., or the setting "record".`,
    )
  const exchanges: Exchange[] = []
  const take = taker((exchange) => exchanges.push({ ...exchange, number: exchanges.length + 1 }))
  for (const [at, text] of lines.entries()) {
    const line = lineOf(text)
    // The last one may have been cut off with its process.
    const cut = line === null && at === lines.length - 1
    if (!cut && (line === null || !take(line)))
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

/** False for a line that does not fit to those before it. */
function taker(found: (exchange: Omit<Exchange, "number">) => void): (line: RecordLine) => boolean {
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
        found({ ...line, set, model })
        return true
      }
      default:
        return false
    }
  }
}

function bodiesOf(exchanges: readonly { readonly body: RecordedBody }[]): Recording["bodyOf"] {
  let made = 0
  let last: Uint8Array = new Uint8Array()
  return ({ number }) => {
    if (number < made) made = 0
    for (const { body } of exchanges.slice(made, number)) {
      const { kept, rest, end } = body
      last = Buffer.concat([last.subarray(0, kept), Buffer.from(rest), last.subarray(last.length - end)])
    }
    made = number
    return last
  }
}
