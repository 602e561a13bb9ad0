import type { Metadata } from 'next'
import { getTranslations, setRequestLocale } from 'next-intl/server'
import type { ReactNode } from 'react'
import { AuthBar } from '@/features/content/components/auth-bar.tsx'
import { pageMetadata } from '@/features/content/page-metadata.ts'
import { siteContent } from '@/features/content/queries.ts'
import { AuthFrame } from '@/features/users/components/auth-frame.tsx'
import { RegisterForm } from '@/features/users/components/register-form.tsx'
import type { Locale } from '@/i18n/locales.ts'

export const revalidate = 3600

type Props = { params: Promise<{ locale: Locale }> }
const path = '/auth/register'

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { locale } = await params
  const words = await getTranslations({ locale, namespace: 'auth' })
  return pageMetadata({ locale, path, title: words('registerTitle'), description: words('registerMeta') })
}

const Closed = async () => {
  const words = await getTranslations('auth')
  return (
    <div className="stack mt-6">
      <p className="lead">{words('closed')}</p>
      <p>
        <a className="link" href="/blog">
          {words('toBlog')}
        </a>
      </p>
    </div>
  )
}

const documentLink = (href: string) => (chunks: ReactNode) => (
  <a className="link" href={href} target="_blank" rel="noopener">
    {chunks}
  </a>
)

const Terms = async () => {
  const words = await getTranslations('auth')
  return words.rich('terms', { terms: documentLink('/documents/terms'), privacy: documentLink('/documents/privacy') })
}

const RegisterPage = async ({ params }: Props) => {
  const { locale } = await params
  setRequestLocale(locale)
  const [words, site] = await Promise.all([getTranslations('auth'), siteContent(locale)])
  return (
    <AuthFrame
      locale={locale}
      bar={<AuthBar locale={locale} path={path} />}
      title={words('registerTitle')}
      sign={{ text: words('signBlank') }}
      after={
        <>
          {words('haveAccount')}{' '}
          <a className="link" href="/auth/login">
            {words('loginTitle')}
          </a>
        </>
      }
    >
      {site.registrationOpen ? <RegisterForm terms={<Terms />} /> : <Closed />}
    </AuthFrame>
  )
}

export default RegisterPage
