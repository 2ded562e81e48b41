import { copyCases } from "./copy-cases.ts"
import { indexCases } from "./index-cases.ts"
import { openCases } from "./open-cases.ts"
import type { SessionsCase } from "./under-test.ts"

/** The contract of every `Sessions` implementation. */
export const sessionsCases: readonly SessionsCase[] = [...openCases, ...copyCases, ...indexCases]
