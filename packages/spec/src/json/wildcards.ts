/** A wildcard pattern as data: a sequence of these. */
export type Wild =
  /** One matching character. */
  | { readonly one: (char: string) => boolean }
  /** Zero or more of them. */
  | { readonly many: readonly Wild[] }
  /** One of these sequences. */
  | { readonly either: readonly (readonly Wild[])[] }

/** These characters in order. */
export function literalWild(text: string): readonly Wild[] {
  return Array.from(text, (wanted): Wild => ({ one: (char) => char === wanted }))
}

/** `fits`: the character that it consumes; a node without it is an epsilon transition. */
interface Node {
  readonly fits: ((char: string) => boolean) | null
  readonly to: readonly number[]
}

const end = 0

/** The possible states after some characters, with the computed states one character later. */
interface State {
  readonly open: ReadonlySet<number>
  readonly next: Map<string, State>
}

/** Maximum number of cached transitions; then the cache is cleared. */
const maxKnown = 10_000

/**
 * Whether a whole text matches. Patterns and texts are untrusted, so the time is at most proportional to the length of the
 * text times that of the pattern; a backtracking regular expression would be exponential.
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

/** Adds the nodes of a sequence that leads to `next`; returns its first node. */
function lay(nodes: Node[], pattern: readonly Wild[], next: number): number {
  return pattern.reduceRight((after, part) => {
    if ("one" in part) return nodes.push({ fits: part.one, to: [after] }) - 1
    if ("either" in part) return nodes.push({ fits: null, to: part.either.map((way) => lay(nodes, way, after)) }) - 1
    const at = nodes.push({ fits: null, to: [] }) - 1
    nodes[at] = { fits: null, to: [lay(nodes, part.many, at), after] }
    return at
  }, next)
}

/** These nodes and all nodes reachable without a character. */
function reachedFrom(nodes: readonly Node[], from: readonly number[]): ReadonlySet<number> {
  const reached = new Set(from)
  for (const at of reached) {
    const node = nodes[at]
    if (node?.fits === null) for (const to of node.to) reached.add(to)
  }
  return reached
}
