import { type Breach, everywhere } from "./breaches-everywhere.ts"

const imports = "no-restricted-imports"
const globals = "no-restricted-globals"
const properties = "no-restricted-properties"

/** Every boundary of oxlint.config.ts, each with at least one breach. */
export const breaches: readonly Breach[] = [
  ...between("spec", "spec/src", ["@gong/loop", "@gong/llm", "node:fs", "ignore"]),
  ...between("llm", "llm/src", [
    "@gong/tape",
    "@gong/tools",
    "@gong/loop",
    "gong",
    "@gong/testing/model-server",
    "node:fs",
    "openai",
  ]),
  ...between("llm/protocol", "llm/src/protocol", ["node:https", "node:zlib", "@gong/tape", "socks"]),
  ...between("loop", "loop/src", [
    "@gong/llm",
    "@gong/tools",
    "@gong/tape",
    "@gong/tape/file",
    "node:events",
    "typebox",
  ]),
  ...between("tools", "tools/src", [
    "@gong/loop",
    "@gong/tape",
    "@gong/llm",
    "node:fs/promises",
    "node:child_process",
    "./host/local.ts",
  ]),
  ...between("tools/edit", "tools/src/edit", ["node:fs", "../host/local.ts", "@vscode/ripgrep"]),
  ...between("a host", "tools/src/host", ["@gong/tape", "node:http", "@gong/testing/sim/clock"]),
  ...between("tape", "tape/src", [
    "@gong/loop",
    "@gong/llm",
    "@gong/tools",
    "node:fs",
    "node:sqlite",
    "./index/index.ts",
    "./store/file.ts",
    "./sessions/index.ts",
  ]),
  ...between("tape folds", "tape/src/fold", ["../store/file.ts", "node:zlib"]),
  ...between("the index", "tape/src/index", ["@gong/loop", "node:child_process", "yaml"]),
  ...between("the store", "tape/src/store", [
    "node:sqlite",
    "../index/index.ts",
    "@gong/loop",
    "node:https",
    "@gong/tools/host/local",
  ]),
  ...between("sessions as files", "tape/src/sessions", ["node:fs", "node:sqlite", "@gong/loop"]),
  ...between("session", "gong/src/session", [
    "@gong/llm",
    "@gong/tools",
    "@gong/tape/file",
    "node:fs",
    "../modes/print/print.ts",
    "../config/read.ts",
    "../compose/open-session.ts",
    "../policy/decide.ts",
    "../texts/translator.ts",
  ]),
  ...between("policy", "gong/src/policy", [
    "@gong/loop",
    "node:fs",
    "../config/read.ts",
    "../session/session.ts",
    "../texts/translator.ts",
  ]),
  ...between("prompt", "gong/src/prompt", [
    "@gong/tape",
    "node:fs",
    "../config/read.ts",
    "../skills/find.ts",
    "../texts/translator.ts",
  ]),
  ...between("skills", "gong/src/skills", ["node:fs", "../prompt/system.ts"]),
  ...between("config", "gong/src/config", [
    "@gong/loop",
    "node:child_process",
    "node:http",
    "../policy/decide.ts",
    "../trust/decide.ts",
  ]),
  ...[
    "compose/resources/context",
    "compose/models/live-settings",
    "compose/permissions/trust",
    "config/mentions",
    "config/workspace",
  ].map(onThisMachine),
  ...["trust/surface", "trust/place", "trust/decide", "skills/load-skills", "skills/load-themes"].map(onThisMachine),
  ...between("trust", "gong/src/trust", ["@gong/tape", "../config/read.ts"]),
  ...between("extensions", "gong/src/extensions", ["@gong/loop", "../session/session.ts", "./worker/main.ts"]),
  ...between("the thread", "gong/src/extensions/worker", ["@gong/tape", "../../session/session.ts"]),
  ...between("the wiring", "gong/src/commands", [
    "node:http",
    "@gong/testing/sim/clock",
    "openai",
    "@gong/tape/file",
    "@gong/tape/index",
    "@gong/tape/sessions",
  ]),
  ...between("composition", "gong/src/compose", ["@gong/tape/file", "@gong/tape/index", "@gong/tape/sessions"]),
  ...between("terminal", "gong/src/terminal", ["@gong/tape", "../session/session.ts", "../run.ts"]),
  ...between("slash", "gong/src/slash", ["@gong/tape/file", "node:http", "../modes/print.ts", "../run.ts"]),
  ...between("controller", "gong/src/controller", [
    "@gong/tape/index",
    "@gong/testing/sim/clock",
    "../modes/print.ts",
    "../converse.ts",
  ]),
  ...modes(),
  ...between("a new area of gong", "gong/src/newroom", ["@gong/tape", "node:fs", "../session/session.ts"]),
  { ...planted("examples", "@gong/spec", imports), file: "examples/planted.ts", text: `import "@gong/spec"\n` },
  ...between("web", "web/src", ["@gong/loop", "@gong/llm", "gong", "@gong/tape/file", "node:fs"]),
  {
    boundary: "main.ts may not use the test kit",
    file: "packages/gong/src/main.ts",
    text: `import "@gong/testing/sim/clock"\n`,
    rule: imports,
  },
  {
    boundary: "the composition may not load undici",
    file: "packages/gong/src/compose/open-session.ts",
    text: `import "node:https"\n`,
    rule: imports,
  },
  {
    boundary: "the test kit knows only spec",
    file: "testing/src/planted.ts",
    text: `import "@gong/llm"\n`,
    rule: imports,
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
    text: `export * from "@gong/tape"\n`,
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

/** What lies in the folder of a session is read on its host. */
function onThisMachine(file: string): Breach {
  return {
    boundary: `${file} reads the folder on its host`,
    file: `packages/gong/src/${file}.ts`,
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
      "node:fs",
      "../../config/read.ts",
      "../../session/queue.ts",
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
    "gong/src/session",
    "gong/src/policy",
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
    ...["llm/src", "tape/src/store", "gong/src/config", "gong/src/commands", "gong/src/compose"].map((area) =>
      planted(area, "process.env['X']", "node(no-process-env)"),
    ),
    ...["tools/src/host", "tape/src/store"].flatMap((area) => [
      planted(area, "fetch('')", globals),
      planted(area, "console.log(1)", globals),
      planted(area, "process.exit()", properties),
    ]),
    ...["process.cwd()", "process.stdout", "process.exit()"].map((word) =>
      planted("gong/src/config", word, properties),
    ),
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
