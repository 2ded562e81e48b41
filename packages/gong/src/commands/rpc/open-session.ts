import { isAbsolute, join } from "node:path"
import { englishOf, FailureError, messageOf, type Text } from "@gong/spec"
import type { App } from "../../build.ts"
import { availableModels, chooseModelFor, chooseTools } from "../../build/choices.ts"
import { readClientInput } from "../../build/client-input.ts"
import { tapePlace } from "../../build/place.ts"
import type { Options } from "../../config/flags.ts"
import { attempt, must, type Outcome, usage } from "../../config/usage.ts"
import type { Choices, OpenSession } from "../../modes/rpc/ports.ts"
import type { ExportData, ModelData } from "../../modes/rpc/data.ts"
import { done } from "../../modes/rpc/protocol.ts"
import { leaveApp, unseenImages } from "../../run.ts"
import type { World } from "../../world.ts"
import { answerOf } from "./answers.ts"

/** An app as the client of `gong rpc` meets it. */
export function openSession(world: World, options: Options, app: App): OpenSession {
  const { session, info } = app
  const { cwd } = info
  return {
    session,
    info,
    choices: choicesOf(app),
    async input(given) {
      const read = await readClientInput({ world, options, cwd }, given)
      if (read.ok)
        for (const text of unseenImages(world.t, session.selection.provider.model, read.value)) warn(app, text)
      return answerOf(read)
    },
    async slash() {
      const { othersOf } = await import("../slash.ts")
      await app.resources.library.look()
      return othersOf(app)
    },
    async undo() {
      const { failed: _, ...data } = await session.undo()
      return done({ ...data, kept: data.kept.map(plainKept) })
    },
    async redo() {
      const { restored, kept } = await session.redo()
      return done({ restored, kept: kept.map(plainKept) })
    },
    export: async (wanted) => answerOf(await exported(world, options, app, wanted)),
    idle: () => void app.catchUp(),
    leave: () => leaveApp(world, app),
  }
}

/** As programs read it. */
function plainKept({ path, reason }: { readonly path: string; readonly reason: Text }) {
  return { path, reason: englishOf(reason) }
}

function warn({ session }: App, line: string): void {
  session.notify({ code: "model-choice", level: "warn", text: line.replace(/^gong: /, "") })
}

function choicesOf(app: App): Choices {
  const { session, choosing } = app
  const { active } = choosing
  const retry = active.retry
  const model = (): ModelData => {
    const { provider, thinking } = session.selection
    const { id, contextWindow } = provider.model
    return { model: `${provider.model.provider}/${id}`, thinking, contextWindow }
  }
  return {
    get model() {
      return model()
    },
    get tools() {
      return active.tools.map(({ name }) => name)
    },
    permission: app.info.permission,
    get autoCompaction() {
      return active.compaction.auto
    },
    set autoCompaction(enabled) {
      active.compaction.auto = enabled
    },
    get autoRetry() {
      return active.retry.count > 0
    },
    set autoRetry(enabled) {
      active.retry = enabled ? retry : { ...retry, count: 0 }
    },
    async setModel(name) {
      const chosen = await chooseModelFor(session, choosing, name)
      return chosen.ok ? done(model()) : answerOf(chosen)
    },
    setThinking(thinking) {
      session.selectModel({ thinking })
      return done(model())
    },
    setTools(names) {
      const chosen = chooseTools(choosing, names)
      return chosen.ok ? done({ tools: chosen.value }) : answerOf(chosen)
    },
    available: () => availableModels(session, choosing),
  }
}

/** Into a file: a whole session does not fit into a line. */
function exported(
  world: World,
  options: Options,
  { session, info }: App,
  wanted: { readonly file: string; readonly format?: "pi" | "markdown" },
): Promise<Outcome<ExportData>> {
  return attempt(async () => {
    if (info.tape === null) return must(usage("a session that is not kept cannot be exported."))
    const file = isAbsolute(wanted.file) ? wanted.file : join(info.cwd, wanted.file)
    const format = wanted.format ?? (file.endsWith(".md") ? "markdown" : "pi")
    const { exportSession } = await import("../session-files.ts")
    const place = must(await tapePlace(world, options))
    try {
      must(await exportSession(world.t, place, { outFile: file, format }, session.id))
    } catch (error) {
      if (error instanceof FailureError) return must(usage(messageOf(error.failure)))
      throw error
    }
    return { file, format }
  })
}
