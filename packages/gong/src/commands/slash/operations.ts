import { existsSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import { estimateText, FailureError, phrase, messageOf } from "@gong/spec"
import { availableModels, chooseModelFor, chooseTools } from "../../build/choices.ts"
import { tapePlace } from "../../build/place.ts"
import type { Options } from "../../config/flags.ts"
import { attempt, must, ok, type Outcome, usage } from "../../config/usage.ts"
import { loadPrompt } from "../../session/runs/prompt-state.ts"
import type { Operations, SessionRow } from "../../slash/command.ts"
import type { World } from "../../world.ts"
import { auth } from "../auth.ts"
import { keyOfLine, takeKey } from "../login.ts"
import { exportSession } from "../session-files.ts"
import { titleOf } from "../sessions/list.ts"
import { compactionUndoneText, redoneText, undoneText } from "../undo.ts"
import { ownChangelog } from "./changelog.ts"
import { toClipboard } from "./clipboard.ts"
import type { Desk } from "./desk.ts"
import { setSetting, settingRows } from "./settings.ts"
import { trustOperations } from "./trust.ts"

/** What slash commands reach outside their room, for the conversation at this desk. */
export function operations(world: World, options: Options, desk: Desk): Operations {
  return {
    open: desk.open,
    jobs: () => desk.app.jobs.running().map(({ title }) => title),
    async models() {
      const listed = await availableModels(desk.app.session, desk.app.choosing)
      return listed.map(({ model }) => model)
    },
    chooseModel: (name) => chooseModelFor(desk.app.session, desk.app.choosing, name),
    get tools() {
      return desk.app.choosing.active.tools.map(({ name }) => name)
    },
    chooseTools: (list) => chooseTools(desk.app.choosing, list.split(",")),
    sessions: () => sessionRows(world, options),
    export: (file) => exported(world, options, desk, file),
    copy: (text) => toClipboard(world, text),
    async undo(what) {
      const { session } = desk.app
      if (what === "redo") return redoneText(world.t, await session.redo())
      if (what === "changes") return undoneText(world.t, session.id, await session.undo())
      return compactionUndoneText(world.t, session.id, session.undoCompaction())
    },
    diff: () => desk.app.session.diff(),
    settings: () => settingRows(world, options),
    set: (name, text) => setSetting(world, options, name, text),
    async login(provider, type) {
      const taken = await takeKey(world, options, provider ?? undefined, async (prompt) =>
        keyOfLine(world.t, await type(prompt)),
      )
      if (!taken.ok) return taken
      const { kept, text, first } = taken.value
      return ok({ kept, lines: [text, ...(first === null ? [] : [first])] })
    },
    logout: (provider) => auth(world, options, ["logout", ...(provider === null ? [] : [provider])]),
    ...trustOperations(world, options),
    async promptTokens() {
      const prompt = await loadPrompt(desk.app.session.history)
      return prompt && { system: estimateText(prompt.system), tools: estimateText(JSON.stringify(prompt.tools)) }
    },
    changelog: ownChangelog,
  }
}

/** Milliseconds for reading what is new on the sessions before they are listed. */
const readingTime = 1000
const maxListed = 50

function sessionRows(world: World, options: Options): Promise<Outcome<readonly SessionRow[]>> {
  return attempt(async () => {
    const place = must(await tapePlace(world, options))
    const listing = { workspace: place.workspace.folder, limit: maxListed, milliseconds: readingTime }
    const { sessions, unreadable } = await place.sessions.listed(listing)
    place.passedOver(unreadable)
    return sessions.map((session) => ({
      id: session.id,
      title: titleOf(world.t, session),
      modified: new Date(session.modified).toISOString().slice(0, 16),
    }))
  })
}

function exported(world: World, options: Options, { app }: Desk, wanted: string): Promise<Outcome<string>> {
  return attempt(async () => {
    const { info } = app
    if (info.tape === null) return must(usage(phrase`a session that is not kept cannot be exported.`))
    const file = isAbsolute(wanted) ? wanted : join(info.cwd, wanted)
    if (existsSync(file)) return must(usage(phrase`${file} is there already. Give another name: /export FILE`))
    const place = must(await tapePlace(world, options))
    try {
      must(await exportSession(world.t, place, { outFile: file }, info.id))
    } catch (error) {
      if (error instanceof FailureError) return must(usage(messageOf(error.failure)))
      throw error
    }
    return file
  })
}
