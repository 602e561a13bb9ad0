'use client'

import { Button } from '@payloadcms/ui'
import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react'
import type { Refused } from './ask-admin.ts'
import { common } from './money-words.ts'
import { useAdminLanguage } from './use-admin-language.ts'

type Props = {
  readonly title: string
  readonly confirm: string
  readonly isDangerous?: boolean
  readonly children: ReactNode
  /** Does what the dialog asks about, under the key of this opening. Resolves with why not, or with nothing when it is done. */
  readonly onConfirm: (key: string) => Promise<Refused | string | undefined>
  readonly onClose: () => void
}

const wordsOf = (refused: Refused | string, { say }: Pick<ReturnType<typeof useAdminLanguage>, 'say'>): string => {
  if (typeof refused === 'string') return refused
  if (refused.code === 'INSUFFICIENT_BALANCE') return say(common.insufficient)
  if (refused.code === 'INVALID_STATE' || refused.code === 'CONFLICT') return say(common.changed)
  const [field] = Object.values(refused.fields)
  return field ?? (refused.message === '' ? say(common.unreachable) : refused.message)
}

/** Asks once more before money moves. A repeated click, and a try after no answer, carry the same key. */
export const ActDialog = ({ title, confirm, isDangerous = false, children, onConfirm, onClose }: Props) => {
  const language = useAdminLanguage()
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const box = useRef<HTMLDialogElement>(null)
  const key = useRef('')
  const titleId = useId()
  useEffect(() => {
    key.current = crypto.randomUUID()
    box.current?.showModal()
  }, [])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setFault(undefined)
    const refused = await onConfirm(key.current)
    setBusy(false)
    if (refused === undefined) return onClose()
    // What was refused wrote nothing; another wish is another act.
    if (typeof refused === 'string' || refused.message !== '') key.current = crypto.randomUUID()
    setFault(wordsOf(refused, language))
  }
  return (
    <dialog ref={box} className="bakter-dialog" aria-labelledby={titleId} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <h2 id={titleId}>{title}</h2>
        {children}
        <p className="bakter-fault" role="alert">
          {fault}
        </p>
        <div className="bakter-ways">
          <Button type="submit" size="medium" buttonStyle={isDangerous ? 'error' : 'primary'} disabled={isBusy}>
            {isBusy ? language.say(common.loading) : confirm}
          </Button>
          <Button type="button" size="medium" buttonStyle="secondary" disabled={isBusy} onClick={onClose}>
            {language.say(common.cancel)}
          </Button>
        </div>
      </form>
    </dialog>
  )
}
