import stringWidth from "string-width"

/** Columns of one terminal tab. */
const TAB_COLUMNS = 8
const ascii = /^[\x20-\x7e]*$/
/** Clusters whose width terminals disagree about: variation selectors, joiners, keycaps, flags, skin tones, combining marks. */
const uncertain = /\p{M}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u200d/u

let segmenter: Intl.Segmenter | undefined
const widths = new Map<string, number>()
const WIDTHS_MAX = 10_000

/** The user-perceived characters of a text. */
export function clustersOf(text: string): Iterable<string> {
  if (ascii.test(text)) return text
  return segments(text)
}

function* segments(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" })
  for (const { segment } of segmenter.segment(text)) yield segment
}

/** Columns of one cluster: 0, 1 or 2. */
export function widthOfCluster(cluster: string): number {
  if (cluster.length === 1 && ascii.test(cluster)) return 1
  const known = widths.get(cluster)
  if (known !== undefined) return known
  const width = Math.min(2, stringWidth(cluster))
  if (widths.size >= WIDTHS_MAX) widths.clear()
  widths.set(cluster, width)
  return width
}

/** Columns of a text without control characters. */
export function widthOf(text: string): number {
  if (ascii.test(text)) return text.length
  let width = 0
  for (const cluster of segments(text)) width += widthOfCluster(cluster)
  return width
}

/** Whether terminals disagree about the width of a cluster, so that the column after it must be set. */
export function isUncertain(cluster: string): boolean {
  return !ascii.test(cluster) && uncertain.test(cluster)
}

/** Replaces tabs by spaces up to the next stop. `column`: where the text begins. */
export function withoutTabs(text: string, column = 0): string {
  if (!text.includes("\t")) return text
  let at = column
  let result = ""
  for (const cluster of clustersOf(text)) {
    const spaces = cluster === "\t" ? TAB_COLUMNS - (at % TAB_COLUMNS) : 0
    result += spaces > 0 ? " ".repeat(spaces) : cluster
    at += spaces > 0 ? spaces : widthOfCluster(cluster)
  }
  return result
}
