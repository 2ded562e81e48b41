import { readFileSync, readlinkSync, realpathSync, statSync } from "node:fs"
import { join } from "node:path"
import {
  englishOf,
  type Host,
  isPhrase,
  isRecord,
  localHost,
  parseJson,
  type PermissionLevel,
  phrase,
  type SessionEvent,
  type Text,
  ownFolder,
} from "@gong/spec"
import type { NetworkPorts } from "@gong/tools/host/gateway"
import type { SandboxProbe, SandboxFeatures } from "@gong/tools/host/sandbox"
import type { NetworkMode, SessionSpec, SandboxMode } from "@gong/config/session-spec"
import { writePrivateFile } from "@gong/config/home"
import type { Settings } from "@gong/config/settings/resolve"
import { must, ok, type Outcome, usage } from "@gong/config/usage"
import { systemClock } from "../../ports.ts"
import type { Services } from "../../services.ts"
import type { Config } from "../config.ts"
import type { Revealed } from "./secrets.ts"
import { pruneInBackground, toolCaches } from "./tool-caches.ts"

/** What confines the commands of a session. */
export interface Sandbox {
  readonly mode: SandboxMode
  readonly network: NetworkMode
  /** Null when off. */
  readonly bwrap: Bubblewrap | null
  /** Why it is off although nobody wanted that. */
  readonly reason: Text | null
}

export interface Bubblewrap {
  /** Full path. */
  readonly path: string
  readonly features: SandboxFeatures
}

export interface SandboxDeps {
  readonly services: Services
  readonly config: Config
  readonly spec: SessionSpec
  /** Nothing is kept on the disk: neither what was found out here. */
  readonly keeps: boolean
  host(): Promise<Host>
}

/** A sandbox that was asked for and cannot be had is a usage error; one that nobody asked for is off, with the reason. */
export async function chooseSandbox(place: SandboxDeps): Promise<Outcome<Sandbox>> {
  const { settings } = place.config
  const { mode, asked } = requestedMode(settings)
  const reveal = await revealedBy(place)
  if (!reveal.ok) return reveal
  const { network } = settings.values
  const off = { mode: "off", network: "on", bwrap: null, reason: null } as const
  if (mode === "off" && network !== "on")
    return usage(phrase`--network ${network} needs a sandbox: leave out --sandbox off.`)
  if (mode === "off") return ok(off)
  const found = await availableSandbox(place, { fresh: false })
  const reason = found.reason ?? (network === "hosts" && nsenter() === null ? noNsenter : null)
  if (found.bwrap !== null && reason === null) return ok({ mode, network, bwrap: found.bwrap, reason: null })
  if (asked === null) return ok({ ...off, reason })
  return usage(
    phrase`${asked} cannot be had here: ${reason ?? ""} (gong doctor explains). --sandbox off goes without it.`,
  )
}

/** Most sessions reveal nothing, and then nothing that reads it is loaded. */
async function revealedBy({ config, services }: SandboxDeps): Promise<Outcome<Revealed>> {
  const reveal = config.settings.values["sandbox.reveal"]
  if (reveal.length === 0) return ok({ names: [], paths: [] })
  return (await import("./secrets.ts")).readReveal(reveal, services)
}

const noNsenter = phrase`nsenter (of util-linux) is not installed`

/** Found as bubblewrap is. */
function nsenter(): string | null {
  return (
    ["/usr/bin/nsenter", "/bin/nsenter", "/run/current-system/sw/bin/nsenter"].find(
      (path) => modifiedAt(path) !== null,
    ) ?? null
  )
}

/** `asked`: who wants it, as a person would write it. */
function requestedMode({ values, origins }: Settings): { readonly mode: SandboxMode; readonly asked: string | null } {
  const { sandbox, network, permission } = values
  if (sandbox !== null) return { mode: sandbox, asked: `${origins.sandbox} ${sandbox}` }
  const asked = network === "on" ? null : `${origins.network} ${network}`
  if (permission === "plan") return { mode: "read-only", asked }
  return { mode: permission === "full" && asked === null ? "off" : "workspace", asked }
}

export type Available =
  | { readonly bwrap: Bubblewrap; readonly reason: null }
  /** Half a sentence for people. */
  | { readonly bwrap: null; readonly reason: Text }

/** Whether a sandbox works on this machine: tried once per boot, or now when `fresh`. */
export async function availableSandbox(place: SandboxDeps, { fresh }: { fresh: boolean }): Promise<Available> {
  const { services, config } = place
  if (config.host.id !== localHost)
    return { bwrap: null, reason: phrase`the session works on another host, ${config.host.id}` }
  if (services.platform !== "linux")
    return { bwrap: null, reason: phrase`this version has none for ${services.platform}` }
  const path = programs.find((one) => modifiedAt(one) !== null)
  if (path === undefined) return { bwrap: null, reason: phrase`bubblewrap (bwrap) is not installed` }
  const key = keyOf(services, path)
  const known = fresh ? null : recall(config.home, key)
  const probed = known ?? (await probe(place, path))
  if (known === null && place.keeps) remember(config.home, key, probed)
  return probed.works
    ? { bwrap: { path, features: probed.features }, reason: null }
    : { bwrap: null, reason: probed.reason }
}

