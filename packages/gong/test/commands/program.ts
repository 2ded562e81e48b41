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
import { type Folders, type Ran, type RunOptions, worldIn } from "./surface.ts"

export type { Ran } from "./surface.ts"

type Env = Readonly<Record<string, string | undefined>>

/** The program inside this process, with a home, a repository and streams of its own. */
export interface Program {
  readonly root: string
  readonly home: string
  readonly gongHome: string
  readonly repo: string
  /** What each run is given, where it says nothing else. */
  readonly env: Env
  /** Files of the repository, or of any place when the path is absolute. */
  write(files: Readonly<Record<string, string>>): void
  read(path: string): string
  gong(args: readonly string[], options?: RunOptions): Promise<Ran>
  /** Texts with the folders of this test as `~`, `$GONG`, `$REPO` and `$ROOT`, and with names for what is new each time. */
  plain(text: string): string
}

/** Made anew for a test and removed after it. What a command does to the process itself is left to whole-program tests. */
export function openProgram(t: TestContext, env: Env = {}): Program {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "gong-inside-")))
  t.after(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }))
  const place: Folders = {
    root,
    home: join(root, "home"),
    gongHome: join(root, "gong"),
    temp: join(root, "tmp"),
    repo: join(root, "repo"),
  }
  for (const folder of [place.home, place.temp, join(place.repo, ".git")]) mkdirSync(folder, { recursive: true })
  const base = environment(place, env)
  const names = new Map<string, string>()
  const full = (path: string): string => (path.startsWith("/") ? path : join(place.repo, path))
  return {
    ...place,
    env: base,
    write(files) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(full(path)), { recursive: true })
        writeFileSync(full(path), text)
      }
    },
    read: (path) => readFileSync(full(path), "utf8"),
    async gong(args, options = {}) {
      const { world, said } = worldIn(place, args, { ...options, env: { ...base, ...options.env } })
      const status = await route(world)
      return { status, ...said }
    },
    plain: (text) => named(plainIn(place, text), sessionsIn(place), names),
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

/** Sessions become `S1`, their short ids `s1`, steps `E1`; times and durations are left out. */
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

/** From the oldest on: their ids begin with the time. */
function sessionsIn({ gongHome }: Folders): readonly string[] {
  const folders = ["sessions", "trash"].map((name) => join(gongHome, name)).filter((folder) => existsSync(folder))
  return folders
    .flatMap((folder) => readdirSync(folder))
    .filter((name) => !name.startsWith("."))
    .toSorted()
}

/** As `openProgram`, with a model that plays a script. */
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
