import { failureOf, type Hook, type InputAnswer, messageOf, phrase, type Diagnostic } from "@gong/spec"
import type { CommandAnswer } from "@gong/extensions/api"
import { dialogAsk } from "@gong/extensions/dialog-ask"
import type { ExtensionHost } from "@gong/extensions/host/host"
import type { ExtensionReporter } from "@gong/extensions/reporter"
import { withLocation } from "@gong/extensions/host/open-calls"
import type { Remote } from "@gong/extensions/remote/remote"
import { signalAfter } from "../../ports.ts"
import type { Session } from "@gong/session/session"
import { slashNames } from "../../slash/names.ts"
import { slashLine } from "../../slash-line.ts"
import type { RemoteCommand, LoadedExtension } from "./extension-parts.ts"

/** A name of Gong's own commands, or of an earlier extension, is a collision. */
export function extensionCommands(there: readonly LoadedExtension[]) {
  const taken = new Map(slashNames.map((name) => [name, "Gong"]))
  const commands: RemoteCommand[] = []
  const collisions: Diagnostic[] = []
  for (const { remote, path, registrations } of there) {
    for (const { name, about, value } of registrations.commands) {
      const owner = taken.get(name.toLowerCase())
      if (owner !== undefined) {
        const text = phrase`the command /${name} is left out: ${owner} has one of this name. Rename it.`
        collisions.push({ type: "collision", path, line: null, text })
        continue
      }
      taken.set(name.toLowerCase(), `the extension ${remote.name}`)
      commands.push({ name, about, ...(value !== null && { value }), run: runner(remote, remote.host, name) })
    }
  }
  return { commands, collisions }
}

/** Time limit of a command in milliseconds, as of a tool. */
const commandTimeout = 600_000

function runner({ id }: Remote, host: ExtensionHost, key: string): RemoteCommand["run"] {
  return async (rest, { ask, signal = signalAfter(commandTimeout) }) => {
    const call = {
      extension: id,
      target: { kind: "command", key } as const,
      args: [rest],
      interactive: ask !== undefined,
    }
    try {
      return (await host.call(call, { signal, ...(ask && { ask }) })) as CommandAnswer
    } catch (error) {
      throw withLocation(error, (message, place) => phrase`${message} (${place})`)
    }
  }
}

/** Runs commands typed in messages of `gong -p` and rpc; a terminal conversation has run them before. */
export function commandHook(
  commands: readonly RemoteCommand[],
  reporter: ExtensionReporter,
  asking: () => Session["ask"],
): Hook {
  return {
    name: "commands of extensions",
    timeMs: commandTimeout,
    async onInput(text, _, { signal }) {
      const line = slashLine(text)
      const command = commands.find((one) => one.name === line?.name)
      if (line === null || command === undefined) return { answer: "passthrough" }
      const ask = asking()
      const asks = ask && { ask: dialogAsk((asked) => ask(asked, signal)) }
      try {
        return answeredBy(commandResult(await command.run(line.rest, { signal, ...asks })), reporter)
      } catch (error) {
        return { answer: "handled", failure: phrase`/${line.name}: ${messageOf(failureOf(error))}` }
      }
    },
  }
}

function answeredBy({ lines, prompt }: ReturnType<typeof commandResult>, reporter: ExtensionReporter): InputAnswer {
  if (prompt !== null) return { answer: "transform", text: prompt }
  for (const line of lines) reporter.answer(line)
  return { answer: "handled" }
}

/** Maximum output lines of one command. */
const maxLines = 1_000

/** Converts the result of a command; an invalid one is empty. */
export function commandResult(answer: unknown): { readonly lines: readonly string[]; readonly prompt: string | null } {
  if (typeof answer === "string") return { lines: answer.split("\n").slice(0, maxLines), prompt: null }
  if (Array.isArray(answer)) return { lines: answer.slice(0, maxLines).map(String), prompt: null }
  const prompt = typeof answer === "object" && answer !== null && "prompt" in answer ? answer.prompt : null
  return { lines: [], prompt: typeof prompt === "string" ? prompt : null }
}
