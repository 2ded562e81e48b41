import { defineConfig, type OxlintOverride } from "oxlint"

// Modules of Node that a folder may import. Which packages it may import says its package.json, which scripts/tidy.ts holds.
const files = ["node:fs", "node:fs/promises", "node:path"]
const all = ["node:*", "node:*/*"]
// One place chooses the implementation of stores.
const stores = ["@gong/tape/file", "@gong/tape/sessions"]
const frontend = [
  "@gong/spec",
  "@gong/tape",
  "@gong/screen/*",
  "@gong/texts/**",
  "@gong/session/{session,result}",
  "@gong/app/controller/*",
  "@gong/app/slash/result",
  "@gong/tools/image-header",
  "@gong/tools/render",
]
const modes = ["print", "events", "plain", "rpc", "acp", "serve", "tui"]

/**
 * The boundaries of packages and areas (ARCHITECTURE.md). scripts/test/boundaries.proc.test.ts plants a breach of each and
 * expects it to be reported; a changed boundary needs a decision record.
 *
 * The last override of a rule replaces earlier ones completely, so every list below is self-contained.
 */
export default defineConfig({
  plugins: ["typescript", "import", "node", "unicorn", "oxc"],
  categories: { correctness: "error" },
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: "error" },
  ignorePatterns: ["**/dist/**", "**/fixtures/**"],
  rules: {
    eqeqeq: "error",
    "no-new-func": "error",
    "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true }],
    "no-var": "error",
    "prefer-const": "error",
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "import/no-default-export": "error",
    "import/no-self-import": "error",
    "typescript/ban-ts-comment": ["error", { "ts-expect-error": true, "ts-ignore": true, "ts-nocheck": true }],
    "typescript/consistent-type-imports": ["error", { disallowTypeAnnotations: false }],
    "typescript/no-explicit-any": "error",
    "typescript/no-floating-promises": ["error", { ignoreVoid: false }],
    "typescript/no-misused-promises": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/only-throw-error": ["error", { allowThrowingAny: true, allowThrowingUnknown: true }],
    "typescript/prefer-promise-reject-errors": ["error", { allowThrowingAny: true, allowThrowingUnknown: true }],
    "typescript/return-await": "error",
    "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    "typescript/no-misused-spread": "off",
    "typescript/restrict-template-expressions": "off",
    // A phrase in a template would be "[object Object]".
    "typescript/no-base-to-string": "error",
    "typescript/restrict-plus-operands": "error",
    // Ports are plain objects of functions; none of them reads `this`.
    "typescript/unbound-method": "off",
  },
  overrides: [...packages(), ...globals(), ...tests()],
})

