import { permissionLevels, type Static, thinkingLevels } from "@gong/spec"

/**
 * What a client may do with a session, each right with those before it: `watch` reads, `steer` sends messages and stops
 * runs, `approve` answers questions, `admin` changes what the user keeps or what may run without a question.
 */
export type Right = "watch" | "steer" | "approve" | "admin"

const text = { type: "string" } as const
const words = { type: "string", minLength: 1 } as const
const flag = { type: "boolean" } as const
const count = { type: "integer", minimum: 1, maximum: 10_000 } as const
const images = {
  type: "array",
  maxItems: 20,
  items: {
    type: "object",
    properties: { mimeType: words, data: { type: "string", description: "base64" } },
    required: ["mimeType", "data"],
    additionalProperties: false,
  },
} as const
const mentions = { type: "boolean", description: "@path in the text brings the file along" } as const
/** Beside `id`, which then only names the command. */
const target = { type: "string", description: "what is meant, where `id` is the command's own" } as const
const slashName = { type: "string", minLength: 1, description: "without the slash" } as const
const slashArguments = { type: "string", description: "what follows the name" } as const

/**
 * Every command of a session, with the fields of protocol 1 beside `type` and `id` (interface part 4). Fields are only ever
 * added. `hello` and `shutdown` concern a connection; a frontend carries them out itself.
 */
export const commands = {
  hello: row(
    "watch",
    "says which protocol the client speaks; `partial: false` leaves deltas out, `after` (an entry) tells again what came behind it",
    {
      protocol: { type: "integer" },
      client: { type: "object", properties: { name: text, version: text } },
      partial: flag,
      after: words,
    },
    ["protocol"],
  ),
  prompt: row(
    "steer",
    "begins a run; answered when the message is on the disk, its end is the `result` event",
    { text: words, images, mentions },
    ["text"],
  ),
  steer: row(
    "steer",
    "puts a message into the run that works",
    { text: words, images, mentions, when: { enum: ["now", "after-tool"] } },
    ["text"],
  ),
  follow_up: row("steer", "puts a message in for when the run would stop", { text: words, images, mentions }, ["text"]),
  abort: row("steer", "stops the run, the command or the summary that works", {}),
  bash: row(
    "approve",
    "runs a command of the user's own; the model sees it with the next message",
    { command: words, timeout: { type: "number", exclusiveMinimum: 0, description: "seconds" } },
    ["command"],
  ),
  get_state: row("watch", "model, tools, permission, what works and what waits", {}),
  get_messages: row("watch", "what the model is sent, in pages", { after: words, limit: count }),
  get_entries: row("watch", "the steps of the active branch, in pages", { after: words, limit: count }),
  set_model: row("steer", "another model from the next message on", { model: words }, ["model"]),
  cycle_model: row("steer", "the next of the available models", {}),
  get_available_models: row("watch", "models that have a key, or need none", {}),
  set_thinking_level: row("steer", "how long the model thinks", { level: { enum: thinkingLevels } }, ["level"]),
  compact: row("steer", "replaces the older part of the conversation by a summary", { focus: text }),
  undo: row("approve", "puts files back as they were before the session changed them", {}),
  redo: row("approve", "takes the last undo back", {}),
  permission_reply: row(
    "approve",
    "answers a `permission_request`",
    { target, choice: { enum: ["once", "session", "always", "no"] }, message: text },
    ["choice"],
  ),
  ui_reply: row("approve", "answers a `ui_request`: by one of its choices, in words, or not at all", {
    target,
    choice: { type: "string", description: "the label of a choice" },
    text,
  }),
  clear_queue: row("steer", "takes all waiting messages back", {}),
  remove_queued: row("steer", "takes one waiting message back", { target }),
  set_auto_compaction: row("steer", "whether a long conversation is compacted by itself", { enabled: flag }, [
    "enabled",
  ]),
  set_auto_retry: row("steer", "whether a request that failed on the way is made again", { enabled: flag }, [
    "enabled",
  ]),
  set_permission: row("admin", "what may run without asking", { level: { enum: permissionLevels } }, ["level"]),
  set_tools: row(
    "admin",
    "the tools of the next message on, as `--tools` writes them",
    { tools: { type: "array", items: words } },
    ["tools"],
  ),
  new_session: row("steer", "begins a new session and goes on in it", { name: words }),
  switch_session: row("steer", "goes on in a stored session", { session: words }, ["session"]),
  fork: row("steer", "goes on in a copy of this session, or of one of its steps", { entry: words }),
  reload: row("steer", "goes on in the same session with settings, keys, rules and all resources read anew", {}),
  get_tree: row("watch", "where the branches of the session part", {}),
  navigate: row(
    "steer",
    "goes on from another step of the session; the model is told `summary` of what is left, or writes one itself",
    { entry: words, summary: text, summarize: flag, focus: text },
    ["entry"],
  ),
  set_name: row("steer", "names the session", { name: words }, ["name"]),
  label: row(
    "steer",
    "marks a step for people; null takes the mark away",
    { entry: words, label: { type: ["string", "null"] } },
    ["entry", "label"],
  ),
  export: row("admin", "writes the session to a file", { file: words, format: { enum: ["pi", "markdown"] } }, ["file"]),
  get_commands: row(
    "watch",
    "this table; and under `slash` what a prompt can begin with: commands of extensions, templates, skills",
    {},
  ),
  command: row(
    "admin",
    "runs a [slash command](commands.md): its lines and data; what it asks is a `ui_request`, and where it sends a message, `run` names the run",
    { name: slashName, arguments: slashArguments },
    ["name"],
  ),
  complete: row(
    "watch",
    "names of slash commands that begin so; with `arguments`, what these can go on with",
    { name: text, arguments: slashArguments },
    ["name"],
  ),
  get_jobs: row("watch", "commands that run in the background and end with the session", {}),
  get_diff: row("watch", "what the session changed in files and was not undone", { path: words }),
  get_stats: row("watch", "tokens, money and steps of the session", {}),
  list_sessions: row("watch", "stored sessions, the newest first", { all: flag, limit: count }),
  search: row("watch", "finds steps in stored sessions", { query: words, all: flag, limit: count }, ["query"]),
  shutdown: row("admin", "stops what works and ends the process", {}),
} as const

export type CommandName = keyof typeof commands

/** Those of the session itself. */
export type SessionCommand = Exclude<CommandName, "hello" | "shutdown">

export type ArgsOf<C extends CommandName> = Static<(typeof commands)[C]["args"]>

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commands, name)
}

function row<const P extends object, const R extends readonly string[] = readonly []>(
  right: Right,
  about: string,
  properties: P,
  required?: R,
) {
  const args = { type: "object", properties, required: (required ?? []) as R, additionalProperties: false } as const
  return { right, about, args } as const
}
