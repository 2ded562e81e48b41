import { type Breach, everywhere } from "./breaches-everywhere.ts"

const imports = "no-restricted-imports"
const globals = "no-restricted-globals"
const properties = "no-restricted-properties"

const stores = ["@gong/tape/file", "@gong/tape/sessions"]

/** Every boundary of oxlint.config.ts, each with at least one breach; which packages may be imported holds scripts/tidy.ts. */
export const breaches: readonly Breach[] = [
  ...[
    "spec",
    "llm",
    "llm/src/protocol",
    "loop",
    "tools",
    "tape",
    "texts",
    "session",
    "policy",
    "screen",
    "mcp",
    "resources",
    "web",
    "new",
  ].flatMap((name) =>
    between(name, name.includes("/") ? name : `${name}/src`, ["node:fs", "node:https", "node:events"]),
  ),
  ...between("tools", "tools/src", ["node:child_process", "./host/local.ts"]),
  ...between("tools/edit", "tools/src/edit", ["node:fs", "../host/local.ts"]),
  ...between("a host", "tools/src/host", ["node:http"]),
  ...between("tape", "tape/src", ["node:sqlite", "./index/index.ts", "./store/file.ts", "./sessions/index.ts"]),
  ...between("tape folds", "tape/src/fold", ["../store/file.ts", "node:zlib"]),
  ...between("the index", "tape/src/index", ["node:child_process"]),
  ...between("the store", "tape/src/store", ["node:sqlite", "../index/index.ts", "node:https"]),
  ...between("sessions as files", "tape/src/sessions", ["node:fs", "node:sqlite", "./thread/main.ts"]),
  ...between("resources", "resources/src/prompt", ["node:path", "@gong/texts/translator"]),
  ...between("MCP servers", "mcp/src/server", ["@modelcontextprotocol/client", "node:fs"]),
  ...between("config", "config/src", ["node:child_process", "node:http"]),
  ...[
    "app/src/compose/resources/context",
    "app/src/compose/models/settings-reload",
    "app/src/compose/permissions/trust",
    "config/src/mentions",
    "config/src/workspace",
    ...["active-content", "folder-files", "decide"].map((name) => `config/src/trust/${name}`),
    "resources/src/skills/load-skills",
    "resources/src/themes/load-themes",
  ].map(onThisMachine),
  ...between("extensions", "extensions/src", ["node:child_process", "./worker/main.ts"]),
  ...between("hooks", "extensions/src/hooks", ["node:fs"]),
  ...between("the thread", "extensions/src/worker", ["node:http", "../../test/world.ts"]),
  ...between("the composition", "app/src/compose", ["node:http", ...stores]),
  ...between("the controller", "app/src/controller", ["node:https", ...stores]),
  ...between("the recorder", "app/src/record", ["node:fs", "@gong/texts/translator"]),
  ...between("who moves in from other agents", "import/src", ["node:child_process", "node:http"]),
  ...between("the command line", "gong/src/commands", ["node:http", ...stores]),
  ...modes(),
  ...between("another package", "app/src", ["../../gong/src/main.ts"]),
  {
    ...planted("examples", "@gong/spec", imports),
    file: "examples/frontend/planted.ts",
    text: `import "@gong/spec"\n`,
  },
  {
    boundary: "a neighbour by its path",
    file: "packages/loop/src/path.ts",
    text: `import "../../llm/src/index.ts"\n`,
    rule: imports,
  },
  {
    boundary: "a neighbour by its path, in a test",
    file: "packages/loop/test/path.test.ts",
    text: `import "../../tape/src/index.ts"\n`,
    rule: imports,
  },
  {
    boundary: "a dynamic import is an import",
    file: "packages/loop/src/dynamic.ts",
    text: `export const late = () => import("node:fs")\n`,
    rule: imports,
  },
  {
    boundary: "a type import is an import",
    file: "packages/loop/src/type.ts",
    text: `import type { Stats } from "node:fs"\nexport type S = Stats\n`,
    rule: imports,
  },
  {
    boundary: "an export from is an import",
    file: "packages/loop/src/again.ts",
    text: `export * from "node:path"\n`,
    rule: imports,
  },
  ...air(),
  ...signals(),
  ...cycle(
    "values",
    `import { b } from "./values-b.ts"\nexport const a = () => b\n`,
    `import { a } from "./values-a.ts"\nexport const b = () => a\n`,
  ),
  ...cycle(
    "types",
    `import type { B } from "./types-b.ts"\nexport interface A { b: B }\n`,
    `import type { A } from "./types-a.ts"\nexport interface B { a: A }\n`,
  ),
  ...everywhere(),
]

