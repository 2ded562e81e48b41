import { done, refusalFor } from "../answer.ts"
import type { HandlersOf } from "./handler.ts"

/** Commands about the MCP servers of the session. */
export const mcp: HandlersOf<"get_mcp" | "set_mcp"> = {
  async get_mcp({ current }, _, answer) {
    await current.mcp.load()
    answer(done({ servers: current.mcp.rows() }))
  },
  async set_mcp(state, { server, action }, answer) {
    const { mcp: servers } = state.current
    return state.inBackground(async () => {
      try {
        await servers.load()
        const { signal } = new AbortController()
        if (action === "start") await servers.start(server, signal)
        else if (action === "login") await servers.login(server, signal)
        else if (action === "accept") servers.accept(server)
        else servers.turn(server, action === "on")
        answer(done({ servers: servers.rows() }))
      } catch (error) {
        answer(refusalFor(error))
      }
    })
  },
}
