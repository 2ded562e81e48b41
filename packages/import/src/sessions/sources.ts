import { claudeFolder } from "@gong/spec"
import { join } from "node:path"
import type { Conversation } from "./conversation.ts"
import { readClaudeSession } from "./claude.ts"
import { readCodexSession } from "./codex.ts"
import { filesBelow, textOf } from "./files.ts"
import { geminiFolderOf, readGeminiSession } from "./gemini.ts"
import { opencodeSessions, readOpencodeSession } from "./opencode.ts"

/** Where conversations are searched. */
export interface Places {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly userHome: string
  /** Folders whose hash may name a project of Gemini CLI. */
  readonly folders: readonly string[]
}

/** A conversation, or a file with none that can be read. */
export type Found =
  | { readonly conversation: Conversation }
  | { readonly file: string; readonly reason: "unreadable" | "sub-agent" }

export interface SessionSource {
  /** Searched folders, for messages. */
  folders(places: Places): readonly string[]
  conversations(places: Places): AsyncIterable<Found>
}

/** Agents whose conversations can be imported. */
export const sessionSources = {
  claude: fileSource(
    ({ env, userHome }) => [join(env["CLAUDE_CONFIG_DIR"] || join(userHome, claudeFolder), "projects")],
    /^[\w-]+\.jsonl$/,
    readClaudeSession,
  ),
  codex: fileSource(
    ({ env, userHome }) => {
      const home = env["CODEX_HOME"] || join(userHome, ".codex")
      return [join(home, "sessions"), join(home, "archived_sessions")]
    },
    /^rollout-.*\.jsonl$/,
    readCodexSession,
  ),
  opencode: {
    folders: ({ env, userHome }) => [join(env["XDG_DATA_HOME"] || join(userHome, ".local", "share"), "opencode")],
    async *conversations(places) {
      const unreadable: string[] = []
      for (const folder of this.folders(places))
        for await (const session of opencodeSessions(folder, (file) => unreadable.push(file))) {
          const conversation = readOpencodeSession(session)
          yield conversation === null ? { file: session.file, reason: "sub-agent" } : { conversation }
        }
      for (const file of unreadable) yield { file, reason: "unreadable" }
    },
  },
  gemini: fileSource(
    ({ userHome }) => [join(userHome, ".gemini", "tmp")],
    /^(session-.*\.jsonl?|checkpoint.*\.json)$/,
    (file, text, { userHome, folders }) =>
      readGeminiSession(file, text, geminiFolderOf(file, join(userHome, ".gemini"), folders)),
  ),
} as const satisfies Readonly<Record<string, SessionSource>>

function fileSource(
  folders: SessionSource["folders"],
  name: RegExp,
  read: (file: string, text: string, places: Places) => Conversation | null,
): SessionSource {
  return {
    folders,
    async *conversations(places) {
      for (const folder of folders(places))
        for (const file of filesBelow(folder, name)) {
          const text = textOf(file)
          const conversation = text === null ? null : read(file, text, places)
          if (conversation !== null) yield { conversation }
          else yield { file, reason: text === null ? "unreadable" : "sub-agent" }
        }
    },
  }
}
