import { closedDialog, failure, FailureError, failureOf, phrase, type Phrase, textNotification } from "@gong/spec"
import type { ToolSource } from "@gong/tools"
import { type McpServerConfig, readServers } from "@gong/config/mcp/read"
import { secretsIn } from "@gong/config/mcp/secrets"
import { type CallContext, resultOf } from "@gong/mcp"
import { openInBrowser } from "./browser.ts"
import { type OfferDeps, toolsOf } from "./tools/offer.ts"
import { type AttachedSession, type McpOptions, none, type SessionMcp } from "./parts.ts"
import { joinServer, type Member, type PoolMember } from "./pool.ts"
import { promptCommands, promptHook, type ReadResource } from "./prompts.ts"
import { offRow, rowOf } from "./rows.ts"

/** The configured servers of a session. Starts none: the tools are the pinned ones. */
export async function loadMcp(options: McpOptions): Promise<SessionMcp> {
  const { services, config, interactive } = options
  const { servers, lines } = await readServers(config.home, config.trusted, services.env)
  options.redact(servers.flatMap(({ entry }) => secretsIn(entry)))
  const link = sessionLink(options)
  const source: { -readonly [K in keyof ToolSource]: ToolSource[K] } = { ...none.source }
  const renew = (): void => {
    source.tools = toolsOf(members, deps)
    link.attached()?.renewed()
  }
  const members = membersOf(servers, options, { ...link, renew })
  const deps: OfferDeps = {
    session: link.session,
    imageMaxBytes: config.settings.values["images.maxSize"],
    start: async (member, { signal, dialog }) =>
      startMember(member, { ...link.context(signal), ...(dialog && { ask: dialog }) }),
  }
  source.tools = toolsOf(members, deps)
  const memberOf = (name: string): Member => {
    const found = members.find(({ config: own }) => own.name === name)
    if (found === undefined) throw new FailureError(failure("bad-request", phrase`there is no MCP server ${name}.`))
    return found
  }
  const serverOf = (name: string) => memberOf(name).pooled.server
  const changed = async (work: Promise<void>): Promise<void> => {
    await work
    renew()
  }
  const resource: ReadResource = async (name, uri, signal) => {
    const member = members.find(({ config: own, on }) => on && own.name === name)
    if (member === undefined) return null
    const { parts } = resultOf(await member.pooled.server.resource(uri, link.context(signal)))
    return parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n")
  }
  return {
    load: none.load,
    source,
    declared: (name) => source.tools.find((tool) => tool.name === name) ?? null,
    commands: () => promptCommands(members, link.context),
    hooks: members.length === 0 ? [] : [promptHook(() => promptCommands(members, link.context), resource)],
    lines,
    rows: () => [...members.map(rowOf), ...servers.filter(({ disabled }) => disabled).map(offRow)],
    output: (name) => memberOf(name).pooled.log.text(),
    async start(name, signal) {
      serverOf(name).reset()
      await changed(serverOf(name).start(link.context(signal)))
    },
    accept: (name) => serverOf(name).accept(),
    turn(name, on) {
      memberOf(name).on = on
      if (on) serverOf(name).reset()
      renew()
    },
    login: async (name, signal) => changed(serverOf(name).login(link.context(signal))),
    attach(to) {
      link.attach(to)
      // A process for one prompt ends with it.
      if (interactive) listAfterFirstRun(to, () => members.filter(isUnlisted), link.context)
    },
    async end() {
      await Promise.all(members.map(async ({ pooled }) => pooled.leave()))
    },
  }
}

function isUnlisted({ on, pooled }: Member): boolean {
  return on && pooled.server.tools() === null
}

/** The session that the servers reach; none in a command without a session. */
interface SessionLink {
  readonly session: symbol
  attached(): AttachedSession | null
  attach(to: AttachedSession): void
  notify(text: Phrase): void
  context(signal: AbortSignal): CallContext
}

function sessionLink({ tell }: McpOptions): SessionLink {
  const session = Symbol("session")
  let attached: AttachedSession | null = null
  return {
    session,
    attached: () => attached,
    attach: (to) => void (attached = to),
    notify(text) {
      if (attached === null) tell?.(text)
      else attached.session.notify(textNotification("mcp", "warn", text))
    },
    context(signal) {
      const ask = attached?.session.ask
      return { signal, session, onProgress: () => undefined, ...(ask && { ask: (asked) => ask(asked, signal) }) }
    },
  }
}

const pasteHint = phrase`If your browser is on another machine, paste the address at which it has ended:`

function membersOf(
  servers: readonly McpServerConfig[],
  options: McpOptions,
  { notify, context, renew }: Pick<SessionLink, "notify" | "context"> & { renew(): void },
): readonly Member[] {
  const asking = (signal: AbortSignal) => context(signal).ask
  const memberFor = (name: string): PoolMember => ({
    roots: options.config.workspace.roots,
    onChanged(line) {
      if (line !== null) notify(line)
      renew()
    },
    async showAddress(address) {
      notify(phrase`Log in at ${name}: ${address.href}`)
      if (options.interactive) await openInBrowser(options, address)
    },
    async pastedAddress(signal) {
      const ask = asking(signal)
      if (ask === undefined) return (await options.readLine?.(pasteHint, signal)) ?? null
      const { text } = await ask({ ...closedDialog(pasteHint, []), freeText: true })
      return text ?? null
    },
  })
  return servers
    .filter(({ disabled }) => !disabled)
    .map((config) => ({ config, pooled: joinServer(options, config, memberFor(config.name)), on: true }))
}

/** Null, or one line about the failure. */
async function startMember({ config, pooled }: Member, context: CallContext): Promise<string | null> {
  try {
    await pooled.server.start(context)
    return null
  } catch (error) {
    return `${config.name} is not available: ${failureOf(error).message}`
  }
}

/** In the background after the first answer, so that the next session knows their tools from its start. */
function listAfterFirstRun(
  { session }: AttachedSession,
  unlisted: () => readonly Member[],
  context: (signal: AbortSignal) => CallContext,
): void {
  if (unlisted().length === 0) return
  const stop = session.subscribe((step) => {
    if (!("entries" in step) || !step.entries.some(({ type }) => type === "run_end")) return
    stop()
    // A background start opens no dialogs.
    const { ask: _, ...quiet } = context(new AbortController().signal)
    for (const member of unlisted()) startMember(member, quiet).catch(() => undefined)
  })
}
