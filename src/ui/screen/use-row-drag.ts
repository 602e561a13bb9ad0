'use client'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { RowDrag, type Lifted, type Lined, type RowRules } from './row-drag.ts'

type RowDragProps<Slot, Place extends Lined> = {
  /** The same object for as long as the list is shown. */
  readonly rules: RowRules<Slot, Place>
  readonly list: RefObject<HTMLElement | null>
  readonly isOn: boolean
  readonly onDrop: (id: string, place: Place) => void
}

/** Dragging of the rows of a list: where the line and the name beside the pointer go, and which row is lifted. */
export const useRowDrag = <Slot, Place extends Lined>({ rules, list, isOn, onDrop }: RowDragProps<Slot, Place>) => {
  const line = useRef<HTMLDivElement>(null)
  const ghost = useRef<HTMLDivElement>(null)
  const drag = useRef<RowDrag<Slot, Place> | null>(null)
  const [lifted, setLifted] = useState<Lifted | null>(null)
  const dropped = useEffectEvent(onDrop)
  const isPossible = useEffectEvent(() => isOn)
  useEffect(() => {
    if (!list.current) return undefined
    const made = new RowDrag({
      rules,
      list: list.current,
      line: () => line.current,
      ghost: () => ghost.current,
      isOn: () => isPossible(),
      onLift: setLifted,
      onDrop: (id, place) => dropped(id, place),
    })
    drag.current = made
    return () => made.close()
  }, [list, rules])
  useEffect(() => {
    if (lifted === null) return undefined
    drag.current?.show()
    let frame = 0
    const scroll = () => {
      drag.current?.scroll()
      frame = requestAnimationFrame(scroll)
    }
    frame = requestAnimationFrame(scroll)
    document.body.classList.add('is-lifting')
    return () => {
      cancelAnimationFrame(frame)
      document.body.classList.remove('is-lifting')
    }
  }, [lifted])
  return { line, ghost, lifted }
}
