import { defineConfig, type OxlintOverride } from "oxlint"

const rooms = [
  "main",
  "build",
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
// The parts of gong that choose implementations: they may touch every room, and no room may touch them.
const wiring = ["{main,build,run,converse,first-contact,world,ports}.ts", "{build,commands}/**"]
const modes = ["print", "events", "plain", "rpc", "acp", "serve", "tui"]

// What may be imported, as globs: the last that matches decides.
const schemaLibrary = ["typebox", "typebox/*"]
const files = ["node:fs", "node:fs/promises", "node:path"]
const node = ["node:*", "node:*/*"]
const settings = [...files, ...schemaLibrary, "node:crypto", "jsonc-parser", "yaml"]

/**
 * The walls between the rooms (ARCHITECTURE.md). scripts/test/walls.proc.test.ts plants a breach of each and expects it to be
 * caught; a wall that is moved needs a decision record.
 *
 * Of several overrides for one file the last wins, rule by rule, whole: so every list below is complete in itself.
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
  overrides: [...packages(), ...roomsOfGong(), ...globals(), ...tests()],
})

function packages(): OxlintOverride[] {
  return [
    room("spec", ["packages/spec/src/**"], schemaLibrary),
    room("llm", ["packages/llm/src/**"], ["@gong/spec", "eventsource-parser"]),
    room(
      "the transport",
      ["packages/llm/src/transport/{transport,proxy-selection,dial}.ts", "packages/llm/src/transport/http/*.ts"],
      ["@gong/spec", "socks", ...node],
    ),
    room("loop", ["packages/loop/src/**"], ["@gong/spec"]),
    // Tools meet the machine only through the Host they are given; beside it, hashes, spill files, rg's path and what opens images.
    room(
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
    room("Markdown of pages", ["packages/tools/src/fetch/markdown.ts"], ["@gong/spec", "@mdream/js"]),
    room("the door of tools, which knows the usual host", ["packages/tools/src/options.ts"], ["@gong/spec"]),
    room(
      "a host",
      ["packages/tools/src/host/**"],
      ["@gong/spec", "@vscode/ripgrep", "sharp", "@silvia-odwyer/photon-node", ...node],
    ),
    // The file store has its own door, @gong/tape/file: the root stays browser-clean.
    room(
      "tape",
      ["packages/tape/src/**"],
      ["@gong/spec", ...["store", "index", "sessions"].map((name) => `not **/${name}/**`)],
    ),
    room("sessions as files", ["packages/tape/src/sessions/**"], ["@gong/spec", "not ./thread/main.ts"]),
    room(
      "the thread that reads sessions",
      ["packages/tape/src/sessions/thread/**"],
      ["@gong/spec", "node:fs", "node:worker_threads"],
    ),
    room(
      "the store",
      ["packages/tape/src/store/**"],
      ["@gong/spec", ...node, "not node:sqlite", "not **/index/**", "not **/sessions/**"],
    ),
    // SQLite is here and nowhere else: whatever it holds can be made anew.
    room("the index", ["packages/tape/src/index/**"], ["@gong/spec", "node:fs", "node:path", "node:sqlite"]),
    room("web", ["packages/web/src/**"], ["@gong/spec", "@gong/tape", "preact", "preact/*"]),
    // What the test kit judges it must not import: it goes by its own knowledge.
    room("testing", ["testing/src/**"], ["@gong/spec", ...node]),
    // Written as a user would: the API and Node.
    room("an example", ["examples/**"], ["gong/extension", ...node]),
    room("a test", ["packages/*/test/**", "testing/test/**"], ["*", "*/**"]),
  ]
}

