import type { DialogChoice } from "@gong/spec"
import type { Translate } from "@gong/texts/translator"

/** A list of which one row is selected. */
export interface ListQuestion {
  readonly question: string
  readonly rows: readonly string[]
  /** What Enter does where rows are selected by number. */
  readonly enter: string
}

/** Questions of the program itself, at its start and at its end. */
export interface Dialogs {
  /** The index of the selected row; null: none. */
  choose(list: ListQuestion): Promise<number | null>
  /** A line of input; null: the question was left. `isSecret`: without echo. */
  line(prompt: string, isSecret?: boolean): Promise<string | null>
  /** One of the letters, which stand in brackets in the labels; null: the question was left. Input before the question is ignored. */
  key(question: KeyQuestion): Promise<string | null>
}

/** A question answered by one key. */
export interface KeyQuestion {
  readonly prompt: string
  /** `[v] view`, `[e]nd it`. */
  readonly labels: readonly string[]
  /** The letter that Enter stands for; absent: none. */
  readonly enter?: string
}

/** The letter of a label. */
export function letterOf(label: string): string {
  return /\[(.)\]/u.exec(label)?.[1] ?? ""
}

/** One choice of a session's dialog as a row. */
export function choiceText(t: Translate, { label, description, phrase }: DialogChoice): string {
  if (phrase !== undefined) return t(phrase)
  return description === undefined ? label : `${label}: ${description}`
}
