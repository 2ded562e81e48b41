export function worstOf(runs: readonly (() => Promise<number>)[]): Promise<number>
/** All test files, as paths from the repository's root; not those of installed packages. */
export function testFiles(): string[]
