/** Numbers that libuv, and so Node, has no name for: the quota of a user or a project (Linux, macOS). */
const unnamed: Readonly<Record<number, string>> = { [-122]: "EDQUOT", [-69]: "EDQUOT" }

/** `ENOENT`, `ENOSPC`, ... of what a call of the system has thrown; null for anything else. */
export function errorCode(thrown: unknown): string | null {
  const { code, errno } = (thrown ?? {}) as { readonly code?: unknown; readonly errno?: unknown }
  if (typeof code !== "string") return null
  return /^E[A-Z0-9]+$/.test(code) || typeof errno !== "number" ? code : (unnamed[errno] ?? code)
}
