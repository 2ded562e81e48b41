import { existsSync } from "node:fs"

/** What programs say of services that do not answer in the sandbox, and what these are called. */
const services: readonly (readonly [says: RegExp, service: string])[] = [
  [/authentication agent|ssh-agent/i, "the SSH agent"],
  [/connect to the (?:Docker|Podman) (?:daemon|socket)/i, "the container daemon"],
  [/gpg-agent/i, "the GnuPG agent"],
  [/(?:connect to|autolaunch|start) [^.]*\b(?:bus|D-Bus)\b/i, "the message bus"],
  [/systemd as init system/i, "the service manager"],
  [/\$DISPLAY|(?:open|connect to) (?:the )?(?:X11? )?display|X server|Wayland display/i, "the display"],
]

/** The service, or its socket, that a failed command did not reach; null when the line does not speak of one. */
export function missedService(line: string): string | null {
  const [, path] = /(?:^|[\s"'(:=/])(\/(?:var\/)?run\/[^\s"'`:,;)]*[^\s"'`:,;).])/.exec(line) ?? []
  // Addresses of pages look alike.
  if (path !== undefined && existsSync(path)) return path
  return services.find(([says]) => says.test(line))?.[1] ?? null
}
