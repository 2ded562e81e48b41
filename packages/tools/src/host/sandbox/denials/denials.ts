import { join } from "../../../posix-path.ts"
import type { Denial } from "./denial.ts"
import { innermost, type Mount } from "../plan/mount.ts"
import { missedService } from "./missed-service.ts"
import { missedSecret } from "./missed-secret.ts"
import type { Withheld } from "../secrets/secrets.ts"
import * as texts from "../texts.ts"

/** Error messages are at the end of the output. */
const TAIL_MAX_BYTES = 8192
/** Maximum number of lines to check. */
const LINES_MAX = 100

/**
 * Detects from the end of the output whether the sandbox caused a failure. A heuristic, since each program has its own
 * messages.
 */
export function createDenialDetector(place: DenialContext) {
  let tail = ""
  return {
    add(bytes: Uint8Array): void {
      // A cut character does not matter here; the cost for noisy commands does.
      const end = Buffer.from(bytes.subarray(-TAIL_MAX_BYTES)).toString()
      tail = (bytes.length < TAIL_MAX_BYTES ? tail + end : end).slice(-TAIL_MAX_BYTES)
    },
    /** Null if nothing indicates a denial. */
    found(): Denial | null {
      const lines = tail.split("\n").slice(-LINES_MAX).toReversed()
      const denials = lines.map((line) => denialIn(line, place)).filter((denial) => denial !== null)
      // Some programs repeat the error in a line without the path.
      return denials.find(({ blocked }) => blocked !== someWrite) ?? denials[0] ?? null
    },
  }
}

const someWrite = "a write"

/** Connections to a server of this machine, which is unreachable as well. */
const refused = /ECONNREFUSED|connection refused|failed to connect|could not connect to server/i

/** The messages of the C library, Node and Python, the first also in Chinese. */
const readOnly = /read-only file system|EROFS|只读文件系统|唯讀檔案系統/i
/** A mount point cannot be replaced or renamed. */
const busy = /device or resource busy|EBUSY|设备或资源忙|裝置或系統資源忙碌中/i
const noNetwork =
  /network is unreachable|temporary failure in name resolution|could not resolve host|ENETUNREACH|EAI_AGAIN|ENOTFOUND/i
const noRights = /no new privileges|effective uid is not 0/i

export interface DenialContext {
  readonly cwd: string
  readonly mounts: readonly Mount[]
  readonly network: boolean
  readonly withheld: readonly Withheld[]
}

function denialIn(line: string, { cwd, mounts, network, withheld }: DenialContext): Denial | null {
  const secret = missedSecret(line, withheld)
  if (secret !== null) return secret
  if (!network && (noNetwork.test(line) || refused.test(line)))
    return { blocked: "the network", note: texts.blockedNetwork() }
  if (noRights.test(line)) return blockedWith("more rights")
  if (!readOnly.test(line) && !busy.test(line)) return serviceIn(line)
  const path = pathIn(line, cwd)
  if (path === null) return readOnly.test(line) ? blockedWith(someWrite) : null
  const denied = readOnly.test(line) ? isKept(path, mounts) : mounts.some((mount) => mount.path === path)
  if (!denied) return null
  const blocked = `write to ${path}`
  return gitSteering.test(path) ? { blocked, note: texts.blockedHooks(path) } : blockedWith(blocked)
}

function blockedWith(blocked: string): Denial {
  return { blocked, note: texts.blocked(blocked) }
}

/** Hook managers write here when dependencies are installed. */
const gitSteering = /\/\.git\/(?:hooks(?:\/|$)|config(?:\.worktree)?$)/

function serviceIn(line: string): Denial | null {
  const service = missedService(line)
  return service === null ? null : { blocked: service, note: texts.noService(service) }
}

/** The last quoted path, otherwise the text before the reason: `bash: line 1: a: Read-only file system`. */
function pathIn(line: string, cwd: string): string | null {
  const quoted = [...line.matchAll(/['"‘`“]([^'"’`”]+)['"’`”]/g)].map(([, text]) => text ?? "")
  const before = line.slice(0, Math.max(0, line.search(readOnly), line.search(busy)))
  const words = (before.split(": ").at(-2) ?? "").split(" ")
  const last = words.length === 1 || /[./]/.test(words.at(-1) ?? "") ? words.at(-1) : undefined
  const found = quoted.findLast((text) => /[./]/.test(text)) ?? quoted.at(-1) ?? last
  if (found === undefined || found === "") return null
  return found.startsWith("/") ? join(found, ".") : join(cwd, found)
}

/** The innermost mount decides. A read-only disk elsewhere is not caused by the sandbox. */
function isKept(path: string, mounts: readonly Mount[]): boolean {
  return !["writable", "own", "empty", "private"].includes(innermost(mounts, path)?.how ?? "")
}
