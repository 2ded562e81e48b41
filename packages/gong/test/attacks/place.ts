import { spawn } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { dirname, join } from "node:path"
import type { TestContext } from "node:test"
import type { ModelServerOptions } from "@gong/testing/model-server"
import { openStage, type Stage } from "../program/harness.ts"

/** A hostile repository, and tripwires that record which of its parts ran. */
export interface Place extends Stage {
  /** A shell command that trips: it writes down the environment it found. */
  trip(name: string): string
  /** The same as JavaScript. */
  tripCode(name: string): string
  /** An address that trips when it is asked. */
  url(name: string): string
  /** A text that trips when a model is sent it. */
  mark(name: string): string
  /** Names of the wires that were tripped since the last time this was asked. */
  tripped(): readonly string[]
  /** The record of a tripwire. */
  environmentOf(name: string): string
  /** A file of the repository that can be run. */
  program(path: string, text: string): void
  link(path: string, to: string): void
  /** Runs something else than Gong in the repository; it ends within seconds whatever it does. */
  other(command: string, env?: Readonly<Record<string, string>>): Promise<void>
}

const markOf = (name: string) => `mark-${name}-kram`

export async function openPlace(t: TestContext, options: ModelServerOptions = {}): Promise<Place> {
  const stage = await openStage(t, options)
  const trips = join(stage.root, "trips")
  mkdirSync(trips)
  const asked: string[] = []
  const listener = process.getBuiltinModule("node:http").createServer((request, response) => {
    asked.push(...Array.from((request.url ?? "").matchAll(/trip-([\w.-]+)/g), ([, name = ""]) => name))
    response.writeHead(500).end()
  })
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve))
  t.after(() => {
    listener.close()
    listener.closeAllConnections()
  })
  const { port } = listener.address() as AddressInfo
  mkdirSync(join(stage.root, "tripped"))
  let looked = 0
  return Object.assign(Object.create(stage) as Stage, {
    trip: (name: string) => `env > '${join(trips, name)}'`,
    tripCode: (name: string) =>
      `process.getBuiltinModule("node:fs").writeFileSync(${JSON.stringify(join(trips, name))}, JSON.stringify(process.env))`,
    url: (name: string) => `http://127.0.0.1:${port}/trip-${name}`,
    mark: markOf,
    tripped() {
      const sent = JSON.stringify(stage.server.requests.slice(looked).map(({ body }) => body))
      looked = stage.server.requests.length
      const marks = Array.from(sent.matchAll(/mark-([\w.-]+?)-kram/g), ([, name = ""]) => name)
      const files = readdirSync(trips)
      for (const name of files) renameSync(join(trips, name), join(stage.root, "tripped", name))
      return [...new Set([...files, ...asked.splice(0), ...marks])].toSorted()
    },
    environmentOf: (name: string) => readFileSync(join(stage.root, "tripped", name), "utf8"),
    program(path: string, text: string) {
      stage.write({ [path]: `#!/bin/sh\n${text}\n` })
      chmodSync(path.startsWith("/") ? path : join(stage.repo, path), 0o755)
    },
    link(path: string, to: string) {
      const full = join(stage.repo, path)
      mkdirSync(dirname(full), { recursive: true })
      if (!existsSync(full)) symlinkSync(to, full)
    },
    other: (command: string, env = {}) =>
      new Promise<void>((resolve) => {
        const child = spawn("/bin/sh", ["-c", command], {
          cwd: stage.repo,
          env: { ...stage.env, ...env },
          stdio: "ignore",
          timeout: 30_000,
        })
        child.on("error", () => resolve())
        child.on("exit", () => resolve())
      }),
  })
}

/** One thing that a repository may bring. Its name is that of its tripwire. */
export interface Surface {
  readonly name: string
  lay(place: Place): void
  /**
   * The positive control with the guard off: `trusted` triggers in a trusted run of Gong; a command is run by the
   * shell in the repository, as the program that owns the file would; a function does the same by code.
   */
  readonly control: "trusted" | { readonly run: string; readonly env?: Readonly<Record<string, string>> } | Control
}

export type Control = (place: Place) => Promise<unknown>

/** Lays all of them into one repository. */
export function layAll(place: Place, surfaces: readonly Surface[]): void {
  for (const surface of surfaces) surface.lay(place)
}
