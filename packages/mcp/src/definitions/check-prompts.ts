import { isRecord } from "@gong/spec"
import { visibleLine } from "./clean.ts"
import { limits } from "./limits.ts"

/** A prompt of a server, which the user calls as a command. */
export interface ServerPrompt {
  readonly name: string
  readonly description: string
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[]
}

/** The prompts whose names can be typed; others are left out. */
export function checkPrompts(listed: readonly unknown[]): readonly ServerPrompt[] {
  return listed.slice(0, limits.prompts).flatMap((one) => {
    if (!isRecord(one) || typeof one["name"] !== "string" || !isTypable(one["name"])) return []
    const { name, description, arguments: args } = one
    const names = (Array.isArray(args) ? args.slice(0, 20) : []).flatMap((argument: unknown) =>
      isRecord(argument) && typeof argument["name"] === "string" && isTypable(argument["name"])
        ? [{ name: argument["name"], required: argument["required"] === true }]
        : [],
    )
    return [
      { name, description: typeof description === "string" ? visibleLine(description, 200) : "", arguments: names },
    ]
  })
}

function isTypable(name: string): boolean {
  return /^[A-Za-z0-9_.-]{1,64}$/.test(name)
}
