'use client'

import { Button } from '@payloadcms/ui'
import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react'
import type { Refused } from './ask-admin.ts'
import { common } from './money-words.ts'
import { useAdminLanguage } from './use-admin-language.ts'

/** The outcome of an act that a field's own sentence explains. */
export const AT_FIELD = 'at its field'

/** Why an act was not carried out: a refusal of the API, a sentence, or a field's sentence. Undefined on success. */
export type ActOutcome = Refused | string | undefined

type Props = {
  readonly title: string
  readonly confirm: string
  readonly isDangerous?: boolean
  readonly children: ReactNode
  readonly onConfirm: () => Promise<ActOutcome>
  /** The dialog is closed and can be removed. */
  readonly onClose: () => void
}

const wordsOf = (refused: Refused | string, { say }: Pick<ReturnType<typeof useAdminLanguage>, 'say'>): string => {
  if (typeof refused === 'string') return refused
  if (refused.isUnknown) return say(common.unknown)
  if (refused.code === 'INSUFFICIENT_BALANCE') return say(common.insufficient)
  if (refused.code === 'INVALID_STATE' || refused.code === 'CONFLICT') return say(common.changed)
  const [field] = Object.values(refused.fields)
  return field ?? refused.message
}

/** Asks for a confirmation before money moves. The dialog stays open during the call, so that its result is read. */
export const ActDialog = ({ title, confirm, isDangerous = false, children, onConfirm, onClose }: Props) => {
  const language = useAdminLanguage()
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const box = useRef<HTMLDialogElement>(null)
  const isRunning = useRef(false)
  const titleId = useId()
  useEffect(() => box.current?.showModal(), [])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setFault(undefined)
    const refused = await onConfirm()
    isRunning.current = false
    setBusy(false)
    if (refused === undefined) return box.current?.close()
    if (refused !== AT_FIELD) setFault(wordsOf(refused, language))
  }
  // Browsers let a second Escape close a dialog that prevented the first one.
  const closed = () => (isRunning.current ? box.current?.showModal() : onClose())
  return (
    <dialog
      ref={box}
      className="bakter-dialog"
      aria-labelledby={titleId}
      onCancel={(event) => isBusy && event.preventDefault()}
      onClose={closed}
    >
      <form noValidate onSubmit={(event) => void submit(event)}>
        <h2 id={titleId}>{title}</h2>
        {children}
        {fault === undefined ? null : (
          <p className="bakter-fault" role="alert">
            {fault}
          </p>
        )}
        <div className="bakter-ways">
          <Button type="submit" size="medium" buttonStyle={isDangerous ? 'error' : 'primary'} disabled={isBusy}>
            {isBusy ? language.say(common.loading) : confirm}
          </Button>
          <Button
            type="button"
            size="medium"
            buttonStyle="secondary"
            disabled={isBusy}
            onClick={() => box.current?.close()}
          >
            {language.say(common.cancel)}
          </Button>
        </div>
      </form>
    </dialog>
  )
}
