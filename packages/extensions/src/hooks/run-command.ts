import type { Host } from "@gong/spec"

export interface CommandRun {
  readonly command: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** One JSON object for its stdin. */
  readonly input: object
  /** Ends its whole process tree. */
  readonly signal: AbortSignal
  /** Its job name on the host: it ends with Gong. */
  readonly job: string
}

export interface CommandEnd {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Bytes kept per stream; an answer is a page of JSON. */
const maxOutput = 256 * 1024

/**
 * Runs a hook command like the user would: in a shell, in the working directory, outside the sandbox of the model's commands.
 * Rejects if it cannot be started, was stopped, or exceeds the output limit.
 */
export async function runCommand(host: Host, run: CommandRun): Promise<CommandEnd> {
  const streams = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] }
  const sizes = { stdout: 0, stderr: 0 }
  const { code, signal } = await host.exec(run.command, {
    cwd: run.cwd,
    env: run.env,
    signal: run.signal,
    job: run.job,
    unsandboxed: true,
    input: `${JSON.stringify(run.input)}\n`,
    onData(bytes, stream) {
      sizes[stream] += bytes.length
      if (sizes[stream] <= maxOutput) streams[stream].push(new Uint8Array(bytes))
    },
  })
  if (code === null) throw new Error(run.signal.aborted ? "stopped" : `ended by ${signal ?? "a signal"}`)
  if (sizes.stdout > maxOutput) throw new Error(`${sizes.stdout} bytes of output; at most ${maxOutput} are read`)
  return { code, stdout: textOf(streams.stdout), stderr: textOf(streams.stderr).trim() }
}

function textOf(pieces: readonly Uint8Array[]): string {
  const decoder = new TextDecoder()
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode()
}
