import { join } from "node:path"
import { writeFiles } from "./check.ts"

export interface AgentRun {
  readonly prompt: string
  readonly baseUrl: string
  readonly model: string
  /** Tokens. */
  readonly window: number
  /** The home of this run alone. */
  readonly home: string
}

/** A coding agent that can be measured: how it is configured and started, without questions. */
export interface Agent {
  readonly name: string
  /** The program and its arguments. Before it, the configuration is written below the home. */
  start(run: AgentRun): readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Failed calls by kind in its output; null if it does not tell. */
  failedCalls(output: string): Readonly<Record<string, number>> | null
}

const launcher = join(import.meta.dirname, "../packages/gong/bin/gong.js")

const gong: Agent = {
  name: "gong",
  start({ prompt, baseUrl, model }) {
    const address = ["--base-url", baseUrl, "--api-key", "none", "-m", model]
    return [process.execPath, launcher, "-p", "--output", "events", "--yolo", "--max-turns", "30", ...address, prompt]
  },
  failedCalls(output) {
    const kinds: Record<string, number> = {}
    for (const line of output.split("\n")) {
      if (!line.includes('"tool_execution_end"')) continue
      const { name, status } = JSON.parse(line) as { readonly name: string; readonly status: string }
      if (status === "ok" || status === "background") continue
      const kind = `${name} ${status}`
      kinds[kind] = (kinds[kind] ?? 0) + 1
    }
    return kinds
  },
}

/** Gong with tools through a schema, for models without a template for tools. */
const gongSchema: Agent = {
  ...gong,
  name: "gong-schema",
  start(run) {
    const models = { [run.model]: { compat: { calls: "schema" } } }
    writeFiles(run.home, { ".gong/models.json": JSON.stringify({ providers: { custom: { models } } }) })
    return gong.start(run)
  },
}

const pi: Agent = {
  name: "pi",
  env: { PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" },
  start({ prompt, baseUrl, model, window, home }) {
    const models = [{ id: model, contextWindow: window, maxTokens: Math.floor(window / 4) }]
    const providers = { eval: { baseUrl, api: "openai-completions", apiKey: "none", models } }
    writeFiles(home, { ".pi/agent/models.json": JSON.stringify({ providers }) })
    return ["pi", "-p", "--provider", "eval", "--model", model, prompt]
  },
  failedCalls: () => null,
}

const opencode: Agent = {
  name: "opencode",
  env: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_SHARE: "1" },
  start({ prompt, baseUrl, model, window, home }) {
    const limit = { context: window, output: Math.floor(window / 4) }
    const provider = {
      npm: "@ai-sdk/openai-compatible",
      name: "eval",
      options: { baseURL: baseUrl, apiKey: "none" },
      models: { [model]: { name: model, tool_call: true, limit } },
    }
    const permission = { edit: "allow", bash: "allow", webfetch: "allow", external_directory: "allow" }
    const names = { model: `eval/${model}`, small_model: `eval/${model}` }
    const config = { ...names, autoupdate: false, share: "disabled", permission, provider: { eval: provider } }
    writeFiles(home, { ".config/opencode/opencode.json": JSON.stringify(config) })
    return ["opencode", "run", "--model", `eval/${model}`, prompt]
  },
  failedCalls: () => null,
}

const codex: Agent = {
  name: "codex",
  env: { EVAL_KEY: "none", RUST_LOG: "error" },
  start({ prompt, baseUrl, model, window, home }) {
    const config = `model = ${JSON.stringify(model)}
model_provider = "eval"
approval_policy = "never"
sandbox_mode = "danger-full-access"
model_context_window = ${window}
check_for_update_on_startup = false
[model_providers.eval]
name = "eval"
base_url = ${JSON.stringify(baseUrl)}
wire_api = "responses"
env_key = "EVAL_KEY"
requires_openai_auth = false
supports_websockets = false
[analytics]
enabled = false
`
    writeFiles(home, { ".codex/config.toml": config })
    return ["codex", "exec", "--skip-git-repo-check", prompt]
  },
  failedCalls: () => null,
}

export const agents: readonly Agent[] = [gong, gongSchema, pi, opencode, codex]
