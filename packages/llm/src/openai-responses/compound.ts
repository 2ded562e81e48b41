/** Two parts in one id: `call_id|item_id` of a call, `item_id|encrypted content` of reasoning. Split at the first bar. */
export function join(first: string, second: string): string {
  return second === "" ? first : `${first}|${second}`
}

export function split(compound: string): readonly [first: string, second: string] {
  const bar = compound.indexOf("|")
  return bar < 0 ? [compound, ""] : [compound.slice(0, bar), compound.slice(bar + 1)]
}
