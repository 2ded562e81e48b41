import type { ImageContent, InputBody, InputKind, NewEntry, Provider, SeenFile, ThinkingLevel } from "@gong/spec"
import type { RunStart } from "@gong/loop"
import type { Context } from "@gong/tape"

export interface InputOptions {
  readonly images?: readonly ImageContent[]
  /** Files whose content is part of the text or the images. */
  readonly seen?: readonly SeenFile[]
  readonly source?: InputBody["source"]
  /** For a steer: stop the running tool (default), or let it finish. */
  readonly when?: "now" | "after-tool"
}

/** Entries for the model and the thinking level, where the branch does not have them already. */
export function modelEntries(
  { model, thinking }: Pick<Context, "model" | "thinking">,
  selection: { readonly provider: Provider; readonly thinking: ThinkingLevel },
): readonly NewEntry[] {
  const { provider, id } = selection.provider.model
  const entries: NewEntry[] = []
  if (model?.provider !== provider || model.id !== id) entries.push({ type: "model_change", provider, modelId: id })
  if (thinking !== selection.thinking)
    entries.push({ type: "thinking_level_change", thinkingLevel: selection.thinking })
  return entries
}

/** Messages that hooks added to the prompt; stored, and not shown as messages of the user. */
export function addedMessages(begin: RunStart): readonly NewEntry[] {
  return begin.added.map(({ hook, message }): NewEntry => {
    const content = message.content.filter((block) => block.type === "text" || block.type === "image")
    return { type: "custom_message", customType: `hook.${hook}`, content, display: false }
  })
}

export function inputBody(kind: InputKind, text: string, options: InputOptions): InputBody {
  return {
    type: "input",
    kind,
    text,
    source: options.source ?? "user",
    ...(options.images && options.images.length > 0 ? { images: options.images } : {}),
    ...(options.seen && options.seen.length > 0 ? { seen: options.seen } : {}),
    ...(options.when ? { when: options.when } : {}),
  }
}