function packages(): OxlintOverride[] {
  return [
    boundary("a package without a line in oxlint.config.ts", ["packages/*/src/**"], {}),
    boundary("the transport", ["packages/llm/src/transport/{transport,proxy-selection,dial}.ts"], { node: all }),
    boundary("the transport", ["packages/llm/src/transport/http/*.ts"], { node: all }),
    // Tools meet the machine only through the Host they are given; beside it, hashes, spill files, rg's path and what opens images.
    boundary("tools", ["packages/tools/src/**"], {
      not: [
        "./**/host/**",
        "../**/host/**",
        "!**/host/{digest,spill,ripgrep,batch-verbs}.ts",
        "!**/host/images/image-codec.ts",
      ],
    }),
    boundary("the entry point of tools, which knows the usual host", ["packages/tools/src/options.ts"], {}),
    boundary("a host", ["packages/tools/src/host/**"], { node: all }),
    // The file store has its own entry point, @gong/tape/file, so the root export runs in a browser.
    boundary("tape", ["packages/tape/src/**"], { not: ["**/store/**", "**/index/**", "**/sessions/**"] }),
    boundary("sessions as files", ["packages/tape/src/sessions/**"], { not: ["./thread/main.ts"] }),
    boundary("the thread that reads sessions", ["packages/tape/src/sessions/thread/**"], {
      node: ["node:fs", "node:worker_threads"],
    }),
    boundary("the store", ["packages/tape/src/store/**"], {
      node: [...all, "!node:sqlite"],
      not: ["**/index/**", "**/sessions/**"],
    }),
    // SQLite is here and nowhere else: whatever it holds can be made anew.
    boundary("the index", ["packages/tape/src/index/**"], { node: ["node:fs", "node:path", "node:sqlite"] }),
    // Models, programs and the tape get English: what is made there is translated, if at all, where it is shown.
    boundary("resources", ["packages/resources/src/**"], { not: ["@gong/texts/translator"] }),
    boundary("a loader", ["packages/resources/src/**/load*.ts"], {
      node: ["node:path"],
      not: ["@gong/texts/translator"],
    }),
    boundary("the screen", ["packages/screen/src/**"], {}),
    boundary("extensions", ["packages/extensions/src/**"], {
      node: [...files, "node:url", "node:inspector", "node:worker_threads"],
      not: ["./worker/**", "../worker/**"],
    }),
    boundary("hooks", ["packages/extensions/src/hooks/**"], {}),
    // It is a program of its own, which shares the types of the protocol and phrases, and nothing else.
    boundary("the thread of extensions", ["packages/extensions/src/worker/**"], { node: all, not: ["../../**"] }),
    boundary("MCP connections", ["packages/mcp/src/**"], {}),
    // The client library is loaded with the first connection.
    boundary("MCP servers", ["packages/mcp/src/{server,definitions}/**", "packages/mcp/src/index.ts"], {
      typesOnly: "^@modelcontextprotocol/",
    }),
    boundary("config", ["packages/config/src/**"], { node: [...files, "node:crypto"] }),
    // What lies in the folder of a session is read on its host, and never beside it on this machine.
    boundary(
      "files of a folder",
      [
        "packages/config/src/{mentions,workspace,project-files}.ts",
        "packages/config/src/trust/{folder-files,named-files,active-content,decide}.ts",
      ],
      { node: ["node:path"] },
    ),
    boundary("the composition", ["packages/app/src/**"], { node: all, not: stores }),
    boundary("the recorder", ["packages/app/src/record/**"], { not: ["@gong/texts/**"] }),
    boundary(
      "what chooses how the files of a folder are read",
      [
        `packages/app/src/compose/{config,locate-session,tools/changed-files,sandbox/command-host,resources/{context,library,resources},models/settings-reload,permissions/trust}.ts`,
      ],
      { node: [...all, "!node:fs", "!node:fs/promises"], not: stores },
    ),
    // One place chooses the implementation of the port `Sessions`.
    boundary("the implementation of the port Sessions", ["packages/app/src/compose/tapes/sessions.ts"], { node: all }),
    boundary("who moves in from other agents", ["packages/import/src/**"], {
      node: [...files, "node:util", "node:crypto", "node:sqlite"],
    }),
    boundary("the command line", ["packages/gong/src/**"], { node: all, not: stores }),
    // Frontends meet a session at the controller, and do not import one another.
    boundary("a frontend", ["packages/gong/src/modes/**"], {
      not: [
        "@gong/**",
        ...frontend.map((name) => `!${name}`),
        "../**",
        "!../terminal/**",
        "!../{../,}../terminal/**",
        "!../{../,}*.ts",
        "!../{dialog,input,reader,text}/**",
        ...modes.flatMap((name) => [`./${name}/**`, `../${name}/**`, `../${name}.ts`]),
      ],
    }),
    boundary("a frontend", ["packages/gong/src/modes/*.ts"], {
      not: [
        "@gong/**",
        ...frontend.map((name) => `!${name}`),
        "../**",
        "!../terminal/**",
        ...modes.map((name) => `./${name}.ts`),
      ],
    }),
    // Written as a user would: the API and Node. Tools and slash commands are copied into a package.
    boundary("an example", ["examples/{extensions,frontend}/**"], { node: all, not: ["@gong/**", "!@gong/app"] }),
    boundary("testing", ["testing/src/**"], { node: all }),
    boundary("a test", ["packages/*/test/**", "testing/test/**"], { node: [...all, "node:http", "node:https"] }),
  ]
}

interface BoundaryOptions {
  readonly node?: readonly string[]
  readonly not?: readonly string[]
  /** A regular expression of modules of which only types may be imported. */
  readonly typesOnly?: string
}

/** Imports of files of the folder that a boundary does not allow: the modules of Node but for `node`, and `not`, where "!" allows. */
function boundary(name: string, where: string[], { node = [], not = [], typesOnly }: BoundaryOptions): OxlintOverride {
  const permitted = node.map((glob) => (glob.startsWith("!") ? glob.slice(1) : `!${glob}`))
  // One group of globs only: a "!" in it also ends what another group began.
  const patterns = [
    { regex: "^(\\.\\./)+[^./][^/]*/(src|test)/", message: "Another package is imported by its name." },
    // Importing them loads undici: 35 to 55 ms.
    { regex: "^node:https?$", message: "http and https come by process.getBuiltinModule.", allowTypeImports: true },
    ...(typesOnly === undefined
      ? []
      : [{ regex: typesOnly, message: `${name} import only its types.`, allowTypeImports: true }]),
    { group: ["node:*", "node:*/*", ...permitted, ...not], message: `This is not among the imports of ${name}.` },
  ]
  return { files: where, rules: { "no-restricted-imports": ["error", { patterns }] } }
}

