'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Button } from '@/ui/controls/button.tsx'

type QuestionFormProps = {
  /** The word on the button. */
  readonly act: string
  /** Resolves with the refusal as a sentence, or null when the dialog may close. */
  readonly onSend: () => Promise<string | null>
  readonly onClose: () => void
  /** The fields, which show the last refusal and forget it once something else is typed. */
  readonly children: (refusal: string | undefined, forget: () => void) => ReactNode
}

/** The form of a dialog that asks for something: it begins in its first field, sends once at a time, and stays open with the refusal. */
export const QuestionForm = ({ act, onSend, onClose, children }: QuestionFormProps) => {
  const tc = useTranslations('common')
  const [refusal, setRefusal] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const send = async () => {
    setBusy(true)
    const found = await onSend()
    setBusy(false)
    return found === null ? onClose() : setRefusal(found)
  }
  return (
    <form
      ref={form}
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) void send()
      }}
    >
      {children(refusal, () => setRefusal(undefined))}
      <div className="dialog__end">
        <Button onClick={onClose}>{tc('cancel')}</Button>
        <Button look="primary" type="submit" busy={isBusy}>
          {act}
        </Button>
      </div>
    </form>
  )
}
