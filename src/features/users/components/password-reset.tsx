'use client'
import { useEffect, useState } from 'react'
import { ResetAsk } from './reset-ask.tsx'
import { ResetSet } from './reset-set.tsx'
import { takeFromAddress } from './leave-auth.ts'

/** Asks for the link, or sets the password when the page was opened by one. */
export const PasswordReset = () => {
  const [token, setToken] = useState<string | null>(null)
  // The token leaves the address at once: neither history nor a copied address holds it.
  useEffect(() => {
    const found = takeFromAddress('token')
    if (found !== null) setToken(found)
  }, [])
  return token === null ? <ResetAsk /> : <ResetSet token={token} onInvalid={() => setToken(null)} />
}
