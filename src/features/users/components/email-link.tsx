'use client'
import { useEffect, useState } from 'react'
import { Button, ButtonLink } from '@/ui/controls/button.tsx'
import { Lamp } from '@/ui/signs/lamp.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { postAuth } from '../auth-client.ts'
import type { Refusal } from '../auth-client.ts'
import { takeFromAddress } from './leave-auth.ts'
import { useAuthWords } from './use-auth-words.tsx'

type Link = { action: 'confirm' | 'undo'; token: string }

const useLink = (): Link | 'none' | null => {
  const [link, setLink] = useState<Link | 'none' | null>(null)
  useEffect(() => {
    const [confirm, undo] = [takeFromAddress('confirm'), takeFromAddress('undo')]
    if (confirm !== null) setLink({ action: 'confirm', token: confirm })
    else if (undo !== null) setLink({ action: 'undo', token: undo })
    else setLink((known) => known ?? 'none')
  }, [])
  return link
}

const Done = ({ action }: { action: Link['action'] }) => {
  const { words } = useAuthWords()
  return (
    <div className="stack-24 mt-6" role="status">
      <Lamp kind="done">{words(action === 'confirm' ? 'emailConfirmed' : 'emailUndone')}</Lamp>
      {action === 'undo' ? <p className="t2">{words('emailUndoneText')}</p> : null}
      {action === 'undo' ? (
        <ButtonLink look="primary" size="l" href="/auth/passwordreset">
          {words('resetSet')}
        </ButtonLink>
      ) : (
        <ButtonLink look="primary" size="l" href="/dashboard/">
          {words('goOn')}
        </ButtonLink>
      )}
    </div>
  )
}

/**
 * The target of links about the e-mail address. It does nothing until the button is pressed, because mail scanners open
 * links too.
 */
export const EmailLink = () => {
  const { locale, words, refusalText } = useAuthWords()
  const link = useLink()
  const [state, setState] = useState<'ready' | 'busy' | 'done'>('ready')
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  if (link === null) return null
  if (link === 'none')
    return (
      <Notice tone="stop" className="mt-6">
        {words('linkMissing')}
      </Notice>
    )
  const { action, token } = link
  if (state === 'done') return <Done action={action} />
  const send = async () => {
    setRefusal(null)
    setState('busy')
    const answer = await postAuth(`email/${action}`, { token }, locale)
    setState(answer.ok ? 'done' : 'ready')
    if (!answer.ok) setRefusal(answer)
  }
  return (
    <div className="stack-24 mt-6">
      {refusal ? (
        <Notice tone="stop" role="alert">
          {refusalText(refusal)}
        </Notice>
      ) : null}
      <p className="lead">{words(action === 'confirm' ? 'emailConfirmText' : 'emailUndoText')}</p>
      <Button
        look={action === 'confirm' ? 'primary' : 'danger'}
        size="l"
        busy={state === 'busy'}
        onClick={() => void send()}
      >
        {words(action === 'confirm' ? 'emailConfirm' : 'emailUndo')}
      </Button>
    </div>
  )
}
