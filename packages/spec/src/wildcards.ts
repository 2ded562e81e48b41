/** A pattern of wildcards as data; a pattern is a sequence of these. */
export type Wild =
  /** One character that fits. */
  | { readonly one: (char: string) => boolean }
  /** Any number of them, also none. */
  | { readonly many: readonly Wild[] }
  /** One of these sequences. */
  | { readonly either: readonly (readonly Wild[])[] }

/** These characters, one after the other. */
export function literalWild(text: string): readonly Wild[] {
  return Array.from(text, (wanted): Wild => ({ one: (char) => char === wanted }))
}

/** `fits`: the character that it takes; without one it leads on by itself. */
interface Node {
  readonly fits: ((char: string) => boolean) | null
  readonly to: readonly number[]
}

const end = 0

/** Where a match may stand after some characters, and where it stands one character later, as far as that was asked. */
interface State {
  readonly open: ReadonlySet<number>
  readonly next: Map<string, State>
}

/** Steps that are remembered; then all is forgotten and found anew. */
const maxKnown = 10_000

/**
 * Whether a whole text fits. Patterns and texts come from models and strangers: the time grows with the length of the text
 * times that of the pattern and never faster, as it would where a regular expression tries all ways.
 */
export function wildTest(pattern: readonly Wild[]): (text: string) => boolean {
  const nodes: Node[] = [{ fits: null, to: [] }]
  const start = lay(nodes, pattern, end)
  let known = new Map<string, State>()
  let steps = 0
  let begin = stateAt([start])
  return (text) => {
    if (steps > maxKnown) {
      known = new Map()
      steps = 0
      begin = stateAt([start])
    }
    let state = begin
    for (const char of text) {
      const next = state.next.get(char) ?? step(state, char)
      if (next.open.size === 0) return false
      state = next
    }
    return state.open.has(end)
  }

  function step(state: State, char: string): State {
    steps += 1
    const to = [...state.open].flatMap((at) => (nodes[at]?.fits?.(char) === true ? nodes[at].to : []))
    const next = stateAt(to)
    state.next.set(char, next)
    return next
  }

  function stateAt(from: readonly number[]): State {
    const open = reachedFrom(nodes, from)
    const name = [...open].sort((a, b) => a - b).join()
    const state = known.get(name) ?? { open, next: new Map() }
    known.set(name, state)
    return state
  }
}

/** Adds the nodes of a sequence that leads to `next`; gives where it begins. */
function lay(nodes: Node[], pattern: readonly Wild[], next: number): number {
  return pattern.reduceRight((after, part) => {
    if ("one" in part) return nodes.push({ fits: part.one, to: [after] }) - 1
    if ("either" in part) return nodes.push({ fits: null, to: part.either.map((way) => lay(nodes, way, after)) }) - 1
    const at = nodes.push({ fits: null, to: [] }) - 1
    nodes[at] = { fits: null, to: [lay(nodes, part.many, at), after] }
    return at
  }, next)
}

/** These nodes, and those to which one comes from them without a character. */
function reachedFrom(nodes: readonly Node[], from: readonly number[]): ReadonlySet<number> {
  const reached = new Set(from)
  for (const at of reached) {
    const node = nodes[at]
    if (node?.fits === null) for (const to of node.to) reached.add(to)
  }
  return reached
}
