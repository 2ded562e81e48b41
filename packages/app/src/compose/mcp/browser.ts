import type { McpOptions } from "./parts.ts"

/** Opens an http or https address without a shell; does nothing where there is no browser. */
export async function openInBrowser({ services, config }: McpOptions, address: URL): Promise<void> {
  if (address.protocol !== "https:" && address.protocol !== "http:") return
  const { platform, env, userHome } = services
  const program = platform === "darwin" ? "open" : platform === "win32" ? "explorer.exe" : "xdg-open"
  if (program === "xdg-open" && env["DISPLAY"] === undefined && env["WAYLAND_DISPLAY"] === undefined) return
  const { signal } = new AbortController()
  const opened = config.machine.exec([program, address.href], { cwd: userHome, signal, onData: () => undefined })
  // A browser may stay open for as long as the login takes; without one the address is shown anyway.
  opened.catch(() => undefined)
}
