import { dropPlace, type DropPlace, type Slot } from './drop-place.ts'
import type { Lifted, RowRules } from '@/ui/screen/row-drag.ts'

const ROWS = '[data-server], [data-group-heading]'

/** The rows and headings of the list, measured once: nothing moves while a row is lifted. */
const slotsIn = (list: HTMLElement): Slot[] =>
  [...list.querySelectorAll<HTMLElement>(ROWS)].map((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    const { server, group = '' } = element.dataset
    return {
      kind: server === undefined ? 'heading' : 'row',
      id: server ?? '',
      groupId: group === '' ? null : group,
      top: top + window.scrollY,
      bottom: bottom + window.scrollY,
    }
  })

/** The row that a press would lift: by its grip with a mouse, anywhere but on its controls with a finger. */
const pressedRow = ({ target, pointerType }: PointerEvent): Lifted | undefined => {
  if (!(target instanceof Element)) return undefined
  const isGrip = target.closest('[data-grip]') !== null
  const isControl = target.closest('button, input, select, label') !== null
  if (pointerType === 'touch' ? isControl && !isGrip : !isGrip) return undefined
  const { server, name = '' } = target.closest<HTMLElement>('[data-server]')?.dataset ?? {}
  return server === undefined ? undefined : { id: server, name }
}

/** How the rows of the list of servers are dragged. */
export const SERVER_ROWS: RowRules<Slot, DropPlace> = { pressed: pressedRow, slots: slotsIn, placeAt: dropPlace }
