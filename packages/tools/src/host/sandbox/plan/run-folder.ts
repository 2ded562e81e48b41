import type { Host } from "@gong/spec"
import { isInside } from "../../../posix-path.ts"
import type { Mount } from "./mount.ts"
import { createPresence } from "../secrets/presence.ts"

/**
 * The folder with the sockets of services: agents, message buses, container daemons, databases, desktops, service
 * managers.
 */
const RUN = "/run"

/** Parts of it that commands need, and why. */
const needed: Readonly<Record<string, string>> = {
  "current-system": "programs of NixOS and Guix",
  "booted-system": "modules of the kernel of NixOS",
  "opengl-driver": "libraries of NixOS",
  "opengl-driver-32": "libraries of NixOS",
  wrappers: "programs of NixOS that the PATH names",
  media: "disks that the user has plugged in",
  nscd: "names of users and hosts from a cache that answers look-ups only",
  "nslcd/socket": "names of users from LDAP; it answers look-ups only",
  "systemd/userdb/io.systemd.Home": "names of users of systemd-homed; it answers look-ups only",
  "samba/winbindd/pipe": "names of users of a Windows domain",
}

/** System files that may be links into it: host and user lookup, time zone. */
const links = ["/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/passwd", "/etc/group", "/etc/localtime"]

/**
 * An empty `/run`, and `/var/run` if that is a separate folder, with the parts that commands need. `revealed`: real
 * paths.
 */
export function createRunFolder(host: Host, revealed: readonly string[]): () => Promise<readonly Mount[]> {
  const present = createPresence(host, RUN, Object.keys(needed))
  const real = async (paths: readonly string[]) => {
    const found = await Promise.all(paths.map((path) => host.realpath(path).catch(() => null)))
    return found.filter((path) => path !== null)
  }
  return async () => {
    const folders = [...new Set(await real([RUN, "/var/run"]))]
    const shown = [...(await present()).map((one) => one.real), ...(await real([...links, ...revealed]))]
    const inside = new Set(shown.filter((path) => folders.some((folder) => path !== folder && isInside(folder, path))))
    return [
      ...folders.map((path): Mount => ({ how: "empty", path })),
      ...[...inside].map((path): Mount => ({ how: "read-only", path })),
    ]
  }
}
