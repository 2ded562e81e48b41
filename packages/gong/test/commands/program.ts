import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { TestContext } from "node:test"
import { stripVTControlCharacters } from "node:util"
import { type ModelServer, type ModelServerOptions, startModelServer } from "@gong/testing/model-server"
import { route } from "../../src/main.ts"
import { type Folders, type Ran, type RunOptions, cliIn } from "./test-cli.ts"

export type { Ran } from "./test-cli.ts"

type Env = Readonly<Record<string, string | undefined>>

/** The program in this process, with its own home, repository and streams. */
export interface Program {
  readonly root: string
  readonly home: string
  readonly gongHome: string
  readonly repo: string
  /** The default environment of a run. */
  readonly env: Env
  /** Writes files of the repository, or at absolute paths. */
  write(files: Readonly<Record<string, string>>): void
  read(path: string): string
  gong(args: readonly string[], options?: RunOptions): Promise<Ran>
  /** Replaces the folders of this test by `~`, `$GONG`, `$REPO` and `$ROOT`, and ids, times and durations by fixed names. */
  plain(text: string): string
}

/** Creates the folders and removes them after the test. Effects on the process itself are tested by the program tests. */
export function openProgram(t: TestContext, env: Env = {}): Program {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "gong-inside-")))
  t.after(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }))
  const folders: Folders = {
    root,
    home: join(root, "home"),
    gongHome: join(root, "gong"),
    temp: join(root, "tmp"),
    repo: join(root, "repo"),
  }
  for (const folder of [folders.home, folders.temp, join(folders.repo, ".git")]) mkdirSync(folder, { recursive: true })
  const base = environment(folders, env)
  const names = new Map<string, string>()
  const full = (path: string): string => (path.startsWith("/") ? path : join(folders.repo, path))
  return {
    ...folders,
    env: base,
    write(files) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(full(path)), { recursive: true })
        writeFileSync(full(path), text)
      }
    },
    read: (path) => readFileSync(full(path), "utf8"),
    async gong(args, options = {}) {
      const { cli, output } = cliIn(folders, args, { ...options, env: { ...base, ...options.env } })
      const status = await route(cli)
      return { status, ...output }
    },
    plain: (text) => named(plainIn(folders, text), sessionsIn(folders), names),
  }
}

function environment({ home, gongHome }: Folders, env: Env): Env {
  return { PATH: process.env["PATH"], HOME: home, GONG_HOME: gongHome, GONG_SANDBOX: "off", LANG: "C.UTF-8", ...env }
}

function plainIn({ root, home, gongHome, repo }: Folders, text: string): string {
  const named = [
    [gongHome, "$GONG"],
    [repo, "$REPO"],
    [home, "~"],
    [root, "$ROOT"],
  ] as const
  return named.reduce((all, [path, name]) => all.replaceAll(path, name), text)
}

/** Sessions become `S1`, their short ids `s1`, steps `E1`; times and durations are replaced. */
function named(text: string, sessions: readonly string[], names: Map<string, string>): string {
  const named = (key: string, prefix: string): string => {
    const name = names.get(key) ?? `${prefix}${[...names.values()].filter((one) => one.startsWith(prefix)).length + 1}`
    names.set(key, name)
    return name
  }
  for (const id of sessions) named(id, "S")
  const known = stripVTControlCharacters(text)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => named(id, "S"))
    .replaceAll(/\b[0-9a-hj-km-np-tv-z]{12}\b/g, (id) => named(id, "E"))
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d\.\d{3}Z)?/g, "TIME")
    .replaceAll(/sha256-[0-9a-f]{64}/g, "sha256-HASH")
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT")
    .replaceAll(/("(?:durationMs|firstTokenMs|duration_ms|started_at|mtimeMs|modified|created|ms)":)[\d.]+/g, "$10")
    .replaceAll(/\b\d+\.\d s\b/g, "0.0 s")
    .replaceAll("\r\n", "\n")
  const shortIds = [...names].filter(([, name]) => name.startsWith("S"))
  return shortIds.reduce((all, [id, name]) => all.replaceAll(id.slice(-8), name.toLowerCase()), known)
}

/** Oldest first, since ids start with the time. */
function sessionsIn({ gongHome }: Folders): readonly string[] {
  const folders = ["sessions", "trash"].map((name) => join(gongHome, name)).filter((folder) => existsSync(folder))
  return folders
    .flatMap((folder) => readdirSync(folder))
    .filter((name) => !name.startsWith("."))
    .toSorted()
}

/** Like `openProgram`, with a scripted model server. */
export async function openWithModel(
  t: TestContext,
  options: ModelServerOptions = {},
  env: Env = {},
): Promise<Program & { readonly server: ModelServer }> {
  const server = await startModelServer(options)
  t.after(() => server.close())
  const model = {
    GONG_API: "openai-completions",
    GONG_BASE_URL: `${server.url}/v1`,
    GONG_MODEL: "mock",
    GONG_API_KEY: "sk-canary-0123456789abcdef",
  }
  return { ...openProgram(t, { ...model, ...env }), server }
}
