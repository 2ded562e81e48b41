import { autorunAttacks } from "./attack-cases/autorun.ts"

autorunAttacks()
