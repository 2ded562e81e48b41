import { type App, openSession } from "@gong/app/compose/open-session"
import { findLocal } from "@gong/app/compose/models/local"
import { readConfig } from "@gong/app/compose/config"
import { readInput, withKeyOfStdin } from "./input.ts"
import { openTransport } from "@gong/app/compose/network/transport"
import { askTrust } from "./commands/trust/ask.ts"
import { exitStatus } from "./command-line/exit.ts"
import type { Options } from "./command-line/flags.ts"
import { specOf } from "./command-line/spec-of.ts"
import type { SessionSpec } from "@gong/config/session-spec"
import type { Outcome, UsageError } from "@gong/config/usage"
import { type Contact, firstContact } from "./first-contact.ts"
import { createController } from "@gong/app/controller/controller"
import type { PromptInput } from "@gong/app/controller/prompt-input"
import { unseenImages } from "@gong/app/controller/unseen-images"
import { plain } from "./modes/plain.ts"
import { showing } from "./modes/show-call.ts"
import { systemClock } from "@gong/app/ports"
import { firstLine } from "./commands/first-line.ts"
import { abortOnEnding, exitIn } from "./commands/process-ending.ts"
import { lineReader, type LineReader } from "./terminal/lines.ts"
import type { World } from "./world.ts"
import type { Translate } from "@gong/texts/translator"
import { usageLines } from "@gong/config/usage"

/** A conversation at a terminal, line by line. */
export async function converse(world: World, options: Options, words: readonly string[]): Promise<number> {
  const first = words.length === 0 ? null : await readInput(world, systemClock, options, words)
  if (first && !first.ok) return refused(world, first.error)
  const lines = lineReader(world.openStdin(), world.openStdout())
  await askTrust(world, options, lines)
  let spec = specOf(options, true)
  let built = await opening(world, spec)
  if (!built.ok && built.error.noModel) {
    const contact = await meet(world, options, lines)
    if ("exit" in contact) {
      lines.close()
      return contact.exit
    }
    spec = specOf(contact.options, true)
    built = await opening(world, spec)
  }
  if (!built.ok) {
    lines.close()
    return refused(world, built.error)
  }
  const controller = createController({ services: world, spec, exitOf: exitIn(world) }, built.value)
  abortOnEnding(world, controller)
  world.onEnding(() => lines.close())
  controller.listen({ opened: (next) => greet(world, next) })
  let exit = 1
  let kept = false
  try {
    exit = await plain(controller, world, lines, {
      first: first ? first.value : null,
      greeting: greeting(world, built.value, first?.value ?? null),
      show: showing(world, () => controller.current.resources.extensions.renderers),
      exitOf: exitIn(world),
      now: () => systemClock.now(),
      copy: async (text) => (await import("./commands/clipboard.ts")).toClipboard(world, text),
    })
  } finally {
    kept = await controller.leave()
  }
  if (world.ending !== null) return exitStatus({ status: "interrupted" }, world.ending)
  return kept ? exit : exit || 1
}

async function opening(world: World, wanted: SessionSpec): Promise<Outcome<App>> {
  const spec = await withKeyOfStdin(world, wanted)
  return spec.ok ? openSession(spec.value, world) : spec
}

function greeting(world: World, app: App, first: PromptInput | null): readonly string[] {
  return [
    `Gong ${world.version} · ${app.info.workspace} · ${firstLine(world.t, app)}`,
    ...app.lines,
    ...(first ? unseenImages(world.t, app.chosen.model, first) : []),
    hello(world.t, app.info),
  ]
}

/** The model that is asked from here on: the one that was chosen may differ from the one that the session was opened with. */
function greet({ t, err }: World, { chosen, info, session, lines }: App): void {
  const { provider, id } = session.selection.provider.model
  const now = { ...info, model: `${provider}/${id}`, permission: session.permission }
  const line = `${info.resumed ? "" : t`New session · `}${firstLine(t, { chosen, info: now })}`
  for (const text of [line, ...lines]) err(`${text}\n`)
}

/** What was wrong with the settings has been said when the session could not be built. */
async function meet(world: World, options: Options, lines: LineReader): Promise<Contact> {
  const config = await readConfig(world, options)
  if (!config.ok) return { exit: config.error.exit }
  const transport = openTransport(world, config.value.settings)
  try {
    const local = await findLocal(config.value, transport, world.env)
    return await firstContact(world, options, lines, transport, local)
  } finally {
    transport.close()
  }
}

function hello(t: Translate, { workspace, permission, sandbox }: App["info"]): string {
  return t`${mayDo(t, workspace, permission, sandbox.mode)} Ctrl+C stops, /undo takes changes back, /help lists more, Ctrl+D leaves.`
}

function mayDo(t: Translate, workspace: string, permission: string, sandbox: string): string {
  if (permission === "full") return t`Nothing is asked for.`
  if (permission === "plan") return t`Nothing in ${workspace} is changed.`
  if (permission === "ask") return t`Reading in ${workspace} needs no permission; what changes things is asked for.`
  return sandbox === "off"
    ? t`Edits inside ${workspace} run without asking; anything that leaves it asks.`
    : t`Edits and commands inside ${workspace} run without asking; anything that leaves it asks.`
}

function refused(world: World, error: UsageError): number {
  for (const line of usageLines(world.t, error)) world.err(`${line}\n`)
  return error.exit
}
