import type { Facts, ProviderRow } from "@gong/llm"
import type { Hook, Notification, ShowCall, Text, Transport, Diagnostic } from "@gong/spec"
import type { ToolSource } from "@gong/tools"
import type { CredentialSources } from "@gong/config/credentials"
import type { SessionSpec } from "@gong/config/session-spec"
import { makeFolder } from "@gong/config/home"
import { privateFolder } from "@gong/config/private-folder"
import type { FoundExtension } from "@gong/extensions/find"
import type { CommandAnswer } from "@gong/extensions/api"
import type { RegisteredResources, Registrations, Question, WorkerExtension } from "@gong/extensions/protocol"
import type { Remote } from "@gong/extensions/remote/remote"
import type { Session } from "@gong/session/session"
import type { Services } from "../../services.ts"
import type { Config } from "../config.ts"

export interface ExtensionOptions {
  readonly services: Services
  readonly spec: SessionSpec
  readonly config: Config
  readonly sources: CredentialSources
  /** A user types the messages. */
  readonly interactive?: boolean
  /** Loads them now, without stored registrations of earlier loads. */
  readonly fresh?: boolean
  /** Sessions of this process with the same extensions share a thread. */
  readonly shared?: boolean
  /** Calls no extension: registrations of earlier loads suffice. */
  readonly listOnly?: boolean
}

/** What the extensions of a session add to it. */
export interface Contributions {
  readonly tools: readonly ToolSource[]
  readonly hooks: readonly Hook[]
  readonly commands: readonly RemoteCommand[]
  readonly providers: readonly ExtensionProvider[]
  /** Renderers of calls, by the name of the tool. */
  readonly renderers: ReadonlyMap<string, ShowCall>
  readonly diagnostics: readonly Diagnostic[]
  /** Their skills, templates and themes, with the level of the extension. */
  readonly resources: readonly ExtensionResources[]
  /** One row for each extension, for lists. */
  readonly rows: readonly ExtensionRow[]
}

export interface SessionExtensions extends Contributions {
  /** Their lines for the user during the load. */
  readonly lines: readonly Text[]
  /** If the load has other registrations than stored, these parts of the session change. */
  follow(parts: RenewableParts): void
  /** Sends later lines to `receiver`, and questions of commands to `ask`. */
  sendTo(receiver: (notification: Notification) => void, ask: Session["ask"]): void
  end(): void
}

export interface ExtensionResources {
  readonly level: ExtensionRow["level"]
  /** Full paths. */
  readonly paths: RegisteredResources
}

/** The models of an extension. */
export interface ExtensionProvider {
  readonly row: ProviderRow
  readonly models: Facts
  /** Null: requests go over the network. */
  readonly transport: Transport | null
}

export interface RenewableParts {
  /** Those of extensions are last. */
  readonly hooks: Hook[]
  readonly sources: ToolSource[]
  /** Called after both lists have changed. */
  renewed(): void
}

export interface ExtensionRow {
  readonly name: string
  readonly path: string
  readonly level: "user" | "project" | "path"
  /** Its registrations in a few words; null: it was not loaded. */
  readonly brings: string | null
}

export interface RemoteCommand {
  readonly name: string
  readonly about: string
  readonly value?: string
  /** `ask`: a user is available. */
  run(
    rest: string,
    context: {
      readonly signal?: AbortSignal
      readonly ask?: (question: Question, args: readonly unknown[]) => Promise<unknown>
    },
  ): Promise<CommandAnswer>
}

export interface ConfiguredExtension extends WorkerExtension {
  readonly level: FoundExtension["level"]
}

/** An extension with its registrations. */
export interface LoadedExtension {
  readonly remote: Remote
  readonly path: string
  readonly level: ConfiguredExtension["level"]
  readonly registrations: Registrations
}

/** The folder of compiled copies and memories; null: it cannot be used. */
export function cacheFolder({ home }: Config): string | null {
  try {
    makeFolder(home)
    return privateFolder(home, ["cache", "extensions"], { make: true }).path
  } catch {
    return null
  }
}
