import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { TestContext } from "node:test"
import { must, ok } from "@gong/config/usage"
import type { SessionSpec } from "@gong/config/session-spec"
import { type ModelServer, type ModelServerOptions, startModelServer } from "@gong/testing/model-server"
import { openSession } from "../../src/compose/open-session.ts"
import { createController } from "../../src/controller/controller.ts"
import type { SessionController } from "../../src/controller/api.ts"
import type { SlashResult, UserDialogs } from "../../src/slash/result.ts"
import { servicesOf } from "../compose/services.ts"

export interface Asked {
  readonly question: string
  readonly rows: readonly string[]
  /** The row that is selected first. */
  readonly at?: number | undefined
  readonly preview: readonly string[]
}

export interface Conversation {
  readonly controller: SessionController
  readonly server: ModelServer
  readonly home: string
  readonly cwd: string
  /** Questions so far; `replies` answers them in order, then with none. */
  readonly asked: Asked[]
  readonly replies: (number | string | boolean | null)[]
  readonly copied: string[]
  readonly warned: string[]
  readonly user: UserDialogs
  write(files: Readonly<Record<string, string>>): void
  read(path: string): string
  typed(text: string): Promise<SlashResult>
  /** The lines of a command, with the folders of the test replaced by $HOME and $CWD. */
  lines(text: string): Promise<readonly string[]>
  prompt(text: string): Promise<string>
}

export interface ConversationOptions extends ModelServerOptions {
  readonly spec?: SessionSpec
  /** Files of the workspace, or below `home/`. */
  readonly files?: Readonly<Record<string, string>>
  /** Gong's home of another machine of the test. */
  readonly gongHome?: string
  /** Variables in addition to, or in place of, those that select the scripted model. */
  readonly env?: Readonly<Record<string, string>>
}

/** A session with a scripted model server, its controller and a user who answers from a list. */
export async function conversation(
  t: TestContext,
  { spec = {}, files = {}, gongHome, env: ownEnv = {}, ...options }: ConversationOptions = {},
): Promise<Conversation> {
  const server = await startModelServer({ otherwise: { text: "Fine." }, ...options })
  t.after(() => server.close())
  const machine = servicesOf(t)
  const { cwd } = machine
  const home = gongHome ?? machine.env["GONG_HOME"] ?? ""
  const warned: string[] = []
  const model = { GONG_API: "openai-completions", GONG_BASE_URL: `${server.url}/v1`, GONG_MODEL: "mock" }
  const env = {
    ...machine.env,
    GONG_HOME: home,
    ...model,
    GONG_API_KEY: "sk-canary-0123456789",
    GONG_SANDBOX: "off",
    ...ownEnv,
  }
  const services = { ...machine, env, warn: (line: string) => void warned.push(line) }
  const write = (given: Readonly<Record<string, string>>): void => {
    for (const [path, text] of Object.entries(given)) {
      const full = path.startsWith("home/") ? join(home, path.slice("home/".length)) : join(cwd, path)
      mkdirSync(dirname(full), { recursive: true, mode: 0o700 })
      writeFileSync(full, text)
    }
  }
  write(files)
  const whole: SessionSpec = { permission: "full", ...spec }
  const opened = must(await openSession(whole, services))
  const controller = createController({ services, spec: whole, exitOf: () => 0 }, opened)
  t.after(async () => controller.shutdown())
  const { user, ...person } = scriptedUser()
  const plain = (text: string): string => text.replaceAll(home, "$HOME").replaceAll(cwd, "$CWD")
  const typed = (text: string) => controller.typed(text, user)
  return {
    controller,
    server,
    home,
    cwd,
    warned,
    user,
    ...person,
    write,
    read: (path) => readFileSync(path.startsWith("home/") ? join(home, path.slice(5)) : join(cwd, path), "utf8"),
    typed,
    async lines(text) {
      const result = await typed(text)
      return result.kind === "output" ? result.lines.map(plain) : [`(${result.kind})`]
    },
    async prompt(text) {
      return (await controller.prompt({ text, images: [], seen: [] })).status
    },
  }
}

function scriptedUser(): Pick<Conversation, "asked" | "replies" | "copied" | "user"> {
  const asked: Asked[] = []
  const replies: (number | string | boolean | null)[] = []
  const copied: string[] = []
  const next = (): number | string | boolean | null => replies.shift() ?? null
  const user: UserDialogs = {
    async choose(question, rows, { at, preview } = {}) {
      asked.push({ question, rows, at, preview: (await preview?.(0)) ?? [] })
      const reply = next()
      return typeof reply === "number" ? reply : null
    },
    async confirm(question) {
      asked.push({ question, rows: [], preview: [] })
      return next() === true
    },
    async line(question, secret = false) {
      asked.push({ question: secret ? `${question}(secret)` : question, rows: [], preview: [] })
      const reply = next()
      return typeof reply === "string" ? reply : null
    },
    async copy(text) {
      copied.push(text)
      return ok("Copied.")
    },
    keys: [
      ["Enter", "send"],
      ["Esc", "stop"],
    ],
  }
  return { asked, replies, copied, user }
}
