'use client'
import { useEffect, useRef, useState } from 'react'
import { Button, ButtonLink } from '@/ui/controls/button.tsx'
import { Lamp } from '@/ui/signs/lamp.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { postAuth } from '../auth-client.ts'
import { useAuthWords } from './use-auth-words.tsx'

type State = 'busy' | 'done' | 'failed'

/** Ends the session when the page opens, and reports the result. */
export const Logout = () => {
  const { locale, words } = useAuthWords()
  const [state, setState] = useState<State>('busy')
  const sent = useRef(false)
  const send = async () => {
    setState('busy')
    const answer = await postAuth('logout', {}, locale)
    // Without a session the person is already signed out.
    setState(answer.ok || answer.code === 'UNAUTHENTICATED' || answer.code === 'TOKEN_EXPIRED' ? 'done' : 'failed')
  }
  useEffect(() => {
    if (sent.current) return
    sent.current = true
    void send()
  })
  return (
    <div className="stack-24 mt-6" role="status">
      {state === 'busy' ? <Lamp kind="busy">{words('loggingOut')}</Lamp> : null}
      {state === 'done' ? (
        <>
          <p className="lead">{words('loggedOut')}</p>
          <p className="t2">{words('logoutText')}</p>
          <div className="btns">
            <ButtonLink look="primary" size="l" href="/auth/login">
              {words('loginAgain')}
            </ButtonLink>
            <ButtonLink size="l" href="/">
              {words('backHome')}
            </ButtonLink>
          </div>
        </>
      ) : null}
      {state === 'failed' ? (
        <>
          <Notice tone="stop">{words('logoutFailed')}</Notice>
          <Button look="primary" size="l" onClick={() => void send()}>
            {words('tryAgain')}
          </Button>
        </>
      ) : null}
    </div>
  )
}
