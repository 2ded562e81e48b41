/** The entry point for frontends: opens a session from a spec, and creates its controller. */
export { type OpenedSession, openSession } from "./compose/open-session.ts"
export type { SessionSpec, TapeChoice } from "@gong/config/session-spec"
export type { Answer, CommandError } from "./controller/answer.ts"
export { commands } from "./controller/commands.ts"
export type { ControllerListener, SessionController } from "./controller/api.ts"
export { createController } from "./controller/controller.ts"
export { processServices } from "./process-services.ts"
export type { Services } from "./services.ts"
