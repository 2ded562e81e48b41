/** Folders from Gong's home to the caches of package managers, one for each workspace. */
export const toolCacheNames = ["cache", "tools"] as const
