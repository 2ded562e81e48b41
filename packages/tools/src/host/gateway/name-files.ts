import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import type { Mount } from "../sandbox/plan/mount.ts"

/** Sockets of services that resolve names for programs and bypass resolv.conf. */
const nameSockets: readonly string[] = [
  "/run/systemd/resolve/io.systemd.Resolve",
  "/run/nscd/socket",
  "/var/run/nscd/socket",
  "/run/dbus/system_bus_socket",
]

/** Mounts that make commands resolve names at `server` only. `folder` holds the files and belongs to Gong. */
export function nameMounts(folder: string, server: string): readonly Mount[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const texts = {
    "/etc/resolv.conf": resolvConf(textOf("/etc/resolv.conf"), server),
    "/etc/hosts": ownHosts(textOf("/etc/hosts"), hostname()),
  }
  const files = Object.entries(texts).map(([path, text]): Mount => {
    const from = join(folder, path.replace("/etc/", ""))
    if (textOf(from) !== text) replace(from, text)
    return { how: "shown", path, from }
  })
  return [...files, ...nameSockets.map((path): Mount => ({ how: "hidden", path }))]
}

/** Keeps search lists and options (resolv.conf(5)). */
export function resolvConf(text: string, server: string): string {
  const kept = text.split("\n").filter((line) => /^\s*(search|domain|options)\s/.test(line))
  return [`nameserver ${server}`, ...kept, ""].join("\n")
}

/** Names of this machine. Other names are omitted, so that they are resolved, and permitted, by name. */
export function ownHosts(text: string, own: string): string {
  const kept = text.split("\n").filter((line) => /^\s*(127\.|::1\s)/.test(line))
  const known = kept.some((line) => line.split("#", 1).join("").split(/\s+/).includes(own))
  const local = kept.some((line) => /\slocalhost(\s|$)/.test(line)) ? [] : ["127.0.0.1 localhost"]
  return [...local, ...kept, ...(known || own === "" ? [] : [`127.0.0.1 ${own}`]), ""].join("\n")
}

/** Replaces atomically, since commands of another session may be reading the file. */
function replace(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`
  writeFileSync(temporary, text, { mode: 0o644 })
  renameSync(temporary, path)
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}
