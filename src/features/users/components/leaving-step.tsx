'use client'
import { useState } from 'react'
import { formatDate } from '@/lib/format/date.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Lamp } from '@/ui/signs/lamp.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { postAuth } from '../auth-client.ts'
import type { Refusal } from '../auth-client.ts'
import { useAuthWords } from './use-auth-words.tsx'

type Props = {
  /** The mail's token, or the challenge in the response to a sign-in. */
  by: { readonly token: string } | { readonly challenge: string }
  /** When the data are erased, if known. */
  eraseAt?: string | undefined
  /** Returns to the login; otherwise a link does. */
  onBack?: () => void
}

const Done = ({ onBack }: Pick<Props, 'onBack'>) => {
  const { words } = useAuthWords()
  return (
    <div className="stack-24 mt-6" role="status">
      <Lamp kind="done">{words('deletionUndone')}</Lamp>
      <p className="t2">{words('deletionUndoneText')}</p>
      {onBack ? (
        <Button look="primary" size="l" onClick={onBack}>
          {words('loginTitle')}
        </Button>
      ) : (
        <a className="btn btn-primary btn-l" href="/auth/login">
          {words('loginTitle')}
        </a>
      )}
    </div>
  )
}

/**
 * A pending deletion, and the button that cancels it. Nothing happens before it is pressed, because mail scanners open
 * links too.
 */
export const LeavingStep = ({ by, eraseAt, onBack }: Props) => {
  const { locale, words, refusalText } = useAuthWords()
  const [state, setState] = useState<'ready' | 'busy' | 'done'>('ready')
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  if (state === 'done') return <Done {...(onBack ? { onBack } : {})} />
  const keep = async () => {
    setRefusal(null)
    setState('busy')
    const answer = await postAuth('deletion/undo', by, locale)
    setState(answer.ok ? 'done' : 'ready')
    if (!answer.ok) setRefusal(answer)
  }
  const time = eraseAt === undefined ? null : formatDate(eraseAt, locale, { style: 'stamp' })
  return (
    <div className="stack-24 mt-6 mb-6">
      {refusal ? (
        <Notice tone="stop" role="alert">
          {refusalText(refusal)}
        </Notice>
      ) : null}
      <p className="lead">{words('deletionUndoText')}</p>
      {time === null ? null : <p>{words('deletionUntil').replace('{time}', time)}</p>}
      <div className="btns">
        <Button look="primary" size="l" busy={state === 'busy'} onClick={() => void keep()}>
          {words('deletionUndo')}
        </Button>
        {onBack ? (
          <Button size="l" onClick={onBack}>
            {words('deletionBack')}
          </Button>
        ) : null}
      </div>
    </div>
  )
}
