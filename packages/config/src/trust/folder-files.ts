import { join } from "node:path"
import { type HostAnswer, type HostLook, type TrustHost, workspaceName } from "@gong/spec"

/** What exists at a path of a folder. */
export type Found =
  | { readonly kind: "file"; readonly size: number }
  | { readonly kind: "folder" }
  /** A link to a file or folder outside. */
  | { readonly kind: "outside"; readonly real: string }
  /** A FIFO, a device, or something unreadable. */
  | { readonly kind: "other" }

/** One per path, in order; null if missing. `root`: a real path. */
export async function findAll(
  host: TrustHost,
  root: string,
  paths: readonly string[],
): Promise<readonly (Found | null)[]> {
  const looked = await host.look(paths.map((path) => join(root, path)))
  return looked.map((one) => foundIn(root, one))
}

export async function findIn(host: TrustHost, root: string, path: string): Promise<Found | null> {
  return (await findAll(host, root, [path]))[0] ?? null
}

function foundIn(root: string, looked: HostAnswer<HostLook>): Found | null {
  if (!looked.ok) return looked.code === "ENOENT" ? null : { kind: "other" }
  const { stat, real } = looked.value
  if (real !== root && !real.startsWith(root === "/" ? "/" : `${root}/`)) return { kind: "outside", real }
  if (stat.kind === "directory") return { kind: "folder" }
  return stat.kind === "file" ? { kind: "file", size: stat.size } : { kind: "other" }
}

/** Maximum bytes of a file that can be trusted. */
export const maxTrusted = 64 * 1024 * 1024

/** Null if unreadable, or not a regular file by now: reading a FIFO would never end. */
export async function bytesOf(host: TrustHost, root: string, path: string): Promise<Uint8Array | null> {
  const [read] = await host.readFiles([join(root, path)], { maxBytes: maxTrusted })
  return read?.ok === true && read.value.stat.size <= maxTrusted ? read.value.bytes : null
}

/** The key of decisions about a folder. */
export function trustName({ host, root }: { readonly host: TrustHost; readonly root: string }): string {
  return workspaceName({ host: host.id, workspace: root })
}

export function sha256(data: string | Uint8Array): string {
  // Loaded on use: most folders have nothing to hash.
  return process.getBuiltinModule("node:crypto").hash("sha256", data, "hex")
}
