'use client'
import { useRef } from 'react'
import type { DialogHTMLAttributes, RefObject } from 'react'

type ModalEnd = {
  /** Closes the modal and tells its owner at once. */
  end: () => void
  /** Escape, the scrim and the browser's own ways of closing, for the `dialog` element. */
  handlers: Pick<DialogHTMLAttributes<HTMLDialogElement>, 'onCancel' | 'onClose' | 'onClick'>
}

/**
 * Tells the owner of a modal once that it has ended, at the moment of the key or click. The browser's own event comes
 * later: whoever asks again at once, by a key, would have their new question closed by it.
 */
export const useModalEnd = (ref: RefObject<HTMLDialogElement | null>, onClose: () => void): ModalEnd => {
  const isTold = useRef(false)
  const end = () => {
    if (!ref.current?.open) return
    ref.current.close()
    isTold.current = true
    onClose()
  }
  return {
    end,
    handlers: {
      onCancel: (event) => {
        // A file picker in the dialog has a cancel event too.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        end()
      },
      onClose: (event) => {
        if (!isTold.current && !event.currentTarget.open) onClose()
        isTold.current = false
      },
      onClick: (event) => {
        if (event.target === event.currentTarget) end()
      },
    },
  }
}
