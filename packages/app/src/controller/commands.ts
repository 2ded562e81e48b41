import { permissionLevels, type Static, thinkingLevels } from "@gong/spec"

/**
 * The rights of a client; each includes those before it. `watch` reads, `steer` sends messages and stops runs, `approve`
 * answers questions, `admin` changes stored data and permissions.
 */
export type Right = "watch" | "steer" | "approve" | "admin"

const text = { type: "string" } as const
const words = { type: "string", minLength: 1 } as const
const flag = { type: "boolean" } as const
const count = { type: "integer", minimum: 1, maximum: 10_000 } as const
const number = { type: "integer", minimum: 1 } as const
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
/** Where `id` is the id of the command. */
const target = { type: "string", description: "what is meant, where `id` is the command's own" } as const
const slashName = { type: "string", minLength: 1, description: "without the slash" } as const
const slashArguments = { type: "string", description: "what follows the name" } as const

/** What `set_mcp` does. */
export const mcpActions = ["start", "on", "off", "accept", "login"] as const

/**
 * The commands of a session, with their fields of protocol 1 except `type` and `id` (interface part 4). Fields are only
 * added. `hello` and `shutdown` belong to the connection; the frontend implements them.
 */
export const commands = {
  hello: row(
    "watch",
    "states the protocol of the client; `partial: false` omits deltas, `after` (an entry) repeats the events behind it",
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
    "starts a run; answered when the message is on the disk; the `result` event ends the run",
    { text: words, images, mentions },
    ["text"],
  ),
  steer: row(
    "steer",
    "sends a message into the current run",
    { text: words, images, mentions, when: { enum: ["now", "after-tool"] } },
    ["text"],
  ),
  follow_up: row("steer", "queues a message for the end of the run", { text: words, images, mentions }, ["text"]),
  abort: row("steer", "stops the current run, command or summary", {}),
  bash: row(
    "approve",
    "runs a command of the user; the model sees it with the next message, unless it is private",
    {
      command: words,
      private: { enum: [true] },
      timeout: { type: "number", exclusiveMinimum: 0, description: "seconds" },
    },
    ["command"],
  ),
  get_state: row("watch", "model, tools, permission, current work, waiting messages and questions", {}),
  get_recap: row("watch", "where the session, or a stored one, stands: the last exchange and what is unfinished", {
    session: words,
  }),
  get_messages: row("watch", "the messages that the model is sent, in pages", { after: words, limit: count }),
  get_entries: row("watch", "the steps of the active branch, in pages", { after: words, limit: count }),
  set_model: row("steer", "selects the model from the next message on", { model: words }, ["model"]),
  cycle_model: row("steer", "selects the next available model", {}),
  get_available_models: row("watch", "models with a key, or that need none", {}),
  set_thinking_level: row("steer", "selects the thinking level", { level: { enum: thinkingLevels } }, ["level"]),
  compact: row("steer", "replaces the older part of the conversation by a summary", { focus: text }),
  undo: row("approve", "restores the files that the session changed; with `path`, this one", { path: words }),
  redo: row("approve", "repeats the changes that the last undo took back", {}),
  permission_reply: row(
    "approve",
    "answers a `permission_request`",
    {
      target,
      choice: { enum: ["once", "session", "always", "no"] },
      wider: { enum: [true], description: 'with "session" or "always": by widerRule in place of suggestedRule' },
      message: text,
    },
    ["choice"],
  ),
  ui_reply: row("approve", "answers a `ui_request`: by one of its choices, in words, or not at all", {
    target,
    choice: { type: "string", description: "the label of a choice" },
    text,
  }),
  clear_queue: row("steer", "removes all waiting messages", {}),
  remove_queued: row("steer", "removes one waiting message", { target }),
  set_auto_compaction: row("steer", "turns automatic compaction on or off", { enabled: flag }, ["enabled"]),
  set_auto_retry: row("steer", "turns retries of failed requests on or off", { enabled: flag }, ["enabled"]),
  set_permission: row("admin", "selects the permission level", { level: { enum: permissionLevels } }, ["level"]),
  set_tools: row(
    "admin",
    "selects the tools from the next message on, as `--tools` does",
    { tools: { type: "array", items: words } },
    ["tools"],
  ),
  new_session: row("steer", "opens a new session in place of the current one", { name: words }),
  switch_session: row("steer", "opens a stored session in place of the current one", { session: words }, ["session"]),
  fork: row("steer", "opens a copy of the session, or of the session up to a step, in place of the current one", {
    entry: words,
  }),
  reload: row("steer", "opens the same session with settings, keys, rules and resources read again", {}),
  get_tree: row("watch", "the branches of the session", {}),
  navigate: row(
    "steer",
    "continues from another step; `summary` describes the abandoned branch to the model, `summarize` has one written",
    { entry: words, summary: text, summarize: flag, focus: text },
    ["entry"],
  ),
  set_name: row("steer", "names the session", { name: words }, ["name"]),
  label: row("steer", "labels a step; null removes the label", { entry: words, label: { type: ["string", "null"] } }, [
    "entry",
    "label",
  ]),
  export: row("admin", "writes the session to a file", { file: words, format: { enum: ["pi", "markdown"] } }, ["file"]),
  get_mcp: row("watch", "the MCP servers of the session, with their states and tools", {}),
  set_mcp: row(
    "admin",
    "starts a server, turns it on or off for this session, accepts its changed tools, or logs in at it",
    { server: words, action: { enum: mcpActions } },
    ["server", "action"],
  ),
  get_commands: row(
    "watch",
    "this table, and under `slash` the commands of extensions, templates and skills that a prompt can begin with",
    {},
  ),
  command: row(
    "admin",
    "runs a [slash command](commands.md) and gives its lines and data; its questions are `ui_request` events; `run` is the run that it started, if any",
    { name: slashName, arguments: slashArguments },
    ["name"],
  ),
  complete: row(
    "watch",
    "completes the name of a slash command; with `arguments`, its arguments",
    { name: text, arguments: slashArguments },
    ["name"],
  ),
  find_files: row(
    "watch",
    "files and folders below the working folder whose paths match, the best match first; ignored ones are left out",
    { query: text, limit: count },
    ["query"],
  ),
  get_jobs: row("watch", "background jobs of the session", {}),
  read_job: row("watch", "the end of the output of a background job", { job: number }, ["job"]),
  stop_job: row("approve", "ends a background job", { job: number }, ["job"]),
  background: row("steer", "lets the commands that calls wait for continue as background jobs", {}),
  get_diff: row("watch", "the diff of the files that the session changed", { path: words }),
  get_stats: row("watch", "tokens, cost and steps of the session", {}),
  list_sessions: row("watch", "stored sessions, the newest first", { all: flag, limit: count }),
  rename_session: row("admin", "names a stored session", { session: words, name: words }, ["session", "name"]),
  remove_session: row("admin", "moves a stored session to the trash", { session: words }, ["session"]),
  search: row("watch", "finds steps in stored sessions", { query: words, all: flag, limit: count }, ["query"]),
  shutdown: row("admin", "stops the current work and ends the process", {}),
} as const

export type CommandName = keyof typeof commands

/** The commands that the controller implements. */
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
