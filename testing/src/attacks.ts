import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"

/** Whether the attacked guard is active. */
export type Guard = "on" | "off"

/** Outcome of one attempt. */
export interface Attempt {
  readonly reached: boolean
  /** Observed output, for the message of a failure. */
  readonly printed?: string
}

interface Options {
  /** Why it cannot run here. */
  readonly skip?: string | false
}

/**
 * An attack with its positive control: it must fail with the guard and succeed without it, or it would prove nothing. Titles
 * end in `attack with control`, by which `npm run test:attacks` counts them.
 */
export function attack(
  title: string,
  attempt: (t: TestContext, guard: Guard) => Promise<Attempt> | Attempt,
  { skip = false }: Options = {},
): void {
  test(`${title} (attack with control)`, { skip }, async (t) => {
    const held = await attempt(t, "on")
    assert.equal(held.reached, false, `with the guard it must not get there: ${held.printed}`)
    const control = await attempt(t, "off")
    assert.equal(control.reached, true, `without the guard it must get there: ${control.printed}`)
  })
}

/** Attacks that run together; an attempt returns the names of those that succeeded. */
export function attacks(
  title: string,
  names: readonly string[],
  attempt: (t: TestContext, guard: Guard) => Promise<readonly string[]> | readonly string[],
  { skip = false }: Options = {},
): void {
  test(`${title} (${names.length} attacks with controls)`, { skip }, async (t) => {
    assert.deepEqual(await attempt(t, "on"), [], "with the guard none gets there")
    assert.deepEqual(await attempt(t, "off"), names, "without the guard each gets there")
  })
}
