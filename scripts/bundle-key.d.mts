export const keyFile: string
export function bundleKey(entry?: string, checkout?: string): string
export function isFresh(folder: string, checkout?: string): boolean
