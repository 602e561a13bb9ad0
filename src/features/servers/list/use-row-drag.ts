'use client'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { RefObject } from 'react'
import type { DropPlace } from './drop-place.ts'
import { RowDrag, type Lifted } from './row-drag.ts'

type RowDragProps = {
  readonly list: RefObject<HTMLElement | null>
  readonly isOn: boolean
  readonly onDrop: (id: string, place: DropPlace) => void
}

/** Dragging of the rows of a list: where the line and the name beside the pointer go, and which row is lifted. */
export const useRowDrag = ({ list, isOn, onDrop }: RowDragProps) => {
  const line = useRef<HTMLDivElement>(null)
  const ghost = useRef<HTMLDivElement>(null)
  const drag = useRef<RowDrag | null>(null)
  const [lifted, setLifted] = useState<Lifted | null>(null)
  const dropped = useEffectEvent(onDrop)
  const isPossible = useEffectEvent(() => isOn)
  useEffect(() => {
    if (!list.current) return undefined
    const made = new RowDrag({
      list: list.current,
      line: () => line.current,
      ghost: () => ghost.current,
      isOn: () => isPossible(),
      onLift: setLifted,
      onDrop: (id, place) => dropped(id, place),
    })
    drag.current = made
    return () => made.close()
  }, [list])
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