function roomsOfGong(): OxlintOverride[] {
  const src = "packages/gong/src"
  const leaf = ["@gong/spec", ...noWayInto(rooms)]
  // Models, programs and the tape get English: what is made there is translated, if at all, where it is shown.
  const english = "not ../**/texts/**"
  // The session is met at its public face, and modes do not know one another.
  const face = [...noWayInto(rooms.filter((name) => name !== "modes")), "../**/session/{session,result}.ts"]
  // A frontend meets sessions at the controller, and slash commands by their types.
  const faces = [...face, "../**/controller/*.ts", "../**/slash/parts.ts"]
  const wired = ["@gong/*", "@gong/*/**", "not @gong/testing/**", ...node]
  const onlyPrompt = noWayInto(rooms.filter((name) => name !== "prompt"))
  return [
    room("a room of gong without a line in oxlint.config.ts", [`${src}/**`], leaf),
    room(
      "the wiring",
      wiring.map((glob) => `${src}/${glob}`),
      [...wired, ...["file", "index", "sessions"].map((door) => `not @gong/tape/${door}`)],
    ),
    // What every frontend asks of a session: it knows no frontend.
    room(
      "the controller and slash commands",
      [`${src}/{controller,slash}/**`],
      [
        ...wired,
        ...["file", "index", "sessions"].map((door) => `not @gong/tape/${door}`),
        "not ../**/modes/**",
        ...["main", "run", "converse"].map((name) => `not ../**/${name}.ts`),
        "../slash/run.ts",
        "../../slash/run.ts",
      ],
    ),
    // What stands behind the port `Sessions` is known in one place.
    room("who chooses where sessions are kept", [`${src}/build/sessions.ts`], wired),
    room("who reads other agents' files", [`${src}/commands/import/source.ts`], ["@gong/spec", ...files, "smol-toml"]),
    room(
      "session",
      [`${src}/session/**`],
      ["@gong/spec", "@gong/loop", "@gong/tape", "node-diff3", ...onlyPrompt, english],
    ),
    room("policy, hooks, prompt, skills", [`${src}/{policy,hooks,prompt,skills,record}/**`], [...leaf, english]),
    room("matchers of hooks", [`${src}/hooks/matcher.ts`], [...leaf, "re2js", english]),
    room("terminal", [`${src}/terminal/**`], leaf),
    room("a table on a terminal", [`${src}/terminal/table.ts`], [...leaf, "string-width"]),
    room(
      "a loader",
      [`${src}/{prompt,skills}/**/load*.ts`],
      [...leaf, ...files, "yaml", "jsonc-parser", "ignore", "nanotar", english],
    ),
    // What is kept in the home is kept there in one way.
    room(
      "config, trust",
      [`${src}/{config,trust}/**`],
      [...leaf, ...settings, "../config/{home,lock,private-folder,usage}.ts"],
    ),
    room(
      "extensions",
      [`${src}/extensions/*.ts`],
      [...leaf, ...files, "node:url", "node:inspector", "node:worker_threads", "not ./worker/**"],
    ),
    // It is a program of its own, which shares the types of the protocol and phrases, and nothing else.
    room("the thread of extensions", [`${src}/extensions/worker/**`], ["@gong/spec", "not ../../**", ...node]),
    room("a mode", [`${src}/modes/**`], ["@gong/spec", "@gong/tape", ...faces, ...noWayInto(modes)]),
    room(
      "a mode",
      [`${src}/modes/*.ts`],
      ["@gong/spec", "@gong/tape", ...faces, ...modes.map((name) => `not ./${name}.ts`)],
    ),
  ]
}

/** What the files of a room may import beside their neighbours. The last glob that matches decides; "not" forbids. */
function room(name: string, where: string[], allowed: readonly string[]): OxlintOverride {
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

/** No relative way into these rooms of gong; only the `Trusted` value may travel. */
function noWayInto(names: readonly string[]): string[] {
  const ways = names.flatMap((name) => [`not ../**/${name}/**`, `not ../**/${name}.ts`])
  return [...ways, "../**/trust/trusted.ts"]
}

/** Clock, dice, network, screen and surroundings are ports: no room takes them from the air. */
function globals(): OxlintOverride[] {
  const timers = ["setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "clearImmediate"]
  const network = ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "navigator"]
  const all = [...timers, ...network, "performance", "console", "process", "Buffer", "crypto", "require"]
  const clock = [
    { object: "Date", property: "now", message: "Time comes from the Clock port." },
    { object: "AbortSignal", property: "timeout", message: "Time comes from the Clock port." },
  ]
  const dice = [{ object: "Math", property: "random", message: "Randomness comes from the Ids port." }]
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
    lift(["packages/*/src/**"], [], [...clock, ...dice]),
    lift(["packages/{llm,tools,gong}/src/**"], ["Buffer"], [...clock, ...dice]),
    lift(machine, [...timers, "performance", "process", "Buffer"], [...dice, ...exit]),
    lift(["packages/tape/src/index/**"], ["Buffer"], [...clock, ...dice]),
    lift(["packages/tape/src/sessions/thread/main.ts"], [], dice),
    lift(["packages/web/src/**"], ["fetch", "EventSource", "setTimeout", "clearTimeout", "navigator"], dice),
    // The process as the rest of Gong sees it, its lines, its ports, and the one place that ends it.
    lift(["packages/gong/src/{world,terminal/lines}.ts"], ["process", "Buffer"], [...clock, ...dice, ...exit]),
    lift(["packages/gong/src/ports.ts"], [...timers, "process"], onlyModules),
    // Rooms that read files may load Node's modules late, and want nothing else of the process.
    lift(["packages/gong/src/{config,trust}/**"], ["process", "Buffer"], [...clock, ...dice, ...onlyModules]),
    // A thread has a process of its own to look after.
    lift(
      ["packages/gong/src/extensions/worker/**"],
      ["process", "Buffer", "setTimeout", "clearTimeout"],
      [...clock, ...dice, ...exit],
    ),
    lift(["packages/gong/src/main.ts"], ["process"], [...clock, ...dice]),
    // A host is a place, and its environment is part of the place.
    {
      files: [
        "packages/gong/src/world.ts",
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
    // A number that a command printed may be anybody's: signals go through what looks whose process it is.
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
