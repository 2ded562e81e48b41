/** Sandbox notes for the model. Never translated. */

const again = "the command may work with permission: run it again with unsandboxed: true"

export function blocked(what: string): string {
  return `[sandbox: blocked ${what}; ${again}]`
}

export function blockedHooks(path: string): string {
  return `[sandbox: blocked write to ${path}; hooks and settings of git stay as they are in the sandbox. Where a script of a package manager sets hooks up, go on without it (npm ci --ignore-scripts); else ${again}]`
}

export function blockedNetwork(): string {
  return "[sandbox: the network is off for commands (--network off); go on without it or ask the user]"
}

export function noService(service: string): string {
  return `[sandbox: ${service} does not answer in the sandbox; ${again}]`
}

export function keysWithheld(path: string, name: string, partly: boolean): string {
  const seen = partly ? "is shown to commands without its keys" : "holds keys and is not shown to commands"
  return `[sandbox: ${path} ${seen}; ${again}. For good the user can set sandbox.reveal to ["${name}"]]`
}

export function linkRemoved(path: string, to: string): string {
  return `[sandbox: the symbolic link ${path} -> ${to} was removed again: git would write through it, outside the sandbox too]`
}

export function takenOut(path: string, line: string): string {
  return `[sandbox: lines that would run a program outside the sandbox were taken out of ${path} (${short(line)}); run it in a command of its own]`
}

export function movedAside(path: string, other: string, why: string): string {
  return `[sandbox: ${path} was renamed to ${other}, since git outside the sandbox would run what it says (${short(why)}); to ask for it run mv with unsandboxed: true]`
}

export function othersRun(path: string, other: string, isBack: boolean): string {
  const what = isBack ? `${path} was put back as it was, and what the command wrote is now` : `${path} was renamed to`
  return `[sandbox: ${what} ${other}, since programs outside the sandbox run what it says; to ask for it use write, or run mv with unsandboxed: true]`
}

export function notCleared(path: string, why: string): string {
  return `[sandbox: ${path} should not be there and cannot be taken away (${short(why)}): tell the user to look at it before using git here]`
}

export function moreNotes(count: number): string {
  return `[sandbox: and ${count} more]`
}

const SHORT_MAX_CHARS = 200

function short(text: string): string {
  const line = text.split("\n")[0] ?? ""
  return line.length > SHORT_MAX_CHARS ? `${line.slice(0, SHORT_MAX_CHARS)}...` : line
}

export function meansSignal(code: number, signal: string): string {
  return `[${code} is what a command ends with that ${signal} has ended]`
}

const REASON_MAX_CHARS = 300

export function notStarted(errors: string): string {
  const reason = errors.trim().split("\n").at(-1)?.slice(0, REASON_MAX_CHARS) ?? ""
  return `The sandbox could not be started (${reason}), so the command was not run. The user can find out more with gong doctor; run it again with unsandboxed: true to ask for it without the sandbox.`
}
