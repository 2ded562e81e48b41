/** What commands connect to is no tool and has rules like one: no tool has this name. */
export const networkRule = "network"
