import type { Facts, ProviderRow } from "@gong/llm"
import type { Hook, Notification, ShowCall, Text, Transport, Diagnostic } from "@gong/spec"
import type { ToolSource } from "@gong/tools"
import type { CredentialSources } from "@gong/config/credentials"
import type { SessionSpec } from "@gong/config/session-spec"
import { makeFolder } from "@gong/config/home"
import { privateFolder } from "@gong/config/private-folder"
import type { FoundExtension } from "@gong/extensions/find"
import type { CommandAnswer } from "@gong/extensions/api"
import type { OfferedResources, Offers, Question, WorkerExtension } from "@gong/extensions/protocol"
import type { Remote } from "@gong/extensions/remote/remote"
import type { Session } from "@gong/session/session"
import type { Services } from "../../services.ts"
import type { Config } from "../config.ts"

export interface ExtensionPlace {
  readonly services: Services
  readonly spec: SessionSpec
  readonly config: Config
  readonly sources: CredentialSources
  /** Somebody types. */
  readonly interactive?: boolean
  /** What they bring is found out now, whatever is known of it. */
  readonly fresh?: boolean
  /** Sessions of this process with the same extensions share a thread. */
  readonly shared?: boolean
  /** Nothing of theirs is called: what is known of them is enough. */
  readonly onlyLooks?: boolean
}

/** What the extensions of a session bring. */
export interface Brought {
  readonly tools: readonly ToolSource[]
  readonly hooks: readonly Hook[]
  readonly commands: readonly RemoteCommand[]
  readonly providers: readonly BroughtProvider[]
  /** How calls of tools are shown, by the tool's name. */
  readonly renderers: ReadonlyMap<string, ShowCall>
  readonly diagnostics: readonly Diagnostic[]
  /** Skills, templates and themes that they bring, by who brought the extension. */
  readonly resources: readonly BroughtResources[]
  /** One row for each, for who looks at them. */
  readonly rows: readonly ExtensionRow[]
}

export interface SessionExtensions extends Brought {
  /** The lines that they said while they were loaded. */
  readonly lines: readonly Text[]
  /** What was known of them may turn out to be another thing: then these are the session's parts that change. */
  follow(parts: Following): void
  /** What they say from now on goes to `receiver`. */
  sendTo(receiver: (notification: Notification) => void, ask: Session["ask"]): void
  end(): void
}

export interface BroughtResources {
  readonly level: ExtensionRow["level"]
  /** Full paths. */
  readonly paths: OfferedResources
}

/** Models that an extension brings. */
export interface BroughtProvider {
  readonly row: ProviderRow
  readonly models: Facts
  /** Null: they are asked over the network. */
  readonly transport: Transport | null
}

export interface Following {
  /** Those of extensions stand last. */
  readonly hooks: Hook[]
  readonly sources: ToolSource[]
  /** Called when both lists have changed. */
  renewed(): void
}

export interface ExtensionRow {
  readonly name: string
  readonly path: string
  readonly level: "user" | "project" | "path"
  /** What it brings, in a few words; null: it was not loaded. */
  readonly brings: string | null
}

export interface RemoteCommand {
  readonly name: string
  readonly about: string
  readonly value?: string
  /** `ask`: a person is there. */
  run(
    rest: string,
    context: {
      readonly signal?: AbortSignal
      readonly ask?: (question: Question, args: readonly unknown[]) => Promise<unknown>
    },
  ): Promise<CommandAnswer>
}

export interface BegunExtension extends WorkerExtension {
  readonly level: FoundExtension["level"]
}

/** One that has been loaded. */
export interface There {
  readonly remote: Remote
  readonly path: string
  readonly level: BegunExtension["level"]
  readonly offers: Offers
}

/** Where compiled copies are kept; null where none can be. */
export function cacheFolder({ home }: Config): string | null {
  try {
    makeFolder(home)
    return privateFolder(home, ["cache", "extensions"], { make: true }).path
  } catch {
    return null
  }
}
