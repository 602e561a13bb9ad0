'use client'
import { useEffect, useState } from 'react'
import { Button } from '@/ui/controls/button.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import type { Refusal } from '../auth-client.ts'
import { canUsePasskeys, signInWithPasskey } from '../passkey-client.ts'
import { useAuthWords } from './use-auth-words.tsx'

type Props = {
  /** The sign-in of which this is the second step; null signs in by the passkey alone. */
  challenge: string | null
  onDone: () => void
  onExpired?: (refusal: Refusal) => void
  /** The account is being deleted. */
  onLeaving?: (refusal: Refusal) => void
}

/** Signs in with a passkey, if the browser supports them. */
export const PasskeyButton = ({ challenge, onDone, onExpired, onLeaving }: Props) => {
  const { locale, words, refusalText } = useAuthWords()
  const [usable, setUsable] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  // The server does not know the browser: the button appears with the script.
  useEffect(() => setUsable(canUsePasskeys()), [])
  if (!usable) return null

  const ask = async () => {
    setRefusal(null)
    setBusy(true)
    const answer = await signInWithPasskey(challenge, locale)
    if (answer?.ok) return onDone()
    setBusy(false)
    if (answer?.code === 'TOKEN_EXPIRED' && onExpired) return onExpired(answer)
    if (answer?.code === 'ACCOUNT_LEAVING' && onLeaving) return onLeaving(answer)
    setRefusal(answer)
  }
  return (
    <>
      {refusal ? (
        <Notice tone="stop" role="alert">
          {refusalText(refusal)}
        </Notice>
      ) : null}
      <Button size="l" wide busy={busy} onClick={() => void ask()}>
        {words('passkeyLogin')}
      </Button>
    </>
  )
}
