'use client'
import { useAuthWords } from './use-auth-words.tsx'

/** The way back to signing in, from a page that leads nowhere else. */
export const SignInLink = () => {
  const { words } = useAuthWords()
  return (
    <p>
      <a className="link" href="/auth/login">
        {words('deletionBack')}
      </a>
    </p>
  )
}
