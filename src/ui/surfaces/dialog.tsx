'use client'
import clsx from 'clsx'
import { useId, useLayoutEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { Icon } from '../signs/icon.tsx'
import { useModalEnd } from './use-modal-end.ts'

type DialogProps = {
  open: boolean
  onClose: () => void
  title: string
  closeLabel: string
  children: ReactNode
  /** The buttons at the end, the safe one first. */
  actions?: ReactNode
  className?: string
}

/**
 * The browser's own modal: it traps and restores the focus and closes on Escape; a click on the scrim closes it too.
 */
export const Dialog = ({ open, onClose, title, closeLabel, children, actions, className }: DialogProps) => {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  const { end, handlers } = useModalEnd(ref, onClose)
  // Before the effects of its content, which can give the focus to a field only once the dialog is shown.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    if (open && !dialog.open) dialog.showModal()
    if (!open && dialog.open) dialog.close()
  }, [open])
  // One that is taken out of the page while it is open gives the focus back as well.
  useLayoutEffect(() => {
    const dialog = ref.current
    return () => dialog?.close()
  }, [])
  return (
    <dialog ref={ref} className={clsx('dialog', className)} aria-labelledby={id} {...handlers}>
      {open ? (
        <>
          <div className="dialog__head">
            <h2 id={id}>{title}</h2>
            <button type="button" className="icon-btn" aria-label={closeLabel} onClick={end}>
              <Icon name="close" size={20} />
            </button>
          </div>
          {children}
          {actions === undefined ? null : <div className="dialog__end">{actions}</div>}
        </>
      ) : null}
    </dialog>
  )
}
