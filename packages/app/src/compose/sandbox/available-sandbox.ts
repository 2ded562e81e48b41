import { readFileSync, readlinkSync } from "node:fs"
import { join } from "node:path"
import { type Host, isPhrase, isRecord, localHost, parseJson, phrase, type Text } from "@gong/spec"
import type { SandboxFeatures, SandboxProbe } from "@gong/tools/host/sandbox"
import { writePrivateFile } from "@gong/config/home"
import type { Services } from "../../services.ts"
import type { SessionContext } from "../config.ts"
import { attempted } from "./attempted.ts"
import { bwrapPath, modifiedAt } from "./programs.ts"

export interface SandboxDeps extends SessionContext {
  /** Results of the probe may be stored on the disk. */
  readonly persistent: boolean
  host(): Promise<Host>
}

export interface Bubblewrap {
  /** Full path. */
  readonly path: string
  readonly features: SandboxFeatures
}

export type AvailableSandbox =
  | { readonly bwrap: Bubblewrap; readonly reason: null }
  /** `reason`: a clause for the user. */
  | { readonly bwrap: null; readonly reason: Text }

/** Whether a sandbox works on this machine: probed once per boot, or now if `fresh`. */
export async function availableSandbox(deps: SandboxDeps, { fresh }: { fresh: boolean }): Promise<AvailableSandbox> {
  const { services, config } = deps
  if (config.host.id !== localHost)
    return { bwrap: null, reason: phrase`the session works on another host, ${config.host.id}` }
  if (services.platform !== "linux")
    return { bwrap: null, reason: phrase`this version has none for ${services.platform}` }
  const path = bwrapPath()
  if (path === null) return { bwrap: null, reason: phrase`bubblewrap (bwrap) is not installed` }
  const key = cacheKey(services, path)
  const cached = fresh ? null : readCache(config.home, key)
  const probed = cached ?? (await probe(deps, path))
  if (cached === null && deps.persistent) writeCache(config.home, key, probed)
  return probed.works
    ? { bwrap: { path, features: probed.features }, reason: null }
    : { bwrap: null, reason: probed.reason }
}

async function probe({ services, host }: SandboxDeps, bwrap: string): Promise<SandboxProbe> {
  const { probeSandbox } = await import("@gong/tools/host/sandbox")
  return probeSandbox(await host(), bwrap, services.uid)
}

/** Everything that the result depends on: the boot, the container, the user, the program. */
function cacheKey(services: Services, bwrap: string): string {
  const boot = attempted(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim())
  const spaces = ["mnt", "user"].map((kind) => attempted(() => readlinkSync(`/proc/self/ns/${kind}`)))
  return [boot, ...spaces, services.uid, bwrap, modifiedAt(bwrap)].join(" ")
}

const cacheName = "sandbox.json"

/** Null if there is nothing for this key, or an older version of Gong wrote it. */
function readCache(home: string, key: string): SandboxProbe | null {
  const text = attempted(() => readFileSync(join(home, cacheName), "utf8"))
  const cached = parseJson(text ?? "")
  if (!isRecord(cached) || cached["key"] !== key) return null
  const { reason, features } = cached
  if (typeof reason === "string") return { works: false, reason }
  if (isRecord(reason)) return isPhrase(reason) ? { works: false, reason } : null
  if (!isRecord(features)) return null
  const { filter, modes } = features
  return typeof filter === "boolean" && typeof modes === "boolean" ? { works: true, features: { filter, modes } } : null
}

/** Without write access the sandbox is probed again at the next start. */
function writeCache(home: string, key: string, probed: SandboxProbe): void {
  const { works: _, ...cached } = probed
  attempted(() => writePrivateFile(home, cacheName, `${JSON.stringify({ key, ...cached })}\n`))
}
