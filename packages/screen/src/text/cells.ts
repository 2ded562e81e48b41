import { eastAsianWidth } from "get-east-asian-width"

/** Columns of one terminal tab. */
const TAB_COLUMNS = 8
const ascii = /^[\x20-\x7e]*$/
/** Western letters, punctuation, arrows, boxes, Chinese and kana: no two of them form one cluster. The segmenter takes 9 ms to load. */
const separate =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u257f\u3000-\u3029\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uff01-\uff60]*$/
/** Clusters whose width terminals disagree about: variation selectors, joiners, keycaps, flags, skin tones, combining marks. */
const uncertain = /\p{M}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u200d/u

const invisible = /^[\p{Mn}\p{Me}\p{Cc}\p{Default_Ignorable_Code_Point}]+$/u
/** Shown as a picture: by its own presentation, a selector, a flag or a joined sequence. */
const emoji =
  /^(?:\p{Emoji_Presentation}|\p{Regional_Indicator}{2}|.\ufe0f|.\p{Emoji_Modifier}|.*\u200d\p{Extended_Pictographic})/u

/** As the terminal has it: characters such as `·` and `…` are two columns wide in some of those of East Asia. */
let ambiguousAsWide = false

/** Measures for a terminal in which characters of ambiguous width take two columns, or one. */
export function measureAmbiguousAsWide(isWide: boolean): void {
  ambiguousAsWide = isWide
  widths.clear()
}

let segmenter: Intl.Segmenter | undefined
const widths = new Map<string, number>()
const WIDTHS_MAX = 10_000

/** The user-perceived characters of a text. */
export function clustersOf(text: string): Iterable<string> {
  return separate.test(text) ? text : segments(text)
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
  const width = measured(cluster)
  if (widths.size >= WIDTHS_MAX) widths.clear()
  widths.set(cluster, width)
  return width
}

/** `string-width` measures the same, and takes 20 to 50 ms to load. */
function measured(cluster: string): number {
  if (invisible.test(cluster)) return 0
  if (emoji.test(cluster)) return 2
  return eastAsianWidth(cluster.codePointAt(0) ?? 0, { ambiguousAsWide })
}

/** Columns of a text without control characters. */
export function widthOf(text: string): number {
  if (ascii.test(text)) return text.length
  let width = 0
  for (const cluster of clustersOf(text)) width += widthOfCluster(cluster)
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
