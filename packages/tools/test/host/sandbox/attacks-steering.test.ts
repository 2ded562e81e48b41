import { steeringAttacks } from "./attack-cases/steering.ts"

steeringAttacks()
