export const sameForAnyone: readonly string[]
export const sameWithoutSandbox: readonly string[]
export function attackFiles(parts?: readonly string[]): readonly string[]
