/** The path from Gong's folder to the caches of package managers, which contains one folder for each workspace. */
export const toolCacheNames = ["cache", "tools"] as const
