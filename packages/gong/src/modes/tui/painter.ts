import type { Clock } from "@gong/spec"
import type { Span } from "@gong/screen/row"
import type { Translate } from "@gong/texts/translator"
import type { Abilities } from "../../terminal/abilities.ts"
import type { ThemeStyle } from "../../terminal/theme-style.ts"
import type { Tty, TtyEvents } from "../../terminal/tty.ts"
import { portions } from "./portion.ts"
import { createScreens } from "./screens.ts"
import { initialState, type InputOptions, type State } from "./state.ts"
import { update } from "./update.ts"

export interface PainterOptions extends InputOptions, Pick<Abilities, "reflows" | "resizeMs" | "hasLinks"> {
  readonly t: Translate
  readonly clock: Clock
  readonly theme: Pick<ThemeStyle, "style">
  openTty(events: TtyEvents): Tty
}

/** Milliseconds between two frames of streamed text, and between two frames while only time passes. */
const FRAME_MS = 33
const SECOND_MS = 1_000
/** While more bytes wait for the terminal, no frame is drawn. */
const UNSENT_MAX = 65_536

/** Draws the newest state: after a key at once, streamed text at most 30 times a second, nothing when nothing has changed. */
export function createPainter(options: PainterOptions, events: TtyEvents) {
  const { t, clock, reflows, resizeMs, openTty } = options
  const tty = openTty(events)
  const screens = createScreens({ t, tty, reflows, paint: (span) => painted(options, span) })
  const portion = portions(clock)
  let state = initialState(tty.size, clock.now(), options)
  let [drawnAt, resizedAt] = [-Infinity, -Infinity]
  let isOpen = false
  let isClosed = false

  const next = nextFrame(clock, () => {
    state = update(state, { kind: "tick" }, clock.now()).state
    draw("render")
  })

  function draw(how: "render" | "redraw"): void {
    if (!isOpen) return
    const now = clock.now()
    if (now - resizedAt < resizeMs) return next.at(resizedAt + resizeMs)
    if (tty.unsent > UNSENT_MAX) return next.at(now + FRAME_MS)
    next.cancel()
    drawnAt = now
    const blocks = portion.draw(state, (shown) => screens.draw(how, shown))
    if (state.reader !== null) return
    state = update(state, { kind: "drawn", blocks }, now).state
    if (state.blocks.length > 0) next.at(now)
    else if (state.isRunning) next.at(now + SECOND_MS)
  }

  return {
    get state(): State {
      return state
    },
    size: () => tty.size,
    /** `isUrgent`: a key, whose effect is shown at once. */
    set(newest: State, isUrgent: boolean): void {
      state = newest
      if (isUrgent) draw("render")
      else if (isOpen) next.at(drawnAt + FRAME_MS)
    },
    resized(): void {
      resizedAt = clock.now()
    },
    redraw: () => draw("redraw"),
    start(): void {
      isOpen = true
      draw("render")
    },
    setTitle: (title: string) => tty.setTitle(title),
    /** Bytes that change nothing on the screen. */
    signal: (bytes: string) => void (isOpen && tty.write(bytes)),
    suspend(): void {
      screens.clear()
      tty.suspend()
    },
    /** Nothing is drawn while another program uses the terminal. */
    async lend<T>(work: () => Promise<T>): Promise<T> {
      screens.clear()
      isOpen = false
      try {
        return await tty.lend(work)
      } finally {
        isOpen = !isClosed
        draw("redraw")
      }
    },
    close(): void {
      isClosed = true
      // There is no later frame.
      resizedAt = -Infinity
      state = { ...state, reader: null }
      do draw("render")
      while (isOpen && state.blocks.length > 0 && tty.unsent <= UNSENT_MAX)
      if (isOpen) screens.clear()
      isOpen = false
      next.cancel()
      tty.close()
    },
  }
}

export type ScreenPainter = ReturnType<typeof createPainter>

/** One timer for the next frame. */
function nextFrame(clock: Clock, draw: () => void) {
  let timer: { readonly at: number; cancel(): void } | null = null
  return {
    /** Draws at this time, or earlier if that was asked for. */
    at(time: number): void {
      if (timer !== null && timer.at <= time) return
      timer?.cancel()
      const cancel = clock.timer(Math.max(1, time - clock.now()), () => {
        timer = null
        draw()
      })
      timer = { at: time, cancel }
    },
    cancel(): void {
      timer?.cancel()
      timer = null
    },
  }
}

function painted({ theme: { style }, hasLinks }: PainterOptions, { text, role, link }: Span): string {
  const styled = role === undefined ? style.text(text) : style.styled(text, role)
  return hasLinks && link !== undefined && isAddress.test(link)
    ? `${OSC}8;;${link}${ST}${styled}${OSC}8;;${ST}`
    : styled
}

const OSC = "\u001b]"
const ST = "\u001b\\"
/** Nothing else may stand in an escape sequence. */
const isAddress = /^https?:[!-~]+$/
