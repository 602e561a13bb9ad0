'use client'
import { useState } from 'react'
import type { ClipboardEvent, DragEvent } from 'react'

/**
 * The files of a paste. Office programs put a picture beside a text and its layout, where the text is meant; a copied file has at most
 * its name beside it.
 */
export const pastedFiles = (data: Pick<DataTransfer, 'types' | 'files'>): readonly File[] =>
  data.types.includes('text/plain') && data.types.includes('text/html') ? [] : [...data.files]

/**
 * The props of an element into which files can be dropped and pasted. Everything else that is dropped or pasted stays
 * text.
 */
export const useFileIntake = (add: (files: readonly File[]) => void, isBusy: boolean) => {
  const [isOver, setOver] = useState(false)
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')
  return {
    'data-dropping': isOver || undefined,
    onDragOver: (event: DragEvent) => {
      if (!hasFiles(event)) return
      // Otherwise the browser opens the file in place of the page.
      event.preventDefault()
      event.dataTransfer.dropEffect = isBusy ? 'none' : 'copy'
      setOver(!isBusy)
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setOver(false)
    },
    onDrop: (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      if (!isBusy) add([...event.dataTransfer.files])
    },
    onPaste: (event: ClipboardEvent) => {
      const files = pastedFiles(event.clipboardData)
      if (files.length === 0 || isBusy) return
      event.preventDefault()
      add(files)
    },
  }
}
