/** A shell script as a tree: what is needed to follow which values its commands can get, and no more. */
export type Script = readonly Step[]

/** A pipeline, and how it hangs together with the one before. */
export interface Step {
  readonly before: ";" | "&&" | "||"
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
      /** `if` and `case`: one of the bodies is run, or none of them. */
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
  /** As it was written. */
  readonly source: string
  /** The elements of `NAME=(...)`. */
  readonly list?: readonly Word[]
}

export type Part =
  | { readonly type: "text"; readonly text: string; readonly quoted: boolean }
  | Variable
  /** `$(...)`. */
  | { readonly type: "output"; readonly script: Script; readonly quoted: boolean }
  /** `<(...)`: the name of a file that holds the output. */
  | { readonly type: "file"; readonly script: Script }
  /** An arithmetic expression or a count; `inside` may run commands. */
  | { readonly type: "number"; readonly inside: readonly Part[] }

export interface Variable {
  readonly type: "variable"
  readonly name: string
  /** What stands in brackets behind the name. */
  readonly index: string | null
  /** `${!NAME}`: the value names the variable. */
  readonly indirect: boolean
  /** What stands between the name and the operand: `:-`, `%%`, ...; empty: nothing. */
  readonly operator: string
  readonly operand: readonly Part[]
  readonly quoted: boolean
}
