'use client'
import { useCallback, useEffect, useRef, useState } from 'react'

export type Disclosure = { readonly open: boolean; readonly setOpen: (open: boolean) => void }

/** The parts that the top bar can open, one at a time. */
export const useOneOpen = <Name extends string>() => {
  const [shown, setShown] = useState<Name | null>(null)
  const setOpen = useCallback(
    (name: Name, open: boolean) => setShown((now) => (open ? name : now === name ? null : now)),
    [],
  )
  return { shown, setOpen }
}

/**
 * A button and the part it opens: Escape, a click elsewhere and losing the focus close it. After Escape the button has
 * the focus again.
 */
export const useDisclosure = ({ open, setOpen }: Disclosure) => {
  const region = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!open) return undefined
    const onElsewhere = (event: Event) => {
      if (event.target instanceof Node && !region.current?.contains(event.target)) setOpen(false)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    document.addEventListener('pointerdown', onElsewhere)
    document.addEventListener('focusin', onElsewhere)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', onElsewhere)
      document.removeEventListener('focusin', onElsewhere)
      document.removeEventListener('keydown', onKey)
    }
  }, [open, setOpen])
  return { region, button }
}
