'use client'
import { useEffect, useState } from 'react'
import { ResetAsk } from './reset-ask.tsx'
import { ResetSet } from './reset-set.tsx'
import { takeFromAddress } from './leave-auth.ts'

/** Requests the link, or sets the password if the page was opened by one. */
export const PasswordReset = () => {
  const [token, setToken] = useState<string | null>(null)
  // The token is removed from the address at once, so that neither history nor a copied address contains it.
  useEffect(() => {
    const found = takeFromAddress('token')
    if (found !== null) setToken(found)
  }, [])
  return token === null ? <ResetAsk /> : <ResetSet token={token} onInvalid={() => setToken(null)} />
}
