'use client'
import { createContext, useContext } from 'react'
import type { ReactNode } from 'react'
import type { Refusal } from '../auth-client.ts'
import { fieldSentence, refusalSentence } from '../auth-words.ts'
import type { AuthKey, AuthWords } from '../auth-words.ts'

const AuthWordsContext = createContext<AuthWords | null>(null)

export const AuthWordsProvider = ({ value, children }: { value: AuthWords; children: ReactNode }) => (
  <AuthWordsContext value={value}>{children}</AuthWordsContext>
)

/** The texts of the sign-in forms; needs the AuthWordsProvider above it. */
export const useAuthWords = () => {
  const value = useContext(AuthWordsContext)
  if (!value) throw new Error('useAuthWords needs an AuthWordsProvider above it')
  return {
    locale: value.locale,
    words: (key: AuthKey): string => value.auth[key],
    fieldError: (message: string | undefined) => fieldSentence(value, message),
    refusalText: (refusal: Refusal) =>
      refusalSentence(value, refusal, {
        nowMs: Date.now(),
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      }),
  }
}
