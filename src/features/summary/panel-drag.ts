import type { Lifted, RowRules } from '@/ui/screen/row-drag.ts'

/** A panel with its place on the page in pixels. */
export type PanelSlot = {
  readonly id: string
  readonly column: string
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly width: number
}

export type PanelPlace = {
  /** The panel of the same column in front of which it lands; null for the end of the column. */
  readonly before: string | null
  readonly lineY: number
  readonly lineX: { readonly left: number; readonly width: number }
}

/** Half of the gap between two panels: the line stands in its middle. */
const HALF_GAP_PX = 12

/** Where a panel lands that is let go at this height. It stays in its column. */
export const panelPlace = (slots: readonly PanelSlot[], id: string, y: number): PanelPlace | null => {
  const own = slots.find((slot) => slot.id === id)
  if (own === undefined) return null
  const others = slots.filter((slot) => slot.column === own.column && slot.id !== id)
  const lineX = { left: own.left, width: own.width }
  const next = others.find(({ top, bottom }) => y < (top + bottom) / 2)
  if (next !== undefined) return { before: next.id, lineY: next.top - HALF_GAP_PX, lineX }
  const last = others.at(-1)
  return last === undefined ? null : { before: null, lineY: last.bottom + HALF_GAP_PX, lineX }
}

const slotsIn = (board: HTMLElement): PanelSlot[] =>
  [...board.querySelectorAll<HTMLElement>('[data-panel]')].map((element) => {
    const { top, bottom, left, width } = element.getBoundingClientRect()
    const { panel: id = '', column = '' } = element.dataset
    return { id, column, top: top + window.scrollY, bottom: bottom + window.scrollY, left, width }
  })

/** The panel that a press would lift: by its grip with a mouse, by its title with a finger. */
const pressedPanel = ({ target, pointerType }: PointerEvent): Lifted | undefined => {
  if (!(target instanceof Element)) return undefined
  const isTitle = target.closest('.panel-h') !== null && target.closest('button, a') === null
  if (target.closest('[data-grip]') === null && !(pointerType === 'touch' && isTitle)) return undefined
  const { panel, name = '' } = target.closest<HTMLElement>('[data-panel]')?.dataset ?? {}
  return panel === undefined ? undefined : { id: panel, name }
}

/** How the panels of the summary are dragged. */
export const PANEL_ROWS: RowRules<PanelSlot, PanelPlace> = {
  pressed: pressedPanel,
  slots: slotsIn,
  placeAt: panelPlace,
}
