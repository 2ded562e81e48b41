import MarkdownIt, { type Token } from "markdown-it"

export type { Token }

/** Link definitions that were read so far, by their names. */
export type Definitions = Record<string, unknown>

const parser = new MarkdownIt("default", { html: false, linkify: true })
// Words such as `file.md` and `go.mod` are no addresses.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false })

/** The block tokens of a document: CommonMark with tables and struck text; HTML is text. Adds the definitions that it finds. */
export function parse(text: string, definitions: Definitions): readonly Token[] {
  return parser.parse(text, definitions)
}
