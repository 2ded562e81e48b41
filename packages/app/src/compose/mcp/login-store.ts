import { closeSync, openSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { type Clock, failure, FailureError, isRecord, phrase } from "@gong/spec"
import { mcpSection as section } from "@gong/config/auth"
import { makeFolder } from "@gong/config/home"
import { editFile } from "@gong/config/settings/edit-file"
import { parseLenient, readText } from "@gong/config/settings/read"
import { codeOf } from "@gong/config/usage"
import type { McpServerConfig } from "@gong/config/mcp/read"
import type { LoginStore, StoredLogin } from "@gong/mcp"
import type { SessionContext } from "../config.ts"

const file = "auth.json"

/**
 * The login at the server of one address, for the servers of the user or those of one repository. Each reading sees what other
 * processes have written.
 */
export function loginStore({ config, services: { clock } }: SessionContext, server: McpServerConfig): LoginStore {
  const { home, workspace } = config
  const { href } = new URL(server.entry.url ?? "")
  const key = server.level === "user" ? href : `${href} ${workspace.folder}`
  const read = async (): Promise<StoredLogin | null> => {
    const text = readText(join(home, file))
    if (!text.ok || text.value === null) return null
    const parsed = await parseLenient(text.value, join(home, file))
    const logins = parsed.ok && isRecord(parsed.value) ? parsed.value[section] : null
    const found = isRecord(logins) && Object.hasOwn(logins, key) ? logins[key] : null
    return isLogin(found) ? found : null
  }
  return {
    read,
    async update(work) {
      const unlock = await lock(home, clock)
      try {
        const now = await read()
        const next = await work(now)
        if (next === undefined) return now
        const written = await editFile(home, file, () => [[[section, key], next ?? undefined]])
        if (!written.ok) throw new FailureError(failure("storage", phrase`${written.error.lines.join(" ")}`))
        return next
      } finally {
        unlock()
      }
    },
  }
}

function isLogin(value: unknown): value is StoredLogin {
  return isRecord(value) && typeof value["issuer"] === "string" && isRecord(value["client"])
}

/** Milliseconds: a refresh takes at most some seconds, and a process may have died while it held the lock. */
const staleAfter = 60_000
const pause = 50
const maxWait = 90_000

async function lock(home: string, clock: Clock): Promise<() => void> {
  makeFolder(home)
  const path = join(home, `${file}.${section}.lock`)
  const begun = clock.now()
  for (;;) {
    try {
      closeSync(openSync(path, "wx", 0o600))
      return () => rmSync(path, { force: true })
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error
    }
    const age = clock.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? clock.now())
    if (age > staleAfter) rmSync(path, { force: true })
    else if (clock.now() - begun > maxWait)
      throw new FailureError(failure("storage", phrase`${path} is held by another gong. If none is running, remove it`))
    else await clock.sleep(pause)
  }
}
