import { attackCases } from "./attack-cases/cases.ts"
import { rootSecretAttacks, secretAttacks } from "./attack-cases/secrets.ts"

attackCases([...secretAttacks, ...rootSecretAttacks], " [SAFE-28]")
