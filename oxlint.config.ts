import { defineConfig, type OxlintOverride } from "oxlint"

const areas = [
  "main",
  "compose",
  "run",
  "converse",
  "first-contact",
  "ports",
  "session",
  "prompt",
  "skills",
  "commands",
  "config",
  "trust",
  "extensions",
  "policy",
  "hooks",
  "record",
  "modes",
  "slash",
  "controller",
]
// The composition root of gong chooses implementations: it may import every area, and no area may import it.
const wiring = ["{main,app,run,converse,first-contact,world,process-services,ports}.ts", "{compose,commands}/**"]
const modes = ["print", "events", "plain", "rpc", "acp", "serve", "tui"]

// What may be imported, as globs: the last that matches decides.
const schemaLibrary = ["typebox", "typebox/*"]
const files = ["node:fs", "node:fs/promises", "node:path"]
const node = ["node:*", "node:*/*"]
const settings = [...files, ...schemaLibrary, "node:crypto", "jsonc-parser", "yaml"]

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
  overrides: [...packages(), ...areasOfGong(), ...globals(), ...tests()],
})

function packages(): OxlintOverride[] {
  return [
    boundary("spec", ["packages/spec/src/**"], schemaLibrary),
    boundary("llm", ["packages/llm/src/**"], ["@gong/spec", "eventsource-parser"]),
    boundary(
      "the transport",
      ["packages/llm/src/transport/{transport,proxy-selection,dial}.ts", "packages/llm/src/transport/http/*.ts"],
      ["@gong/spec", "socks", ...node],
    ),
    boundary("loop", ["packages/loop/src/**"], ["@gong/spec"]),
    // Tools meet the machine only through the Host they are given; beside it, hashes, spill files, rg's path and what opens images.
    boundary(
      "tools",
      ["packages/tools/src/**"],
      [
        "@gong/spec",
        ...schemaLibrary,
        "ignore",
        "re2js",
        "not ./**/host/**",
        "not ../**/host/**",
        "**/host/{digest,spill,ripgrep,batch-verbs}.ts",
        "**/host/images/image-codec.ts",
      ],
    ),
    boundary("Markdown of pages", ["packages/tools/src/fetch/markdown.ts"], ["@gong/spec", "@mdream/js"]),
    boundary("the door of tools, which knows the usual host", ["packages/tools/src/options.ts"], ["@gong/spec"]),
    boundary(
      "a host",
      ["packages/tools/src/host/**"],
      ["@gong/spec", "@vscode/ripgrep", "sharp", "@silvia-odwyer/photon-node", ...node],
    ),
    // The file store has its own entry point, @gong/tape/file, so the root export runs in a browser.
    boundary(
      "tape",
      ["packages/tape/src/**"],
      ["@gong/spec", ...["store", "index", "sessions"].map((name) => `not **/${name}/**`)],
    ),
    boundary("sessions as files", ["packages/tape/src/sessions/**"], ["@gong/spec", "not ./thread/main.ts"]),
    boundary(
      "the thread that reads sessions",
      ["packages/tape/src/sessions/thread/**"],
      ["@gong/spec", "node:fs", "node:worker_threads"],
    ),
    boundary(
      "the store",
      ["packages/tape/src/store/**"],
      ["@gong/spec", ...node, "not node:sqlite", "not **/index/**", "not **/sessions/**"],
    ),
    // SQLite is here and nowhere else: whatever it holds can be made anew.
    boundary("the index", ["packages/tape/src/index/**"], ["@gong/spec", "node:fs", "node:path", "node:sqlite"]),
    boundary("web", ["packages/web/src/**"], ["@gong/spec", "@gong/tape", "preact", "preact/*"]),
    // What the test kit judges it must not import: it goes by its own knowledge.
    boundary("testing", ["testing/src/**"], ["@gong/spec", ...node]),
    // Written as a user would: the API and Node.
    boundary("an example", ["examples/**"], ["gong/app", "gong/extension", ...node]),
    boundary("a test", ["packages/*/test/**", "testing/test/**"], ["*", "*/**"]),
  ]
}