/** Clock, randomness, network, screen and environment are ports, never globals. */
function globals(): OxlintOverride[] {
  const timers = ["setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "clearImmediate"]
  const network = ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "navigator"]
  const every = [...timers, ...network, "performance", "console", "process", "Buffer", "crypto", "require"]
  const clock = [
    { object: "Date", property: "now", message: "Time comes from the Clock port." },
    { object: "AbortSignal", property: "timeout", message: "Time comes from the Clock port." },
  ]
  const randomness = [{ object: "Math", property: "random", message: "Randomness comes from the Ids port." }]
  const exit = [{ object: "process", property: "exit", message: "Only main.ts exits." }]
  const surroundings = ["exit", "exitCode", "argv", "cwd", "chdir", "stdin", "stdout", "stderr", "on", "once", "kill"]
  const onlyModules = surroundings.map((property) => ({
    object: "process",
    property,
    message: "Services, Terminal and Process have it.",
  }))
  const lift = (where: string[], allowed: readonly string[], properties: readonly object[]): OxlintOverride => ({
    files: where,
    rules: {
      "no-restricted-globals": [
        "error",
        {
          globals: every.filter((name) => !allowed.includes(name)),
          checkGlobalObject: true,
          globalObjects: ["global"],
        },
      ],
      "no-restricted-properties": ["error", ...properties],
      "node/no-process-env": "error",
    },
  })
  const machine = [
    "packages/llm/src/transport/{transport,proxy-selection,chunks,read-throttle}.ts",
    "packages/llm/src/transport/http/*.ts",
    "packages/tools/src/host/**",
    "packages/tape/src/store/**",
  ]
  return [
    lift(["packages/*/src/**"], [], [...clock, ...randomness]),
    lift(
      ["packages/{llm,tools,session,policy,resources,extensions,config,app,import,gong}/src/**"],
      ["Buffer"],
      [...clock, ...randomness],
    ),
    lift(machine, [...timers, "performance", "process", "Buffer"], [...randomness, ...exit]),
    lift(["packages/tape/src/index/**"], ["Buffer"], [...clock, ...randomness]),
    lift(["packages/tape/src/sessions/thread/main.ts"], [], randomness),
    lift(["packages/web/src/**"], ["fetch", "EventSource", "setTimeout", "clearTimeout", "navigator"], randomness),
    // The process as the rest of Gong sees it, its lines, its ports, and the one place that ends it.
    lift(
      ["packages/gong/src/cli.ts", "packages/app/src/process-services.ts"],
      ["process", "Buffer"],
      [...clock, ...randomness, ...exit],
    ),
    lift(["packages/app/src/ports.ts"], [...timers, "process"], onlyModules),
    lift(["packages/gong/src/tune.ts"], ["process"], [...clock, ...randomness, ...onlyModules]),
    // Areas that read files may load Node's modules lazily, and use nothing else of the process.
    lift(["packages/config/src/**"], ["process", "Buffer"], [...clock, ...randomness, ...onlyModules]),
    // A thread has a process of its own to look after.
    lift(
      ["packages/extensions/src/worker/**"],
      ["process", "Buffer", "setTimeout", "clearTimeout"],
      [...clock, ...randomness, ...exit],
    ),
    lift(["packages/gong/src/main.ts"], ["process"], [...clock, ...randomness]),
    // A host is a place, and its environment is part of the place.
    {
      files: [
        "packages/gong/src/cli.ts",
        "packages/app/src/process-services.ts",
        "packages/extensions/src/worker/environment.ts",
        "packages/tools/src/host/**",
      ],
      rules: { "node/no-process-env": "off" },
    },
  ]
}

function tests(): OxlintOverride[] {
  const kept = ["test", "it", "describe", "suite", "before", "after", "beforeEach", "afterEach"]
  const safe = [{ from: "package" as const, package: "node:test", name: kept }]
  const signals = [{ object: "process", property: "kill", message: "Signals go through testing/src/processes.ts." }]
  return [
    // node:test keeps the promise of each test it is given.
    {
      files: ["{packages/*,testing,scripts}/test/**", "testing/src/attacks.ts"],
      rules: { "typescript/no-floating-promises": ["error", { ignoreVoid: false, allowForKnownSafeCalls: safe }] },
    },
    // A pid that a command printed may be any process: signals go through a check of the owner.
    {
      files: ["{packages/*,testing,scripts}/test/**", "{testing/src,scripts,bench}/**"],
      rules: { "no-restricted-properties": ["error", ...signals] },
    },
    { files: ["testing/src/processes.ts"], rules: { "no-restricted-properties": "off" } },
    {
      files: ["oxlint.config.ts", "scripts/titles-reporter.mjs", "scripts/mutants/bail-reporter.mjs", "examples/**"],
      rules: { "import/no-default-export": "off" },
    },
  ]
}
