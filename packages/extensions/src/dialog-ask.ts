import type { Dialog, DialogOutcome } from "@gong/spec"
import type { Question } from "./protocol.ts"

/** Maximum characters of a question, and of one row; rows of one choice. */
const maxQuestion = 4_000
const maxRow = 500
const maxRows = 200

/** Maps questions of an extension to dialogs of the session. An invalid question is answered with null. */
export function dialogAsk(dialog: (asked: Dialog) => Promise<DialogOutcome>) {
  return async (kind: Question, [text, given]: readonly unknown[]): Promise<unknown> => {
    if (typeof text !== "string") return null
    const question = text.slice(0, maxQuestion)
    switch (kind) {
      case "confirm":
        return (
          (await dialog({ question, choices: [{ label: "yes" }, { label: "no" }], freeText: false })).choice === "yes"
        )
      case "line":
        return (await dialog({ question, choices: [], freeText: true })).text ?? null
      case "choose": {
        const rows = labelsOf(given)
        if (rows.length === 0) return null
        const { choice } = await dialog({ question, choices: rows.map((label) => ({ label })), freeText: false })
        return choice === undefined ? null : rows.indexOf(choice)
      }
    }
  }
}

/** Makes labels unique, since the answer is a label. */
function labelsOf(given: unknown): readonly string[] {
  const labels = new Set<string>()
  for (const row of Array.isArray(given) ? given.slice(0, maxRows) : []) {
    const label = String(row).slice(0, maxRow)
    let own = label
    for (let count = 2; labels.has(own); count++) own = `${label} (${count})`
    labels.add(own)
  }
  return [...labels]
}
