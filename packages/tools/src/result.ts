import {
  type CallPreview,
  errorCode,
  type PreviewOutcome,
  type ToolResult,
  type ToolStatus,
  type UserContent,
} from "@gong/spec"

/** A plain text result without details. */
export function fromText(text: string): ToolResult<null> {
  return toolResult(text, null)
}

/** `content` is for the model, `details` for users and programs. Neither is derived from the other. */
export function toolResult<D extends ToolResult["details"]>(
  content: string | readonly UserContent[],
  details: D,
  isError = false,
): ToolResult<D> {
  return { content: typeof content === "string" ? [{ type: "text", text: content }] : content, details, isError }
}

/** An error that the model can act on: it says what is wrong and what to do next. */
export function failed(text: string, status?: ToolStatus): ToolResult<null> {
  return { ...toolResult(text, null, true), ...(status && { status }) }
}

export function aborted(): ToolResult<null> {
  return failed("Operation aborted", "aborted")
}

/** Ends a tool early with a result. Thrown inside a tool, caught once in `runTool`. */
export class Refusal extends Error {
  readonly result: ToolResult<null>
  constructor(text: string, status?: ToolStatus) {
    super(text)
    this.name = "Refusal"
    this.result = failed(text, status)
  }
}

/** Runs a tool and checks the signal before and after. A system error becomes a text with its code. */
export async function runTool<D extends ToolResult["details"]>(
  signal: AbortSignal,
  path: string,
  work: () => Promise<ToolResult<D>>,
): Promise<ToolResult<D | null>> {
  if (signal.aborted) return aborted()
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown.result
    if (signal.aborted) return aborted()
    const explanation = explain(thrown, path)
    if (explanation === null) throw thrown
    return failed(explanation)
  }
}

/** Makes a preview: an error that `runTool` would turn into a result is the outcome of a call that would fail. */
export async function runPreview(path: string, work: () => Promise<CallPreview | null>): Promise<PreviewOutcome> {
  try {
    return { ok: true, preview: await work() }
  } catch (thrown) {
    const message = thrown instanceof Refusal ? thrown.message : explain(thrown, path)
    if (message === null) throw thrown
    return { ok: false, message }
  }
}

/** Throws the aborted result. Called between the steps of a tool. */
export function checkAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new Refusal("Operation aborted", "aborted")
}

const explanations: Readonly<Record<string, string>> = {
  ENOENT: "no such file or directory. Check the path with ls or find.",
  EACCES: "permission denied. Choose another path or ask the user to change the permissions.",
  EPERM: "operation not permitted. Choose another path or ask the user.",
  EROFS: "the file system is read-only. Choose another path.",
  ENOSPC: "no space left on the device; nothing was changed. Ask the user to free space.",
  EDQUOT: "the disk quota is used up; nothing was changed. Ask the user to free space.",
  EISDIR: "Is a directory. Give the path of a file.",
  ENOTDIR: "a part of the path is a file, not a directory. Check the path with ls.",
  ENAMETOOLONG: "the path is too long. Use a shorter one.",
  ELOOP: "too many symbolic links. Use the real path.",
  EMFILE: "too many open files. Try again.",
  EFBIG: "the file would be larger than is allowed here; nothing was changed. Write less, or ask the user.",
  ESTALE:
    "it changed while this ran, or a link was put on its path; nothing was changed. Look at it again, then repeat.",
  EBUSY: "the file is in use. Try again later.",
}

/** One line with the system's error code; null for unexpected errors. */
export function explain(thrown: unknown, path: string): string | null {
  const code = codeOf(thrown)
  if (code === null) return null
  return `${code}: ${path}: ${explanations[code] ?? (thrown instanceof Error ? thrown.message : code)}`
}

export function codeOf(thrown: unknown): string | null {
  return thrown instanceof Error ? errorCode(thrown) : null
}
