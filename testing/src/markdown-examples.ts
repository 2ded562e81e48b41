import { tests } from "commonmark-spec"

export interface MarkdownExample {
  readonly number: number
  readonly markdown: string
  /** The text of its reference without blanks. */
  readonly text: string
}

/** The examples of the CommonMark specification without HTML, which Gong shows as text. */
export function commonMarkExamples(): readonly MarkdownExample[] {
  return tests
    .map(({ number, section, markdown, html }) => ({
      number,
      section,
      markdown: withTabs(markdown),
      html: withTabs(html),
    }))
    .filter(({ section, markdown }) => !/html/i.test(section) && !/<[a-z/!?]/i.test(markdown))
    .map(({ number, markdown, html }) => ({ number, markdown, text: plainText(textOf(html)) }))
}

export function plainText(text: string): string {
  return text.replaceAll(/\s+/g, "")
}

/** The specification writes tabs as arrows. */
function withTabs(text: string): string {
  return text.replaceAll("→", "\t")
}

function textOf(html: string): string {
  return html
    .replaceAll(/<hr[^>]*>/g, "---")
    .replaceAll(/<img[^>]*alt="([^"]*)"[^>]*>/g, (_, alt: string) => `[${alt || "image"}]`)
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
}
