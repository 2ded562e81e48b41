import type { CallPreview } from "@gong/spec"

/** Files above this size are not read for a preview. */
export const PREVIEW_MAX_BYTES = 8 * 1024 * 1024
const ROWS_MAX = 200

type FilePreview = Extract<CallPreview, { path: string }>

/** A preview with its first rows. */
export function filePreview(whole: Omit<FilePreview, "more">): FilePreview {
  const rows = whole.rows.slice(0, ROWS_MAX)
  return { ...whole, rows, more: whole.rows.length - rows.length }
}
