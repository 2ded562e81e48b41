/** What a model reads of the sandbox. These texts are for models and are never translated. */

const again = "the command may work with permission: run it again with unsandboxed: true"

export function blocked(what: string): string {
  return `[sandbox: blocked ${what}; ${again}]`
}

export function blockedNetwork(): string {
  return "[sandbox: the network is off for commands (--network off); go on without it or ask the user]"
}

export function takenAway(path: string): string {
  return `[sandbox: ${path} was taken away again: git would read its settings from where it says]`
}

export function meansSignal(code: number, signal: string): string {
  return `[${code} is what a command ends with that ${signal} has ended]`
}

const REASON_MAX_CHARS = 300

export function notStarted(said: string): string {
  const reason = said.trim().split("\n").at(-1)?.slice(0, REASON_MAX_CHARS) ?? ""
  return `The sandbox could not be started (${reason}), so the command was not run. The user can find out more with gong doctor; run it again with unsandboxed: true to ask for it without the sandbox.`
}
