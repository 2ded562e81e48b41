import type { Input } from "@gong/screen/keys"
import type { Action } from "../messages.ts"
import { type Keymap, typedText } from "./keymap.ts"

/** Where there is no input, keys leave, or belong to the screen itself. */
export function watchActions(keymap: Keymap, input: Input): readonly Action[] {
  if (input.kind !== "key") return []
  const action = keymap.actionOf(input.key)
  const name = action !== null && "do" in action ? action.do : null
  if (name === "redraw" || name === "suspend") return [{ kind: name }]
  const leaves = name === "stop" || name === "interrupt" || name === "end" || typedText(input.key) === "q"
  return leaves ? [{ kind: "leave", isInterrupted: name === "interrupt" }] : []
}
