/** Error numbers that libuv, and therefore Node, has no name for: the quota of a user or a project (Linux, macOS). */
const unnamed: Readonly<Record<number, string>> = { [-122]: "EDQUOT", [-69]: "EDQUOT" }

/** The code of a failed system call (`ENOENT`, `ENOSPC`, ...); null for any other error. */
export function errorCode(thrown: unknown): string | null {
  const { code, errno } = (thrown ?? {}) as { readonly code?: unknown; readonly errno?: unknown }
  if (typeof code !== "string") return null
  return /^E[A-Z0-9]+$/.test(code) || typeof errno !== "number" ? code : (unnamed[errno] ?? code)
}
