import { existsSync } from "node:fs"

/** Error messages about unreachable services, and the names of these services. */
const services: readonly (readonly [says: RegExp, service: string])[] = [
  [/authentication agent|ssh-agent/i, "the SSH agent"],
  [/connect to the (?:Docker|Podman) (?:daemon|socket)/i, "the container daemon"],
  [/gpg-agent/i, "the GnuPG agent"],
  [/(?:connect to|autolaunch|start) [^.]*\b(?:bus|D-Bus)\b/i, "the message bus"],
  [/systemd as init system/i, "the service manager"],
  [/\$DISPLAY|(?:open|connect to) (?:the )?(?:X(?:11)? )?display|X server|Wayland display/i, "the display"],
]

/** The service or socket that a failed command did not reach; null if the line names none. */
export function missedService(line: string): string | null {
  const [, path] = /(?:^|[\s"'(:=/])(\/(?:var\/)?run\/[^\s"'`:,;)]*[^\s"'`:,;).])/.exec(line) ?? []
  // Paths of URLs look the same.
  if (path !== undefined && existsSync(path)) return path
  return services.find(([says]) => says.test(line))?.[1] ?? null
}
