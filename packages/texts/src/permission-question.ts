import { type CallPreview, type PermissionRequest, phrase, type Phrase, type RenderedLine, type Span } from "@gong/spec"

/** A permission request as text for a frontend: what is asked, why, and what each answer would allow. */
export interface PermissionQuestion {
  readonly head: Phrase
  /** The complete call: the command, the diff, the first lines of a new file. */
  readonly body: readonly RenderedLine[]
  /** The folder of a command, the reason, what the sandbox denied. */
  readonly facts: readonly Phrase[]
  /** The rules that the answers "session", "always" and "wider" would add, and the file of stored rules. */
  readonly rules: readonly Phrase[]
  /** Without the answers. */
  readonly prompt: Phrase
}

/** Characters of the body that are shown. */
const BODY_MAX_CHARS = 5_000

/** `cwd`: paths inside it are shown relative to it. */
export function permissionQuestion(request: PermissionRequest, cwd: string): PermissionQuestion {
  const { tool, title, reason, preview, unsandboxed } = request
  const { head, body, prompt } =
    tool === "network" ? connection(title) : preview === undefined ? otherCall(request) : previewed(tool, preview, cwd)
  return {
    head: unsandboxed === true ? phrase`${tool} wants to run outside the sandbox` : head,
    // What is sent to another program is shown whole.
    body: preview?.kind === "server" ? body : bounded(body),
    facts: [
      ...(preview?.kind === "run" && preview.cwd !== cwd ? [phrase`in ${preview.cwd}`] : []),
      phrase`why: ${request.phrase ?? reason}`,
      ...(preview?.kind === "run" && preview.blocked !== undefined
        ? [phrase`sandbox blocked: ${preview.blocked}`]
        : []),
    ],
    rules: rulesOf(request),
    prompt,
  }
}

type Asked = Pick<PermissionQuestion, "head" | "body" | "prompt">

function connection(host: string): Asked {
  return { head: phrase`a command wants to connect to`, body: plain(host), prompt: phrase`Connect?` }
}

/** A call without a preview. */
function otherCall({ tool, title, args }: PermissionRequest): Asked {
  const shown = Object.entries(args).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  )
  return {
    head: phrase`${tool} needs permission`,
    body: plain(shown.join("\n") || title),
    prompt: phrase`Run ${tool}?`,
  }
}

function previewed(tool: string, preview: CallPreview, cwd: string): Asked {
  switch (preview.kind) {
    case "run":
      return { head: phrase`${tool} wants to run`, body: plain(preview.command.trim()), prompt: phrase`Run it?` }
    case "fetch":
      return { head: phrase`${tool} wants to fetch`, body: plain(preview.url), prompt: phrase`Fetch it?` }
    case "server":
      return {
        head: phrase`the MCP server ${preview.server} would run ${preview.tool}`,
        body: plain(preview.arguments),
        prompt: phrase`Send it?`,
      }
    case "change":
    case "create":
    case "overwrite":
      return { ...filePhrases(tool, preview, cwd), body: rowsOf(preview) }
  }
}

type FilePreview = Extract<CallPreview, { rows: readonly string[] }>

function filePhrases(tool: string, { kind, path, added, removed, bytes = 0 }: FilePreview, cwd: string) {
  const file = path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path
  switch (kind) {
    case "change":
      return {
        head: phrase`${tool} wants to change ${file} (+${added} -${removed})`,
        prompt: phrase`Change ${file}?`,
      }
    case "create":
      return {
        head: phrase`${tool} wants to create ${file} (new, ${bytes} bytes)`,
        prompt: phrase`Create ${file}?`,
      }
    case "overwrite":
      return {
        head: phrase`${tool} wants to overwrite ${file} (+${added} -${removed}, ${bytes} bytes)`,
        prompt: phrase`Overwrite ${file}?`,
      }
  }
}

function rowsOf({ rows, more }: FilePreview): readonly RenderedLine[] {
  const left: readonly RenderedLine[] = more === 0 ? [] : [[ownSpan(phrase`... (${more} more lines)`)]]
  return [...rows.map((row): RenderedLine => [{ text: row, style: styleOf(row) }]), ...left]
}

function styleOf(row: string): Span["style"] {
  return row.startsWith("+") ? "added" : row.startsWith("-") ? "removed" : "dim"
}

function ownSpan(words: Phrase): Span {
  return { text: "", style: "dim", phrase: words }
}

function plain(text: string): readonly RenderedLine[] {
  return text.split("\n").map((line): RenderedLine => [{ text: line, style: "plain" }])
}

/** The first lines, and the number of characters that are not shown. */
function bounded(lines: readonly RenderedLine[]): readonly RenderedLine[] {
  const shown: RenderedLine[] = []
  let left = BODY_MAX_CHARS
  for (const line of lines) {
    const length = line.reduce((sum, { text }) => sum + text.length, 0)
    shown.push(length <= left ? line : line.map((span) => ({ ...span, text: span.text.slice(0, left) })))
    left -= length + 1
    if (left < 0) break
  }
  const all = lengthOf(lines)
  const hidden = all - lengthOf(shown)
  return hidden === 0 ? lines : [...shown, [ownSpan(phrase`... (${hidden} more characters are not shown)`)]]
}

function lengthOf(lines: readonly RenderedLine[]): number {
  return lines.reduce((sum, line) => sum + 1 + line.reduce((length, { text }) => length + text.length, 0), 0)
}

function rulesOf({ suggestedRule, widerRule, rulesFile }: PermissionRequest): readonly Phrase[] {
  const narrow =
    suggestedRule === undefined ? phrase`session: exactly this call` : phrase`session, always: ${suggestedRule}`
  return [
    narrow,
    ...(widerRule === undefined ? [] : [phrase`wider: ${widerRule}`]),
    ...(rulesFile === undefined ? [] : [phrase`"always" is stored in ${rulesFile}`]),
  ]
}
