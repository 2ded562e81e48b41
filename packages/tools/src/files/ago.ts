const units = [
  ["day", 86_400],
  ["hour", 3600],
] as const

/** Elapsed time in its largest whole unit: `12 s ago`, `5 min ago`, `3 hours ago`, `3 days ago`. */
export function agoText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  for (const [name, length] of units) {
    const count = Math.floor(seconds / length)
    if (count > 0) return `${count} ${count === 1 ? name : `${name}s`} ago`
  }
  return seconds < 60 ? `${seconds} s ago` : `${Math.floor(seconds / 60)} min ago`
}
