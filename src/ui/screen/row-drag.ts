/** How far a pointer moves before a grip lifts its row; a finger that moves further before its time scrolls. */
const MOUSE_SLOP_PX = 4
const FINGER_SLOP_PX = 8
const HOLD_MS = 350
/** So near to the edge of the screen the page scrolls by itself. */
const EDGE_PX = 72
const EDGE_STEP_PX = 14
/** The click that a lifted finger causes comes within this time, and opens nothing. */
const CLICK_AFTER_MS = 350

export type Lifted = { readonly id: string; readonly name: string }
type Point = { readonly x: number; readonly y: number }

/** Where a line shows the place, in pixels of the page. Without `lineX` it is as wide as the list. */
export type Lined = { readonly lineY: number; readonly lineX?: { readonly left: number; readonly width: number } }

/** A list whose rows can be lifted: which row a press means, where its rows stand, and where one lands. */
export type RowRules<Slot, Place extends Lined> = {
  readonly pressed: (event: PointerEvent) => Lifted | undefined
  /** Called once for each drag: nothing moves while a row is lifted. */
  readonly slots: (list: HTMLElement) => readonly Slot[]
  /** The place of a row that is let go at this height of the page. */
  readonly placeAt: (slots: readonly Slot[], id: string, y: number) => Place | null
}

type Drag<Slot, Place> = {
  readonly lifted: Lifted
  readonly pointerId: number
  readonly isFinger: boolean
  readonly start: Point
  readonly hold: number
  at: Point
  /** Null until the row is lifted. */
  slots: readonly Slot[] | null
  place: Place | null
}

const swallowClick = (): void => {
  const swallow = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  document.addEventListener('click', swallow, { capture: true, once: true })
  window.setTimeout(() => document.removeEventListener('click', swallow, { capture: true }), CLICK_AFTER_MS)
}

const pointOf = ({ clientX, clientY }: PointerEvent): Point => ({ x: clientX, y: clientY })

type DragParts<Slot, Place extends Lined> = {
  readonly rules: RowRules<Slot, Place>
  readonly list: HTMLElement
  /** The line at the place, and the name beside the pointer, while they are on the page. */
  readonly line: () => HTMLElement | null
  readonly ghost: () => HTMLElement | null
  readonly isOn: () => boolean
  readonly onLift: (lifted: Lifted | null) => void
  readonly onDrop: (id: string, place: Place) => void
}

/**
 * Lifts a row and shows with a line where it lands. Nothing else moves meanwhile. A finger that moves early scrolls the page as
 * always; Escape and a lost pointer put the row back.
 */
export class RowDrag<Slot, Place extends Lined> {
  readonly #parts: DragParts<Slot, Place>
  readonly #ends = new AbortController()
  #drag: Drag<Slot, Place> | null = null

  constructor(parts: DragParts<Slot, Place>) {
    this.#parts = parts
    const { signal } = this.#ends
    const { list } = parts
    list.addEventListener('pointerdown', (event) => this.#press(event), { signal })
    // While a row is lifted the finger moves it and not the page; a held link opens no menu, and no picture is dragged.
    list.addEventListener('touchmove', (event) => this.#isLifted && event.cancelable && event.preventDefault(), {
      signal,
      passive: false,
    })
    list.addEventListener('contextmenu', (event) => this.#drag?.isFinger && event.preventDefault(), { signal })
    list.addEventListener('dragstart', (event) => event.preventDefault(), { signal })
    window.addEventListener('pointermove', (event) => this.#move(event), { signal })
    window.addEventListener('pointerup', (event) => this.#isMine(event) && this.#end(true), { signal })
    window.addEventListener('pointercancel', (event) => this.#isMine(event) && this.#end(false), { signal })
    window.addEventListener('keydown', ({ key }) => key === 'Escape' && this.#end(false), { signal })
  }

  close(): void {
    this.#end(false)
    this.#ends.abort()
  }

  /** Called in each frame while a row is lifted: scrolls at the edges of the screen. */
  scroll(): void {
    const y = this.#drag?.at.y ?? EDGE_PX
    const step = y < EDGE_PX ? -EDGE_STEP_PX : y > window.innerHeight - EDGE_PX ? EDGE_STEP_PX : 0
    if (step === 0) return
    window.scrollBy({ top: step, behavior: 'instant' })
    this.show()
  }

  /** Puts line and name where the pointer is. */
  show(): void {
    const drag = this.#drag
    if (!drag?.slots) return
    drag.place = this.#parts.rules.placeAt(drag.slots, drag.lifted.id, drag.at.y + window.scrollY)
    const [ghost, line] = [this.#parts.ghost(), this.#parts.line()]
    if (ghost) ghost.style.translate = `${drag.at.x + 12}px ${drag.at.y - 20}px`
    if (!line) return
    const { top, left } = this.#parts.list.getBoundingClientRect()
    const { lineY = 0, lineX } = drag.place ?? {}
    line.style.visibility = drag.place === null ? 'hidden' : 'visible'
    line.style.width = lineX === undefined ? '' : `${lineX.width}px`
    line.style.translate = `${lineX === undefined ? 0 : lineX.left - left}px ${lineY - window.scrollY - top}px`
  }

  get #isLifted(): boolean {
    return this.#drag !== null && this.#drag.slots !== null
  }

  #isMine({ pointerId }: PointerEvent): boolean {
    return pointerId === this.#drag?.pointerId
  }

  #press(event: PointerEvent): void {
    const lifted = this.#parts.rules.pressed(event)
    if (!this.#parts.isOn() || event.button !== 0 || this.#drag || lifted === undefined) return
    const [at, isFinger] = [pointOf(event), event.pointerType === 'touch']
    const hold = isFinger ? window.setTimeout(() => this.#lift(), HOLD_MS) : 0
    this.#drag = { lifted, pointerId: event.pointerId, isFinger, start: at, at, hold, slots: null, place: null }
  }

  #move(event: PointerEvent): void {
    const drag = this.#drag
    if (!drag || !this.#isMine(event)) return
    drag.at = pointOf(event)
    if (drag.slots) return this.show()
    const far = Math.hypot(drag.at.x - drag.start.x, drag.at.y - drag.start.y)
    if (drag.isFinger && far > FINGER_SLOP_PX) this.#end(false)
    else if (!drag.isFinger && far > MOUSE_SLOP_PX) this.#lift()
  }

  #lift(): void {
    if (!this.#drag || this.#drag.slots) return
    this.#drag.slots = this.#parts.rules.slots(this.#parts.list)
    window.getSelection()?.removeAllRanges()
    this.#parts.onLift(this.#drag.lifted)
  }

  #end(isDropped: boolean): void {
    const drag = this.#drag
    if (!drag) return
    window.clearTimeout(drag.hold)
    this.#drag = null
    if (!drag.slots) return
    this.#parts.onLift(null)
    swallowClick()
    if (isDropped && drag.place) this.#parts.onDrop(drag.lifted.id, drag.place)
  }
}
