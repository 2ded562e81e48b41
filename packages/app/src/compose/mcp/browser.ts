import type { Services } from "../../services.ts"

/** Opens an http or https address without a shell; does nothing where there is no browser. */
export async function openInBrowser(
  { platform, env }: Pick<Services, "platform" | "env">,
  address: URL,
): Promise<void> {
  if (address.protocol !== "https:" && address.protocol !== "http:") return
  const program = platform === "darwin" ? "open" : platform === "win32" ? "explorer.exe" : "xdg-open"
  if (program === "xdg-open" && env["DISPLAY"] === undefined && env["WAYLAND_DISPLAY"] === undefined) return
  const { spawn } = process.getBuiltinModule("node:child_process")
  const child = spawn(program, [address.href], { stdio: "ignore", detached: true })
  child.on("error", () => undefined)
  child.unref()
}
