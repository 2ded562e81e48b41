import { attackCases } from "./attacks/cases.ts"
import { rootSecretAttacks, secretAttacks } from "./attacks/secrets.ts"

attackCases([...secretAttacks, ...rootSecretAttacks], " [SAFE-28]")