/** Never from the PATH, which a project may lead to a program of its own. */
const programs = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap"]

async function probe({ services, host }: SandboxDeps, bwrap: string): Promise<SandboxProbe> {
  const { probeSandbox } = await import("@gong/tools/host/sandbox")
  return probeSandbox(await host(), bwrap, services.uid)
}

/** All that the answer hangs on: this boot, this container, this user, this program. */
function keyOf(services: Services, bwrap: string): string {
  const boot = attempted(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim())
  const spaces = ["mnt", "user"].map((kind) => attempted(() => readlinkSync(`/proc/self/ns/${kind}`)))
  return [boot, ...spaces, services.uid, bwrap, modifiedAt(bwrap)].join(" ")
}

/** Null where nothing is kept for this key, or by a version that did not ask for all of it. */
function recall(home: string, key: string): SandboxProbe | null {
  const text = attempted(() => readFileSync(join(home, cacheName), "utf8"))
  const known = parseJson(text ?? "")
  if (!isRecord(known) || known["key"] !== key) return null
  const { reason, features } = known
  if (typeof reason === "string") return { works: false, reason }
  if (isRecord(reason)) return isPhrase(reason) ? { works: false, reason } : null
  if (!isRecord(features)) return null
  const { filter, modes } = features
  return typeof filter === "boolean" && typeof modes === "boolean" ? { works: true, features: { filter, modes } } : null
}

const cacheName = "sandbox.json"

/** Where it cannot be kept it is found out again the next time. */
function remember(home: string, key: string, probed: SandboxProbe): void {
  const { works: _, ...known } = probed
  attempted(() => writePrivateFile(home, cacheName, `${JSON.stringify({ key, ...known })}\n`))
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
export async function confine(host: Host, place: SandboxDeps, sandbox: Sandbox, network: NetworkPorts): Promise<Host> {
  const { services, spec, config } = place
  if (sandbox.mode === "off" || sandbox.bwrap === null) return host
  const { createSandboxedHost } = await import("@gong/tools/host/sandbox")
  const { unsandboxedGit } = await import("@gong/policy/git/unsandboxed-git")
  const { plainGitFetch } = await import("@gong/policy/git/plain-git-fetch")
  const { autorun } = await import("@gong/policy/sensitive/autorun")
  const { home, workspace } = config
  const { hiddenSecrets } = await import("./secrets.ts")
  const revealed = must(await revealedBy(place))
  const real = attempted(() => realpathSync(home)) ?? home
  const caches = toolCaches(real, workspace.repository)
  pruneInBackground(real, systemClock.now())
  const gateway = async (bwrap: string) => {
    const { createGateway } = await import("@gong/tools/host/gateway")
    const folder = join(real, "cache", "network")
    return createGateway({ bwrap, nsenter: nsenter() ?? "", uid: services.uid, network, folder, env: host.env })
  }
  return createSandboxedHost(host, {
    tier: sandbox.mode,
    bwrap: sandbox.bwrap.path,
    features: sandbox.bwrap.features,
    roots: workspace.roots,
    kept: [real],
    hidden: [join(real, "auth.json")],
    secrets: hiddenSecrets(services, revealed),
    revealed: revealed.paths.map((path) => attempted(() => realpathSync(path)) ?? path),
    variables: [...config.settings.values["env.allow"], ...(spec.env ?? [])],
    // What is new in it would steer the next session.
    autorun: [...autorun.flatMap(({ names }) => names), ownFolder],
    caches,
    // Elsewhere a command could have put a repository of its own in git's way, with hooks and settings that it wrote.
    ...(workspace.git && workspace.cwd === workspace.folder ? { outside: unsandboxedGit } : {}),
    fetches: plainGitFetch,
    network: sandbox.network !== "off",
    gateway: sandbox.network === "hosts" ? await gateway(sandbox.bwrap.path) : null,
    uid: services.uid,
  })
}

/** `auto` where commands are confined or nobody is there, `ask` where a person must stand in for a sandbox (interface part 5 P). */
export function levelOf(settings: Settings, interactive: boolean, { mode }: Sandbox): PermissionLevel {
  return settings.values.permission ?? (interactive && mode === "off" ? "ask" : "auto")
}

/** As the first event says it. */
export function sandboxFacts({ mode, network, reason }: Sandbox): SessionEvent["sandbox"] {
  const reached = { on: [], hosts: ["hosts"], off: ["network"] }[network]
  const enforced = mode === "off" ? [] : ["files", "processes", ...reached]
  return { mode, enforced, ...(reason === null ? {} : { reason: englishOf(reason) }) }
}
