import { english } from "@gong/texts/translator"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { TestContext } from "node:test"
import { englishOf, type Host } from "@gong/spec"
import { attacks, type Guard } from "@gong/testing/attacks"
import { createLocalHost } from "@gong/tools/host/local"
import { probeSandbox, createSandboxedHost } from "@gong/tools/host/sandbox"
import { hiddenSecrets } from "@gong/app/compose/sandbox/secrets"
import { type KeySyntax, locationVariables, secretTable } from "@gong/policy/sensitive/secret-table"
import type { Cli } from "../../src/cli.ts"

const bwrap = "/usr/bin/bwrap"
const uid = process.getuid?.() ?? null
const probed = await probeSandbox(createLocalHost({ cwd: "/" }), bwrap, uid)
const skip = probed.works ? false : englishOf(probed.reason)

/** A key in each notation, on a line of its own. */
const texts: Readonly<Record<KeySyntax | "whole", (key: string) => string>> = {
  whole: (key) => `${key}\n`,
  lines: (key) => `registry=x\n//x/:_authToken=${key}\n`,
  json: (key) => `{"auths": {"x": {"auth": "${key}"}}}\n`,
  xml: (key) => `<server>\n<password>${key}</password>\n</server>\n`,
}

interface Key {
  /** From the home. */
  readonly path: string
  readonly form: KeySyntax | "whole"
}

/** A file at each location of the table; those without a file name become folders. */
const keys: readonly Key[] = Object.values(secretTable).flatMap(({ paths = [], settings = {} }) => [
  ...paths.map((path): Key => ({ path: isFile(path) ? path : `${path}/key`, form: "whole" })),
  ...Object.entries(settings).map(([path, form]): Key => ({ path, form })),
])

function isFile(path: string): boolean {
  return /(?:\.(?:json|toml|yaml|yml|xml|env|js|cnf|conf)|rc|netrc|history|cookie|token|credentials)$/.test(path)
}

interface Stage {
  readonly inside: Host
  readonly outside: Host
  /** Full path of the folder with the keys, like a home. */
  readonly keys: string
}

/** Keys in a home, or in another folder to which a variable leads. */
function stageOf(t: TestContext, held: readonly Key[], variable: string | null): Stage {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "gong-secrets-")))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const [home, repo, blank] = [join(root, "home"), join(root, "home/repo"), join(root, "blank")]
  for (const folder of [repo, blank]) mkdirSync(folder, { recursive: true })
  const folder = variable === null ? home : join(root, "elsewhere")
  for (const { path, form } of held) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), texts[form](`key:${path}`))
  }
  const leads = variable === null ? {} : { [variable]: join(folder, locationVariables[variable] ?? "") }
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, ...leads }
  const outside: Host = { ...createLocalHost({ cwd: repo, home, env }), tmp: join(root, "tmp") }
  const cli = { userHome: home, env, uid, cwd: repo, t: english } as unknown as Cli
  const inside = createSandboxedHost(outside, {
    tier: "workspace",
    bwrap,
    features: probed.works ? probed.features : { filter: false, modes: false },
    roots: [repo],
    kept: [],
    hidden: [],
    autorun: [],
    secrets: hiddenSecrets(cli, { names: [], paths: [] }),
    revealed: [],
    variables: [],
    caches: null,
    network: true,
    uid,
  })
  return { inside, outside, keys: folder }
}

/** The paths whose keys a search of all finds. */
async function found({ inside, outside, keys: folder }: Stage, guard: Guard): Promise<ReadonlySet<string>> {
  let out = ""
  const host = guard === "on" ? inside : outside
  await host.exec(["grep", "-rhoas", 'key:[^<"]*', folder], {
    cwd: host.cwd,
    signal: AbortSignal.timeout(60_000),
    onData: (bytes) => void (out += Buffer.from(bytes).toString()),
  })
  return new Set([...out.matchAll(/^key:(.+)$/gm)].map(([, path = ""]) => path))
}

const inHome = keys.map(({ path }) => path)
attacks(
  "[SAFE-28] a search of the home does not meet a key in any place of the table",
  inHome,
  async (t, guard) => {
    const seen = await found(stageOf(t, keys, null), guard)
    return inHome.filter((path) => seen.has(path))
  },
  { skip },
)

/** The targets of a variable: locations of the table, or one file in one of them. */
function keysBelow(usual: string): readonly Key[] {
  const within = keys.filter(({ path }) => path === usual || path.startsWith(`${usual}/`))
  return within.length > 0 ? within : [{ path: usual, form: "whole" }]
}

attacks(
  "[SAFE-28] nor one in a place that a variable names",
  Object.keys(locationVariables),
  async (t, guard) => {
    const reached: string[] = []
    for (const [variable, usual] of Object.entries(locationVariables))
      if ((await found(stageOf(t, keysBelow(usual), variable), guard)).size > 0) reached.push(variable)
    return reached
  },
  { skip },
)
