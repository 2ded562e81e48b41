/** Milliseconds to wait, from `retry-after-ms` or `Retry-After` (seconds or a date); undefined without either. */
export function retryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const exact = Number.parseFloat(headers["retry-after-ms"] ?? "")
  if (exact >= 0) return Math.round(exact)
  const value = headers["retry-after"]?.trim()
  if (!value) return undefined
  if (/^\d+(\.\d+)?$/.test(value)) return Math.round(Number(value) * 1000)
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
