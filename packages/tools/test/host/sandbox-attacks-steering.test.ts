import { steeringAttacks } from "./attacks/steering.ts"

steeringAttacks()
