import type { Block } from "@gong/screen/row"
import type { MarkdownStream } from "@gong/screen/markdown"
import type { OrderedOutput } from "../../ordered-output.ts"
import type { Message } from "../messages.ts"

/** The text of replies as lines of the screen. */
export interface ReplyText {
  /** Loads what the first text needs. */
  prepare(): void
  take(delta: string): void
  /** The text is complete, or something else follows. */
  end(): void
}

export interface ReplyOptions {
  /** Of the screen now. */
  columns(): number
  readonly output: OrderedOutput
  emit(message: Message): void
}

type Renderer = Awaited<ReturnType<typeof loadRenderer>>

/** Renders Markdown while it is written; languages of code are loaded when they are met. */
export function replyText({ columns, output, emit }: ReplyOptions): ReplyText {
  let loading: Promise<Renderer> | null = null
  let renderer: Renderer | null = null
  let stream: MarkdownStream | null = null
  /** The beginning of a line, which may name a language. */
  let line = ""
  let open: readonly Block[] | null = null

  function load(): Promise<Renderer> {
    loading ??= loadRenderer().then((loaded) => {
      stream = loaded.markdownStream({
        get columns() {
          return columns()
        },
        highlighter: loaded.highlighterOf,
      })
      return (renderer = loaded)
    })
    return loading
  }

  /** What has to be loaded before a text can be shown; null: nothing. */
  function needs(text: string): Promise<unknown> | null {
    if (renderer === null) return load().then(() => needs(text))
    const { isLoaded, languagesIn, loadLanguage } = renderer
    const missing = languagesIn(text).filter((language) => !isLoaded(language))
    return missing.length === 0 ? null : Promise.all(missing.map(loadLanguage))
  }

  function show(final: readonly Block[]): void {
    open = null
    emit({ kind: "reply", final, open: () => (open ??= stream?.open() ?? []) })
  }

  return {
    prepare: () => void load().catch(() => undefined),
    take(delta) {
      const text = line + delta
      line = text.slice(text.lastIndexOf("\n") + 1)
      const missing = needs(text)
      if (missing !== null) output.wait(missing)
      output.run(() => show(stream?.feed(delta) ?? []))
    },
    end() {
      line = ""
      output.run(() => show(stream?.end() ?? []))
    },
  }
}

/** Behind the first frame: the parser takes 18 ms to load. */
async function loadRenderer() {
  const [{ markdownStream }, code] = await Promise.all([import("@gong/screen/markdown"), import("@gong/screen/code")])
  return { markdownStream, ...code }
}
