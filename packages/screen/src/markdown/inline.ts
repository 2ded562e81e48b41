import type { Line, Span } from "../text/row.ts"
import { textOf } from "../text/row.ts"
import type { Token } from "./parser.ts"

/** The text of a paragraph, heading or cell, in its roles. `role`: of all of it. Line breaks make further lines. */
export function inlineLines(tokens: readonly Token[], role?: string): readonly Line[] {
  const lines: Span[][] = [[]]
  const open: string[] = role === undefined ? [] : [role]
  const links: { readonly href: string; readonly from: number }[] = []
  const push = (text: string, more: readonly string[] = []): void => {
    const roles = [...open, ...more]
    const link = webLink(links.at(-1)?.href)
    if (text !== "")
      lines.at(-1)?.push({ text, ...(roles.length > 0 && { role: roles.join(" ") }), ...(link !== null && { link }) })
  }
  for (const token of tokens) {
    const name = emphasisOf[token.type]
    if (name !== undefined) {
      if (token.nesting > 0) open.push(name)
      else open.splice(open.lastIndexOf(name), 1)
      continue
    }
    switch (token.type) {
      // Models write lines as they are to be read.
      case "softbreak":
      case "hardbreak":
        lines.push([])
        break
      case "code_inline":
        push(token.content, ["code"])
        break
      case "image":
        push(`[${inlineText(token) || "image"}]`, ["link"])
        pushTarget(lines.at(-1), "", addressOf(token, "src"))
        break
      case "link_open":
        links.push({ href: addressOf(token, "href"), from: lines.at(-1)?.length ?? 0 })
        open.push("link")
        break
      case "link_close": {
        open.splice(open.lastIndexOf("link"), 1)
        const link = links.pop()
        const line = lines.at(-1)
        if (link !== undefined) pushTarget(line, textOf(line?.slice(link.from) ?? []), link.href)
        break
      }
      default:
        push(token.content)
    }
  }
  return lines
}

const emphasisOf: Readonly<Record<string, string>> = {
  strong_open: "strong",
  strong_close: "strong",
  em_open: "emphasis",
  em_close: "emphasis",
  s_open: "struck",
  s_close: "struck",
}

/** The target of a link is shown, too: not every terminal has hyperlinks, and the text may look like another address. */
function pushTarget(line: Span[] | undefined, text: string, href: string): void {
  if (href === "" || href.startsWith("#")) return
  const shown = readable(href)
  if (shown !== text && `mailto:${text}` !== shown) line?.push({ text: ` (${shown})`, role: "muted" })
}

function addressOf(token: Token, name: string): string {
  return String(token.attrGet(name) ?? "")
}

/** An address without the percent signs that Markdown adds. */
function readable(href: string): string {
  try {
    return decodeURI(href)
  } catch {
    return href
  }
}

function webLink(href: string | undefined): string | null {
  return href !== undefined && /^https?:\/\//i.test(href) ? href : null
}

function inlineText({ children }: Token): string {
  return (children ?? []).map((token) => token.content || inlineText(token)).join("")
}
