import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"

/** Whether what an attack is aimed at holds. */
export type Guard = "on" | "off"

/** What one attempt came to. */
export interface Attempt {
  readonly reached: boolean
  /** What was seen, for the message of a failure. */
  readonly said?: string
}

interface Options {
  /** Why it cannot be tried here. */
  readonly skip?: string | false
}

/**
 * An attack with its positive control: with the guard it must not get there, without it it must, else it would prove
 * nothing. Titles end in `attack with control`, by which `npm run test:attacks` counts them.
 */
export function attack(
  title: string,
  attempt: (t: TestContext, guard: Guard) => Promise<Attempt> | Attempt,
  { skip = false }: Options = {},
): void {
  test(`${title} (attack with control)`, { skip }, async (t) => {
    const held = await attempt(t, "on")
    assert.equal(held.reached, false, `with the guard it must not get there: ${held.said}`)
    const control = await attempt(t, "off")
    assert.equal(control.reached, true, `without the guard it must get there: ${control.said}`)
  })
}

/** Attacks that are tried together; an attempt gives the names of those that got there. */
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
