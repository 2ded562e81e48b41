import type { Dialog, DialogOutcome, Static } from "@gong/spec"
import { failed, toolResult } from "../result.ts"
import { renamed, titleOf, type OwnDeclaration, type ToolOf } from "../tool.ts"

export const askDeclaration = {
  name: "ask",
  effect: "none",
  needsUser: true,
  aliases: ["AskUserQuestion"],
} as const satisfies OwnDeclaration

const parameters = {
  type: "object",
  properties: {
    question: { type: "string", minLength: 1, maxLength: 2000 },
    choices: {
      type: "array",
      minItems: 2,
      maxItems: 6,
      items: {
        type: "object",
        properties: {
          label: { type: "string", minLength: 1, maxLength: 200, description: "The answer, in a few words" },
          description: { type: "string", maxLength: 500, description: "What follows from it" },
        },
        required: ["label"],
      },
    },
    freeText: { type: "boolean", description: "Whether the user may answer in words of their own; default true" },
  },
  required: ["question", "choices"],
} as const

type AskArgs = Static<typeof parameters>

export type AskDetails = {
  readonly choice: string | null
  readonly text: string | null
  /** How the dialog ended. */
  readonly by: DialogOutcome["by"]
}
export type AskTool = ToolOf<AskArgs, AskDetails>

/** Asks the user a question and waits without a time limit. */
export function createAskTool(): AskTool {
  return {
    ...askDeclaration,
    label: "Ask",
    description:
      "Ask the user one question with 2 to 6 choices, when the work cannot go on without a decision that is theirs.",
    parameters,
    promptSnippet: "Ask the user to decide",
    promptGuidelines: ["Ask only what the user must decide; find out everything else yourself"],
    readOnly: true,
    interruptible: true,
    keepsTime: true,
    mapArguments: mapped,
    title: (args) => titleOf(args["question"]),
    async execute(_callId, args, { dialog }) {
      const asked = dialogOf(args)
      if (typeof asked === "string") return failed(asked)
      if (dialog === undefined) return failed(nobody)
      const outcome = await dialog(asked)
      if (outcome.by === "stop") return failed("Operation aborted", "aborted")
      const { choice = null, text = null, by } = outcome
      return { ...toolResult(answerText(outcome), { choice, text, by }), isError: by === "timeout" }
    },
  }
}

const nobody =
  "Nobody is here to answer. Decide yourself what is most likely wanted, say what you assumed, or stop and say what you need."

function answerText({ choice, text, by }: DialogOutcome): string {
  if (by === "timeout") return `${nobody.replace("is here to answer", "answered in time")}`
  if (choice !== undefined) return `The user chose: ${choice}${text === undefined ? "" : `\nand said: ${text}`}`
  return text === undefined ? "The user gave no answer to this. Go on without it, or stop." : `The user said: ${text}`
}

function dialogOf({ question, choices, freeText = true }: AskArgs): Dialog | string {
  const labels = choices.map(({ label }) => label.trim())
  if (new Set(labels).size < labels.length) return "Two of the choices are the same. Give each a label of its own."
  if (labels.includes("")) return "One of the choices is empty. Give each a label."
  return {
    question: question.trim(),
    choices: choices.map((one, at) => ({ ...one, label: labels[at] ?? "" })),
    freeText,
  }
}

/** Accepts other argument names. A choice given as a plain string becomes its label. */
function mapped(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known = renamed(args, { options: "choices", prompt: "question", message: "question" })
  const { choices } = known
  if (!Array.isArray(choices)) return known
  return { ...known, choices: choices.map((one: unknown) => (typeof one === "string" ? { label: one } : one)) }
}
