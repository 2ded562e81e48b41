import type { Catalogue } from "../translator.ts"
import { commands } from "./commands.ts"
import { config } from "./config.ts"
import { controller } from "./controller.ts"
import { data } from "./data.ts"
import { extensionData } from "./data-extensions.ts"
import { failures } from "./failures.ts"
import { importData } from "./data-import.ts"
import { resourceData } from "./data-resources.ts"
import { schemaData } from "./data-schema.ts"
import { resources } from "./resources.ts"
import { screens } from "./screens.ts"
import { sessions } from "./sessions.ts"
import { slash } from "./slash.ts"
import { tools } from "./tools.ts"

/** Simplified Chinese. Words are those of docs/words.md. */
export const zhCN: Catalogue = {
  texts: {
    ...controller,
    ...screens,
    ...config,
    ...commands,
    ...sessions,
    ...slash,
    ...resources,
    ...tools,
    ...failures,
  },
  data: { ...data, ...resourceData, ...extensionData, ...importData, ...schemaData },
}
