/** Syntax tree of a shell script, reduced to what determines the values of command words. */
export type Script = readonly Step[]

/** A pipeline, and its connection to the previous one. */
export interface Step {
  readonly before: ";" | "&&" | "||"
  /** A newline separates it from the previous one. */
  readonly startsLine: boolean
  readonly commands: readonly Command[]
  readonly background: boolean
}

export type Command =
  | { readonly type: "simple"; readonly words: readonly Word[]; readonly redirections: readonly Redirection[] }
  | { readonly type: "group" | "subshell"; readonly body: Script; readonly redirections: readonly Redirection[] }
  | {
      /** `words` null: the arguments of the script. */
      readonly type: "for"
      readonly name: string
      readonly words: readonly Word[] | null
      readonly body: Script
      readonly redirections: readonly Redirection[]
    }
  | {
      readonly type: "loop"
      readonly condition: Script
      readonly body: Script
      readonly redirections: readonly Redirection[]
    }
  | {
      /** `if` and `case`: at most one of the bodies runs. */
      readonly type: "branches"
      readonly branches: readonly { readonly condition: Script; readonly body: Script }[]
      readonly redirections: readonly Redirection[]
    }
  | { readonly type: "function"; readonly name: string; readonly body: Command }

export interface Redirection {
  readonly operator: string
  readonly target: Word
  /** The text of a here-document. */
  body: readonly Part[] | null
}

export interface Word {
  readonly parts: readonly Part[]
  /** The source text. */
  readonly source: string
  /** The elements of `NAME=(...)`. */
  readonly list?: readonly Word[]
}

export type Part =
  | { readonly type: "text"; readonly text: string; readonly quoted: boolean }
  | Variable
  /** `$(...)`. */
  | { readonly type: "output"; readonly script: Script; readonly quoted: boolean }
  /** `<(...)`: the name of a file with the output. */
  | { readonly type: "file"; readonly script: Script }
  /** An arithmetic expression or a length; `inside` may run commands. */
  | { readonly type: "number"; readonly inside: readonly Part[] }

export interface Variable {
  readonly type: "variable"
  readonly name: string
  /** The subscript after the name. */
  readonly index: string | null
  /** `${!NAME}`: the value names the variable. */
  readonly indirect: boolean
  /** The operator between name and operand: `:-`, `%%`, ...; empty for none. */
  readonly operator: string
  readonly operand: readonly Part[]
  readonly quoted: boolean
}
