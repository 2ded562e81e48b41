import type { Catalogue } from "../language.ts"
import { commandLine } from "./command-line.ts"
import { commands } from "./commands.ts"
import { config } from "./config.ts"
import { controller } from "./controller.ts"
import { conversation } from "./conversation.ts"
import { diagnostics } from "./diagnostics.ts"
import { extensions } from "./extensions.ts"
import { failures } from "./failures.ts"
import { imports } from "./import.ts"
import { reasons } from "./reasons.ts"
import { resources } from "./resources.ts"
import { screens } from "./screens.ts"
import { sessions } from "./sessions.ts"
import { slash } from "./slash.ts"
import { tools } from "./tools.ts"

/** Simplified Chinese. Words are those of docs/words.md. */
export const zhCN: Catalogue = {
  ...screens,
  ...commandLine,
  ...conversation,
  ...config,
  ...commands,
  ...controller,
  ...sessions,
  ...slash,
  ...resources,
  ...tools,
  ...failures,
  ...reasons,
  ...diagnostics,
  ...extensions,
  ...imports,
}