function areasOfGong(): OxlintOverride[] {
  const src = "packages/gong/src"
  const leaf = ["@gong/spec", ...forbidden(areas)]
  // Models, programs and the tape get English: what is made there is translated, if at all, where it is shown.
  const english = "not ../**/texts/**"
  // Frontends use the session API, and do not import one another.
  const face = [...forbidden(areas.filter((name) => name !== "modes")), "../**/session/{session,result}.ts"]
  // A frontend meets sessions at the controller, and slash commands by their types.
  const faces = [...face, "../**/controller/*.ts", "../**/slash/parts.ts"]
  const doors = ["file", "index", "sessions"].map((name) => `not @gong/tape/${name}`)
  const wired = ["@gong/*", "@gong/*/**", "not @gong/testing/**", ...node]
  const onlyPrompt = forbidden(areas.filter((name) => name !== "prompt"))
  return [
    boundary("an area of gong without a line in oxlint.config.ts", [`${src}/**`], leaf),
    boundary(
      "the wiring",
      wiring.map((glob) => `${src}/${glob}`),
      [...wired, ...doors],
    ),
    // What every frontend asks of a session: it knows no frontend.
    boundary(
      "the controller and slash commands",
      [`${src}/{controller,slash}/**`],
      [
        ...wired,
        ...doors,
        "not ../**/modes/**",
        ...["main", "run", "converse"].map((name) => `not ../**/${name}.ts`),
        "../slash/run.ts",
        "../../slash/run.ts",
      ],
    ),
    // One place chooses the implementation of the port `Sessions`.
    boundary("who chooses where sessions are kept", [`${src}/compose/tapes/sessions.ts`], wired),
    boundary(
      "who reads other agents' files",
      [`${src}/commands/import/source.ts`],
      ["@gong/spec", ...files, "smol-toml"],
    ),
    boundary(
      "session",
      [`${src}/session/**`],
      ["@gong/spec", "@gong/loop", "@gong/tape", "node-diff3", ...onlyPrompt, english],
    ),
    boundary("policy, hooks, prompt, skills", [`${src}/{policy,hooks,prompt,skills,record}/**`], [...leaf, english]),
    boundary("matchers of hooks", [`${src}/hooks/matcher.ts`], [...leaf, "re2js", english]),
    boundary("terminal", [`${src}/terminal/**`], leaf),
    boundary("a table on a terminal", [`${src}/terminal/table.ts`], [...leaf, "string-width"]),
    boundary(
      "a loader",
      [`${src}/{prompt,skills}/**/load*.ts`],
      [...leaf, "node:path", "yaml", "jsonc-parser", "ignore", "nanotar", english],
    ),
    // What is kept in the home is kept there in one way.
    boundary(
      "config, trust",
      [`${src}/{config,trust}/**`],
      [...leaf, ...settings, "../config/{home,lock,private-folder,usage}.ts"],
    ),
    // What lies in the folder of a session is read on its host, and never beside it on this machine.
    boundary(
      "files of a folder",
      [`${src}/config/{mentions,workspace,hook-files}.ts`, `${src}/trust/{place,named-files,surface,decide}.ts`],
      [...leaf, ...schemaLibrary, "node:path", "../config/usage.ts"],
    ),
    boundary(
      "what chooses how the files of a folder are read",
      [
        `${src}/compose/{config,locate-session,tools/changed-files,sandbox/command-place,resources/{context,library,resources},models/live-settings,permissions/trust}.ts`,
      ],
      [...wired, "not node:fs", "not node:fs/promises", ...doors],
    ),
    boundary(
      "extensions",
      [`${src}/extensions/*.ts`],
      [...leaf, ...files, "node:url", "node:inspector", "node:worker_threads", "not ./worker/**"],
    ),
    // It is a program of its own, which shares the types of the protocol and phrases, and nothing else.
    boundary("the thread of extensions", [`${src}/extensions/worker/**`], ["@gong/spec", "not ../../**", ...node]),
    boundary("a mode", [`${src}/modes/**`], ["@gong/spec", "@gong/tape", ...faces, ...forbidden(modes)]),
    boundary(
      "a mode",
      [`${src}/modes/*.ts`],
      ["@gong/spec", "@gong/tape", ...faces, ...modes.map((name) => `not ./${name}.ts`)],
    ),
  ]
}

