import type { App } from "../build.ts"
import type { World } from "../world.ts"

/** Leaves a session, and says what is to be said of it. False when steps of it are not kept. */
export async function leaveApp(world: World, app: App, keeps?: "tape"): Promise<boolean> {
  const { lines, kept } = await app.leave(keeps)
  for (const line of lines) world.err(`${line}\n`)
  return kept
}
