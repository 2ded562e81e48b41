/** Protocols of terminals for images: that of kitty, which takes PNG only, and that of iTerm2. */
export type ImageProtocol = "kitty" | "iterm"

/** An image over whole cells. */
export interface CellImage {
  readonly protocol: ImageProtocol
  /** Base64. */
  readonly data: string
  readonly columns: number
  readonly rows: number
}

/** Pixels of a cell, since most terminals do not report theirs. */
const CELL = { width: 10, height: 20 }
const COLUMNS_MAX = 80
const ROWS_MAX = 20
/** Before an image. */
const MARGIN = 2
/** Base64 characters of one part (kitty graphics protocol). */
const PART_MAX = 4_096

/** Whether a terminal with this protocol shows images of this type. */
export function isShown(protocol: ImageProtocol, mimeType: string): boolean {
  return protocol === "iterm" || mimeType === "image/png"
}

/** The cells for an image of `pixels`: never enlarged, at most half the height of the screen. */
export function cellsOf(
  pixels: { readonly width: number; readonly height: number },
  screen: { readonly columns: number; readonly rows: number },
): Pick<CellImage, "columns" | "rows"> {
  const most = {
    columns: Math.max(1, Math.min(COLUMNS_MAX, screen.columns - 2 * MARGIN)),
    rows: Math.max(1, Math.min(ROWS_MAX, Math.floor(screen.rows / 2))),
  }
  const [columns, rows] = [pixels.width / CELL.width, pixels.height / CELL.height]
  const scale = Math.min(1, most.columns / columns, most.rows / rows)
  const whole = (cells: number): number => Math.max(1, Math.round(cells * scale))
  return { columns: whole(columns), rows: whole(rows) }
}

/** The bytes that draw an image with its first cell at the cursor, which stays there. The data is base64, so it holds no controls. */
export function imageBytes({ protocol, data, columns, rows }: CellImage): string {
  if (protocol === "iterm") {
    const size = `width=${columns};height=${rows};preserveAspectRatio=1`
    return `\u001b7\u001b]1337;File=inline=1;${size};doNotMoveCursor=1:${data}\u0007\u001b8`
  }
  const parts = data.match(new RegExp(`.{1,${PART_MAX}}`, "g")) ?? []
  return parts
    .map((part, at) => {
      const more = at < parts.length - 1 ? 1 : 0
      // Transmits a PNG and shows it, without an answer, and without moving the cursor.
      const keys = at === 0 ? `a=T,f=100,q=2,C=1,c=${columns},r=${rows},m=${more}` : `m=${more}`
      return `\u001b_G${keys};${part}\u001b\\`
    })
    .join("")
}