/** Permitted imports of an area besides its own files. The last matching glob decides; "not" forbids. */
function boundary(name: string, where: string[], allowed: readonly string[]): OxlintOverride {
  const globs = allowed.map((glob) => (glob.startsWith("not ") ? glob.slice(4) : `!${glob}`))
  // One group of globs only: a "!" in it also ends what another group began.
  const patterns = [
    { regex: "^(\\.\\./)+[^./][^/]*/(src|test)/", message: "Another package is imported by its name." },
    // Importing them loads undici: 35 to 55 ms.
    { regex: "^node:https?$", message: "http and https come by process.getBuiltinModule.", allowTypeImports: true },
    { group: ["*", "!./**", "!../**", ...globs], message: `This is not among the imports of ${name}.` },
  ]
  return { files: where, rules: { "no-restricted-imports": ["error", { patterns }] } }
}

/** Forbids relative imports of these areas of gong, except for the `Trusted` value. */
function forbidden(names: readonly string[]): string[] {
  const ways = names.flatMap((name) => [`not ../**/${name}/**`, `not ../**/${name}.ts`])
  return [...ways, "../**/trust/trusted.ts"]
}

/** Clock, randomness, network, screen and environment are ports, never globals. */
function globals(): OxlintOverride[] {
  const timers = ["setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "clearImmediate"]
  const network = ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "navigator"]
  const all = [...timers, ...network, "performance", "console", "process", "Buffer", "crypto", "require"]
  const clock = [
    { object: "Date", property: "now", message: "Time comes from the Clock port." },
    { object: "AbortSignal", property: "timeout", message: "Time comes from the Clock port." },
  ]
  const randomness = [{ object: "Math", property: "random", message: "Randomness comes from the Ids port." }]
  const exit = [{ object: "process", property: "exit", message: "Only main.ts exits." }]
  const surroundings = ["exit", "exitCode", "argv", "cwd", "chdir", "stdin", "stdout", "stderr", "on", "once", "kill"]
  const onlyModules = surroundings.map((property) => ({ object: "process", property, message: "The World gives it." }))
  const lift = (where: string[], allowed: readonly string[], properties: readonly object[]): OxlintOverride => ({
    files: where,
    rules: {
      "no-restricted-globals": [
        "error",
        { globals: all.filter((name) => !allowed.includes(name)), checkGlobalObject: true, globalObjects: ["global"] },
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
    lift(["packages/{llm,tools,gong}/src/**"], ["Buffer"], [...clock, ...randomness]),
    lift(machine, [...timers, "performance", "process", "Buffer"], [...randomness, ...exit]),
    lift(["packages/tape/src/index/**"], ["Buffer"], [...clock, ...randomness]),
    lift(["packages/tape/src/sessions/thread/main.ts"], [], randomness),
    lift(["packages/web/src/**"], ["fetch", "EventSource", "setTimeout", "clearTimeout", "navigator"], randomness),
    // The process as the rest of Gong sees it, its lines, its ports, and the one place that ends it.
    lift(
      ["packages/gong/src/{world,process-services,terminal/lines}.ts"],
      ["process", "Buffer"],
      [...clock, ...randomness, ...exit],
    ),
    lift(["packages/gong/src/ports.ts"], [...timers, "process"], onlyModules),
    // Areas that read files may load Node's modules lazily, and use nothing else of the process.
    lift(["packages/gong/src/{config,trust}/**"], ["process", "Buffer"], [...clock, ...randomness, ...onlyModules]),
    // A thread has a process of its own to look after.
    lift(
      ["packages/gong/src/extensions/worker/**"],
      ["process", "Buffer", "setTimeout", "clearTimeout"],
      [...clock, ...randomness, ...exit],
    ),
    lift(["packages/gong/src/main.ts"], ["process"], [...clock, ...randomness]),
    // A host is a place, and its environment is part of the place.
    {
      files: [
        "packages/gong/src/{world,process-services}.ts",
        "packages/gong/src/extensions/worker/environment.ts",
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
