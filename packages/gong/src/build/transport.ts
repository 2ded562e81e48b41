import type { Transport } from "@gong/spec"
import { createTransport } from "@gong/llm/transport"
import { compileAtOnce } from "../ports.ts"

/** The network, as a session uses it. */
export function sessionTransport(
  env: Readonly<Record<string, string | undefined>>,
): ReturnType<typeof createTransport> {
  const network = createTransport({ env })
  let began = false
  const send: Transport["send"] = async (request) => {
    const response = await network.send(request)
    if (!began) compileAtOnce()
    began = true
    return response
  }
  return { ...network, send }
}
