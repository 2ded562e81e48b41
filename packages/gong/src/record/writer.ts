import { type Clock, failureOf } from "@gong/spec"
import type { RecordLine } from "./lines.ts"

export interface RecordingFile {
  /** Puts lines behind the recording; throws when the disk does not take them. */
  append(text: string): void
  /** Bytes that the recording has already. */
  readonly size: number
}

/** Writes lines shortly after they came. What goes wrong ends the recording, and nothing else. */
export interface RecordingWriter {
  readonly over: boolean
  /** The line is made when it is written. */
  put(line: () => RecordLine): void
  /** Writes what waits. */
  flush(): void
  end(why: string): void
}

/** Bytes of one recording; the session goes on without it then. */
const maxRecording = 256 * 1024 ** 2

/** Milliseconds after the end of an exchange when it is written: by then the next request has left. */
const behind = 20

/** `ended` is called once, when the recording ends before the session does. */
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
      cancel ??= clock.timer(behind, flush)
    },
    flush,
    end,
  }
}
