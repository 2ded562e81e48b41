import { failureOf, type Hook, type InputAnswer, messageOf, phrase } from "@gong/spec"
import { type CallContext, promptText, type ServerPrompt } from "@gong/mcp"
import { signalAfter } from "../../ports.ts"
import { slashLine } from "../../slash-line.ts"
import type { CommandAnswer } from "@gong/extensions/api"
import type { RemoteCommand } from "../extensions/extension-parts.ts"
import { promptTime } from "./parts.ts"
import type { Member } from "./pool.ts"

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

/** Reads a resource; null: there is no such server. */
export type ReadResource = (server: string, uri: string, signal: AbortSignal) => Promise<string | null>

/**
 * Expands messages: `/server:prompt` where no conversation at a terminal has run it before, and `@server:uri`, whose text is
 * added to the message.
 */
export function promptHook(commands: () => readonly RemoteCommand[], readResource: ReadResource): Hook {
  return {
    name: "prompts and resources of MCP servers",
    timeMs: promptTime,
    async onInput(text, _, { signal }) {
      const line = slashLine(text)
      const command = line && commands().find((one) => one.name === line.name)
      if (!line || !command) return withResources(text, readResource, signal)
      try {
        const answer = await command.run(line.rest, { signal })
        return { answer: "transform", text: textIn(answer) }
      } catch (error) {
        return { answer: "handled", failure: phrase`/${line.name}: ${messageOf(failureOf(error))}` }
      }
    },
  }
}

const mentions = /(?<=^|\s)@([\w-]{1,32}):([A-Za-z][\w+.-]*:\/\/\S{0,2000})/g
const maxMentions = 10
/** Characters of one resource in a message. */
const maxResource = 50_000

async function withResources(text: string, read: ReadResource, signal: AbortSignal): Promise<InputAnswer> {
  const found = [...text.matchAll(mentions)].slice(0, maxMentions)
  const blocks: string[] = []
  for (const [whole, server = "", uri = ""] of found) {
    try {
      const content = await read(server, uri, signal)
      if (content !== null) blocks.push(blockOf(whole.slice(1), content))
    } catch (error) {
      return { answer: "handled", failure: phrase`${whole}: ${messageOf(failureOf(error))}` }
    }
  }
  if (blocks.length === 0) return { answer: "passthrough" }
  return { answer: "transform", text: [text, ...blocks].join("\n\n") }
}

function blockOf(name: string, content: string): string {
  const cut = content.length - maxResource
  const shown = cut > 0 ? `${content.slice(0, maxResource)}\n[${cut} more characters]` : content
  return `<resource name="${name.replaceAll('"', "&quot;")}">\n${shown}\n</resource>`
}

function textIn(answer: CommandAnswer): string {
  return typeof answer === "object" && answer !== null && "prompt" in answer ? answer.prompt : ""
}
