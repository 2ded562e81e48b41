declare const brand: unique symbol

/** The proof that a person trusts this folder as it is now. Every loader of project files asks for one; only decide.ts makes it. */
export interface Trusted {
  readonly [brand]: true
  /** Real path of the folder. */
  readonly root: string
}
