export function worstOf(runs: readonly (() => Promise<number>)[]): Promise<number>
