import { readFileSync, readlinkSync, realpathSync, statSync } from "node:fs"
import { join } from "node:path"
import type { Host, PermissionLevel, SessionEvent } from "@gong/spec"
import type { SandboxMode } from "../config/flags.ts"
import { keepFile, makeFolder } from "../config/home.ts"
import type { Settings } from "../config/settings/resolve.ts"
import { ok, type Outcome, usage } from "../config/usage.ts"
import { ownFolder } from "../folders.ts"
import type { World } from "../world.ts"
import type { Config } from "./config.ts"
import { say, told } from "../texts/say.ts"

/** What confines the commands of a session. */
export interface Sandbox {
  readonly mode: SandboxMode
  readonly network: boolean
  /** Full path of bubblewrap; null when off. */
  readonly bwrap: string | null
  /** Why it is off although nobody wanted that. */
  readonly reason: string | null
}

export interface SandboxPlace {
  readonly world: World
  readonly config: Config
  /** Nothing is kept on the disk: neither what was found out here. */
  readonly keeps: boolean
  host(): Promise<Host>
}

/** A sandbox that was asked for and cannot be had is a usage error; one that nobody asked for is off, with the reason. */
export async function chooseSandbox(place: SandboxPlace): Promise<Outcome<Sandbox>> {
  const { settings } = place.config
  const { mode, asked } = wantedMode(settings)
  const network = settings.values.network === "on"
  const off = { mode: "off", network: true, bwrap: null, reason: null } as const
  if (mode === "off" && !network) return usage(say`--network off needs a sandbox: leave out --sandbox off.`)
  if (mode === "off") return ok(off)
  const found = await availableSandbox(place, { fresh: false })
  if (found.bwrap !== null) return ok({ mode, network, bwrap: found.bwrap, reason: null })
  if (asked === null) return ok({ ...off, reason: found.reason })
  return usage(
    say`${asked} cannot be had here: ${told(found.reason)} (gong doctor explains). --sandbox off goes without it.`,
  )
}

/** `asked`: who wants it, as a person would write it. */
function wantedMode({ values, origins }: Settings): { readonly mode: SandboxMode; readonly asked: string | null } {
  const { sandbox, network, permission } = values
  if (sandbox !== null) return { mode: sandbox, asked: `${origins.sandbox} ${sandbox}` }
  const asked = network === "off" ? `${origins.network} off` : null
  if (permission === "plan") return { mode: "read-only", asked }
  return { mode: permission === "full" && asked === null ? "off" : "workspace", asked }
}

export type Available =
  | { readonly bwrap: string; readonly reason: null }
  /** Half a sentence for people. */
  | { readonly bwrap: null; readonly reason: string }

/** Whether a sandbox works on this machine: tried once per boot, or now when `fresh`. */
export async function availableSandbox(place: SandboxPlace, { fresh }: { fresh: boolean }): Promise<Available> {
  const { world, config } = place
  if (world.platform !== "linux") return { bwrap: null, reason: `this version has none for ${world.platform}` }
  const bwrap = programs.find((path) => modifiedAt(path) !== null)
  if (bwrap === undefined) return { bwrap: null, reason: "bubblewrap (bwrap) is not installed" }
  const key = keyOf(world, bwrap)
  const known = fresh ? null : recall(config.home, key)
  const reason = known === null ? await probe(place, bwrap) : known.reason
  if (known === null && place.keeps) remember(config.home, { key, reason })
  return reason === null ? { bwrap, reason } : { bwrap: null, reason }
}

/** Never from the PATH, which a project may lead to a program of its own. */
const programs = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap"]

async function probe({ world, host }: SandboxPlace, bwrap: string): Promise<string | null> {
  const { probeSandbox } = await import("@gong/tools/host/sandbox")
  const probed = await probeSandbox(await host(), bwrap, world.uid)
  return probed.works ? null : probed.reason
}

interface Known {
  readonly key: string
  /** Null when it works. */
  readonly reason: string | null
}

/** All that the answer hangs on: this boot, this container, this user, this program. */
function keyOf(world: World, bwrap: string): string {
  const boot = attempted(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim())
  const spaces = ["mnt", "user"].map((kind) => attempted(() => readlinkSync(`/proc/self/ns/${kind}`)))
  return [boot, ...spaces, world.uid, bwrap, modifiedAt(bwrap)].join(" ")
}

function recall(home: string, key: string): Known | null {
  const text = attempted(() => readFileSync(join(home, cacheName), "utf8"))
  const known = attempted(() => JSON.parse(text ?? "") as Partial<Known> | null)
  const usable = known?.key === key && (known.reason === null || typeof known.reason === "string")
  return usable ? { key, reason: known.reason ?? null } : null
}

const cacheName = "sandbox.json"

/** Where it cannot be kept it is found out again the next time. */
function remember(home: string, known: Known): void {
  attempted(() => keepFile(home, cacheName, `${JSON.stringify(known)}\n`))
}

function modifiedAt(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null
}

function attempted<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}

/** The host with its commands confined as it was chosen. */
export async function confine(host: Host, { world, config, keeps }: SandboxPlace, sandbox: Sandbox): Promise<Host> {
  if (sandbox.mode === "off" || sandbox.bwrap === null) return host
  const { sandboxed } = await import("@gong/tools/host/sandbox")
  const { gitOutside } = await import("../policy/git-outside.ts")
  const { home, workspace } = config
  const blank = join(home, "blank")
  if (keeps) attempted(() => makeFolder(blank))
  const real = attempted(() => realpathSync(home)) ?? home
  return sandboxed(host, {
    tier: sandbox.mode,
    bwrap: sandbox.bwrap,
    roots: workspace.roots,
    kept: [real],
    hidden: [join(real, "auth.json")],
    own: ownFolder,
    blank,
    // Elsewhere a command could have put a repository of its own in git's way, with hooks and settings that it wrote.
    ...(workspace.git && workspace.cwd === workspace.folder ? { outside: gitOutside } : {}),
    network: sandbox.network,
    uid: world.uid,
  })
}

/** `auto` where commands are confined or nobody is there, `ask` where a person must stand in for a sandbox (interface part 5 P). */
export function levelOf(settings: Settings, interactive: boolean, { mode }: Sandbox): PermissionLevel {
  return settings.values.permission ?? (interactive && mode === "off" ? "ask" : "auto")
}

/** As the first event says it. */
export function sandboxFacts({ mode, network, reason }: Sandbox): SessionEvent["sandbox"] {
  const enforced = mode === "off" ? [] : ["files", "processes", ...(network ? [] : ["network"])]
  return { mode, enforced, ...(reason === null ? {} : { reason }) }
}
