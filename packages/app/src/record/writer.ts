import { type Clock, failureOf } from "@gong/spec"
import type { RecordLine } from "./lines.ts"

export interface RecordingFile {
  /** Appends lines to the recording; throws on a disk error. */
  append(text: string): void
  /** Size of the recording in bytes. */
  readonly size: number
}

/** Writes lines with a short delay. An error ends the recording, and nothing else. */
export interface RecordingWriter {
  readonly over: boolean
  /** The line is serialized when it is written. */
  put(line: () => RecordLine): void
  /** Writes pending lines. */
  flush(): void
  end(why: string): void
}

/** Maximum bytes of one recording; beyond it recording stops. */
const maxRecording = 256 * 1024 ** 2

/** Delay of the write after an exchange, in milliseconds: by then the next request has been sent. */
const writeDelay = 20

/** `ended` is called once, if the recording ends before the session. */
export function recordingWriter(file: RecordingFile, clock: Clock, ended: (why: string) => void): RecordingWriter {
  let { size } = file
  let over = false
  let waiting: (() => RecordLine)[] = []
  let cancel: (() => void) | null = null

  function end(why: string): void {
    if (over) return
    over = true
    waiting = []
    ended(why)
  }

  function flush(): void {
    cancel?.()
    cancel = null
    if (waiting.length === 0) return
    const text = waiting.map((line) => `${JSON.stringify(line())}\n`).join("")
    waiting = []
    size += Buffer.byteLength(text)
    if (size > maxRecording) return end(`it would have more than ${maxRecording / 1024 ** 2} MB`)
    try {
      file.append(text)
    } catch (error) {
      end(failureOf(error).message)
    }
  }

  return {
    get over() {
      return over
    },
    put(line) {
      if (over) return
      waiting.push(line)
      cancel ??= clock.timer(writeDelay, flush)
    },
    flush,
    end,
  }
}
