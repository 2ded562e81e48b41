import { failureOf, type Hook, messageOf, phrase } from "@gong/spec"
import { type CallContext, promptText, type ServerPrompt } from "@gong/mcp"
import { signalAfter } from "../../ports.ts"
import { slashLine } from "../../slash-line.ts"
import { commandResult } from "../extensions/extension-commands.ts"
import type { RemoteCommand } from "../extensions/extension-parts.ts"
import type { Member } from "./pool.ts"

/** Milliseconds of one prompt. */
const promptTime = 60_000

/** The prompts of servers as commands, `/server:prompt`. */
export function promptCommands(
  members: readonly Member[],
  context: (signal: AbortSignal) => CallContext,
): readonly RemoteCommand[] {
  return members.flatMap(({ config, pooled: { server }, on }) =>
    on ? server.prompts().map((prompt) => commandOf(config.name, prompt, server, context)) : [],
  )
}

function commandOf(
  name: string,
  prompt: ServerPrompt,
  server: Member["pooled"]["server"],
  context: (signal: AbortSignal) => CallContext,
): RemoteCommand {
  const value = prompt.arguments.map((one) => (one.required ? one.name.toUpperCase() : `[${one.name.toUpperCase()}]`))
  return {
    name: `${name}:${prompt.name}`,
    about: prompt.description || `a prompt of the MCP server ${name}`,
    ...(value.length > 0 && { value: value.join(" ") }),
    async run(rest, { signal = signalAfter(promptTime) }) {
      const result = await server.prompt(prompt.name, argumentsIn(rest, prompt), context(signal))
      return { prompt: promptText(result) }
    },
  }
}

/** Words in order, or `name=value`; the last argument takes the rest of the line. */
function argumentsIn(rest: string, { arguments: names }: ServerPrompt): Readonly<Record<string, string>> {
  const words = rest.trim() === "" ? [] : rest.trim().split(/\s+/)
  const args: Record<string, string> = {}
  const plain: string[] = []
  for (const word of words) {
    const [, name = "", value = ""] = /^([\w.-]+)=(.*)$/s.exec(word) ?? []
    if (names.some((one) => one.name === name)) args[name] = value
    else plain.push(word)
  }
  const open = names.filter(({ name }) => !Object.hasOwn(args, name))
  for (const [at, { name }] of open.entries()) {
    const value = at === open.length - 1 ? plain.slice(at).join(" ") : (plain[at] ?? "")
    if (value !== "") args[name] = value
  }
  return args
}

/** Runs prompts that are typed as messages of `gong -p` and rpc; a conversation at a terminal has run them before. */
export function promptHook(commands: () => readonly RemoteCommand[]): Hook {
  return {
    name: "prompts of MCP servers",
    timeMs: promptTime,
    async onInput(text, _, { signal }) {
      const line = slashLine(text)
      const command = line && commands().find((one) => one.name === line.name)
      if (!line || !command) return { answer: "passthrough" }
      try {
        const answer = await command.run(line.rest, { signal })
        const { prompt } = commandResult(answer)
        return { answer: "transform", text: prompt ?? "" }
      } catch (error) {
        return { answer: "handled", failure: phrase`/${line.name}: ${messageOf(failureOf(error))}` }
      }
    },
  }
}
