import { join } from "node:path"

export interface Place {
  readonly home: string
  readonly repo: string
  /** Of the model server. */
  readonly url: string
}

export interface ScreenAgent {
  readonly command: readonly string[]
  /** The screen shows its input. */
  readonly input: RegExp
  /** What is typed before that is lost. */
  readonly losesInput?: true
  readonly env?: (place: Place) => Readonly<Record<string, string>>
  /** Files of the home, by path. */
  readonly files?: (place: Place) => Readonly<Record<string, unknown>>
  args(place: Place): readonly string[]
}

const peers = process.env["PEERS"] ?? ""
/** A program of a peer's package. */
export const peerProgram = (name: string, bin: string): string => join(peers, name, "node_modules/.bin", bin)

/** Gong and its peers. `node`: the Node that runs Gong. */
export const screenAgents = (node: string): Readonly<Record<string, ScreenAgent>> => ({
  gong: {
    command: [node, join(import.meta.dirname, "../../packages/gong/bin/gong.js")],
    input: /^>\s*$/m,
    env: () => ({ GONG_DIST: "1" }),
    args: ({ url }) => `--yolo --api openai-completions --base-url ${url}/v1 --api-key mock -m mock`.split(" "),
  },
  pi: {
    command: [peerProgram("node26", "node"), peerProgram("pi", "pi")],
    input: /^─{40}/m,
    env: () => ({ PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" }),
    files: ({ url }) => ({
      ".pi/agent/models.json": {
        providers: {
          mock: {
            baseUrl: `${url}/v1`,
            api: "openai-completions",
            apiKey: "mock",
            models: [{ id: "mock", contextWindow: 200_000, maxTokens: 32_000 }],
          },
        },
      },
    }),
    args: () => ["--provider", "mock", "--model", "mock"],
  },
  codex: {
    // Its package starts this program from Node.
    command: [join(peers, "codex/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex")],
    input: /^› /m,
    env: () => ({ MOCK_KEY: "x", RUST_LOG: "error" }),
    files: ({ url, repo }) => ({
      ".codex/config.toml": `model = "mock"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[model_providers.mock]
name = "mock"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
requires_openai_auth = false
supports_websockets = false
[analytics]
enabled = false
[projects."${repo}"]
trust_level = "trusted"
`,
    }),
    args: () => [],
  },
  claude: {
    command: [peerProgram("claude", "claude")],
    input: /^(?:>|❯)/m,
    env: ({ url }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "sk-ant-mock",
      ANTHROPIC_MODEL: "claude-sonnet-4-5",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
    }),
    files: ({ repo }) => ({
      ".claude.json": {
        hasCompletedOnboarding: true,
        autoUpdates: false,
        theme: "dark",
        customApiKeyResponses: { approved: ["sk-ant-mock"], rejected: [] },
        projects: { [repo]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
      },
    }),
    args: () => [],
  },
  opencode: {
    command: [peerProgram("opencode", "opencode")],
    input: /Ask anything/,
    losesInput: true,
    env: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    }),
    files: ({ url }) => ({
      ".config/opencode/opencode.json": {
        model: "mock/mock",
        small_model: "mock/mock",
        autoupdate: false,
        share: "disabled",
        provider: {
          mock: {
            npm: "@ai-sdk/openai-compatible",
            name: "mock",
            options: { baseURL: `${url}/v1`, apiKey: "mock" },
            models: { mock: { name: "mock", tool_call: true, limit: { context: 200_000, output: 32_000 } } },
          },
        },
      },
    }),
    args: () => [],
  },
  gemini: {
    command: [peerProgram("node26", "node"), peerProgram("gemini", "gemini")],
    input: /Type your message/,
    losesInput: true,
    env: ({ url }) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: "mock", GEMINI_CLI_TRUST_WORKSPACE: "true" }),
    files: () => ({
      ".gemini/settings.json": {
        security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
        general: { disableAutoUpdate: true, disableUpdateNag: true },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        model: { name: "gemini-2.5-pro" },
      },
    }),
    args: () => ["-m", "gemini-2.5-pro"],
  },
})
