import type { Metadata } from 'next'
import { getTranslations, setRequestLocale } from 'next-intl/server'
import type { ReactNode } from 'react'
import { AuthBar } from '@/features/content/components/auth-bar.tsx'
import { pageMetadata } from '@/features/content/page-metadata.ts'
import type { AuthKey } from '@/features/users/auth-words.ts'
import { AuthFrame } from '@/features/users/components/auth-frame.tsx'
import type { Locale } from '@/i18n/locales.ts'

type Props = { params: Promise<{ locale: Locale }> }

type AuthPage = {
  path: `/auth/${string}`
  title: AuthKey
  description: AuthKey
  /** For search engines: only sign-in and registration are indexed. */
  hidden?: boolean
  /** The sign beside the form has no large word yet. */
  blankSign?: boolean
  /** A question below the form, with a link. */
  after?: { question: AuthKey; way: AuthKey; href: string }
  body: (locale: Locale) => ReactNode
}

/** The exports of a page about signing in: its metadata, and its form inside the shared frame. */
export const authPage = ({ path, title, description, hidden = false, blankSign = false, after, body }: AuthPage) => {
  const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
    const { locale } = await params
    const words = await getTranslations({ locale, namespace: 'auth' })
    return pageMetadata({ locale, path, title: words(title), description: words(description), hidden })
  }

  const Page = async ({ params }: Props) => {
    const { locale } = await params
    setRequestLocale(locale)
    const words = await getTranslations('auth')
    return (
      <AuthFrame
        locale={locale}
        bar={<AuthBar locale={locale} path={path} />}
        title={words(title)}
        sign={blankSign ? { text: words('signBlank') } : { big: words('signBig'), text: words('signText') }}
        after={
          after ? (
            <>
              {words(after.question)}{' '}
              <a className="link" href={after.href}>
                {words(after.way)}
              </a>
            </>
          ) : undefined
        }
      >
        {body(locale)}
      </AuthFrame>
    )
  }

  return { generateMetadata, Page }
}