/** Files in the folder of a session are read on its host. */
function onThisMachine(file: string): Breach {
  return {
    boundary: `${file} reads the folder on its host`,
    file: `packages/${file}.ts`,
    text: `import "node:fs"\n`,
    rule: imports,
  }
}

function between(boundary: string, area: string, specifiers: readonly string[]): Breach[] {
  return specifiers.map((specifier) => ({
    boundary: `${boundary} may not import ${specifier}`,
    file: `packages/${area}/planted-${specifier.replaceAll(/[^a-z]+/g, "-")}.ts`,
    text: `import "${specifier}"\n`,
    rule: imports,
  }))
}

function modes(): Breach[] {
  return ["print", "events", "plain", "rpc", "acp", "serve", "tui"].flatMap((mode) => [
    ...between(`mode ${mode}`, `gong/src/modes/${mode}`, [
      "@gong/loop",
      "@gong/llm",
      "@gong/tools",
      "@gong/session/runs/run",
      "@gong/app/compose/open-session",
      "node:fs",
      "../../commands/login.ts",
      mode === "print" ? "../tui/run.ts" : "../print/print.ts",
    ]),
    {
      boundary: `mode file ${mode}.ts`,
      file: `packages/gong/src/modes/${mode}.ts`,
      text: `import "./${mode === "print" ? "tui" : "print"}.ts"\n`,
      rule: imports,
    },
  ])
}

/** Clock, randomness, network, screen and environment used as globals in each area. */
function air(): Breach[] {
  const strict = [
    "spec/src",
    "llm/src",
    "loop/src",
    "tools/src",
    "tape/src",
    ...["session", "policy", "screen", "mcp", "resources", "texts", "app", "import"].map((name) => `${name}/src`),
    "gong/src/modes/print",
  ]
  const words = [
    "setTimeout(f, 1)",
    "setInterval(f, 1)",
    "setImmediate(f)",
    "fetch('')",
    "console.log(1)",
    "process.exit()",
    "performance.now()",
    "crypto.randomUUID()",
    "globalThis.setTimeout(f, 1)",
    "global.process.exit()",
  ]
  const taken = strict.flatMap((area) => words.map((word): Breach => planted(area, word, globals)))
  const asked = strict.flatMap((area) =>
    ["Date.now()", "Math.random()", "AbortSignal.timeout(1)"].map((word) => planted(area, word, properties)),
  )
  return [
    ...taken,
    ...asked,
    ...["spec/src", "loop/src", "tape/src", "web/src"].map((area) => planted(area, "Buffer.from('')", globals)),
    ...["llm/src", "tape/src/store", "config/src", "gong/src/commands", "app/src/compose"].map((area) =>
      planted(area, "process.env['X']", "node(no-process-env)"),
    ),
    ...["tools/src/host", "tape/src/store"].flatMap((area) => [
      planted(area, "fetch('')", globals),
      planted(area, "console.log(1)", globals),
      planted(area, "process.exit()", properties),
    ]),
    ...["process.cwd()", "process.stdout", "process.exit()"].map((word) => planted("config/src", word, properties)),
    { ...planted("llm/src/transport", "fetch('')", globals), file: "packages/llm/src/transport/transport.ts" },
    planted("web/src", "process.exit()", globals),
  ]
}

function planted(area: string, expression: string, rule: string): Breach {
  const name = expression.replaceAll(/[^A-Za-z]+/g, "-").toLowerCase()
  return {
    boundary: `${area} may not say ${expression}`,
    file: `packages/${area}/planted-${name}.ts`,
    text: `declare const f: () => void\nexport const taken = [f, ${expression}]\n`,
    rule,
  }
}

/** A pid that a command printed may be any process. */
function signals(): Breach[] {
  return ["packages/loop/test", "testing/src", "testing/test", "scripts", "bench"].map((folder) => ({
    boundary: `${folder} sends no signal by itself`,
    file: `${folder}/signal.ts`,
    text: `const { kill } = process\nkill(3)\n`,
    rule: properties,
  }))
}

function cycle(kind: string, a: string, b: string): Breach[] {
  const rule = "import(no-cycle)"
  return [
    { boundary: `no import cycle of ${kind}`, file: `packages/loop/src/${kind}-a.ts`, text: a, rule },
    { boundary: `no import cycle of ${kind}`, file: `packages/loop/src/${kind}-b.ts`, text: b, rule },
  ]
}
