/** What the sandbox denied, and one line for the model about it. */
export interface Denial {
  readonly blocked: string
  readonly note: string
}
