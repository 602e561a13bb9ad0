import { getMessages, getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import type { Locale } from '@/i18n/locales.ts'
import { authWordsOf } from '../auth-words.ts'
import { AuthWordsProvider } from './use-auth-words.tsx'

type Props = {
  locale: Locale
  title: string
  sign: { big?: string; text: string }
  children: ReactNode
  after?: ReactNode
  bar: ReactNode
}

/** Form on the left, the enamel sign on the right; the forms get only the texts they use. */
export const AuthFrame = async ({ locale, title, sign, children, after, bar }: Props) => {
  const [common, messages] = await Promise.all([getTranslations('common'), getMessages()])
  return (
    <>
      <a className="skip" href="#main">
        {common('skipToContent')}
      </a>
      {bar}
      <main id="main" className="auth frame">
        <div className="auth__form">
          <h1 className="h2">{title}</h1>
          <AuthWordsProvider value={authWordsOf(locale, messages)}>{children}</AuthWordsProvider>
          {after ? <p className="auth__alt">{after}</p> : null}
        </div>
        <div className={sign.big ? 'sign auth__sign' : 'sign auth__sign auth__sign--blank'}>
          <div className="sign__in">
            {sign.big ? (
              <p className="auth__big" aria-hidden="true">
                {sign.big}
              </p>
            ) : null}
            <p className="auth__cap">{sign.text}</p>
          </div>
        </div>
      </main>
    </>
  )
}
