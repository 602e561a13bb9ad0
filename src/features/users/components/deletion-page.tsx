'use client'
import { useEffect, useState } from 'react'
import { Lamp } from '@/ui/signs/lamp.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { takeFromAddress } from './leave-auth.ts'
import { LeavingStep } from './leaving-step.tsx'
import { SignInLink } from './sign-in-link.tsx'
import { useAuthWords } from './use-auth-words.tsx'

type Reason = { readonly token: string } | 'left' | 'none'

const useReason = (): Reason | null => {
  const [reason, setReason] = useState<Reason | null>(null)
  useEffect(() => {
    const [token, left] = [takeFromAddress('undo'), takeFromAddress('left')]
    if (token !== null) setReason({ token })
    else if (left !== null) setReason('left')
    else setReason((known) => known ?? 'none')
  }, [])
  return reason
}

/** After requesting the deletion it explains how to cancel it; opened by the mail's link it cancels it. */
export const DeletionPage = () => {
  const { words } = useAuthWords()
  const reason = useReason()
  if (reason === null) return null
  if (reason === 'none')
    return (
      <div className="stack-24 mt-6">
        <Notice tone="stop">{words('linkMissing')}</Notice>
        <SignInLink />
      </div>
    )
  if (reason !== 'left') return <LeavingStep by={reason} />
  return (
    <div className="stack-24 mt-6" role="status">
      <Lamp kind="done">{words('deletionLeft')}</Lamp>
      <p className="lead">{words('deletionLeftText')}</p>
      <SignInLink />
    </div>
  )
}
