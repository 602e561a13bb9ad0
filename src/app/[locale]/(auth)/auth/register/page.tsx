import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { siteContent } from '@/features/content/queries.ts'
import { RegisterForm } from '@/features/users/components/register-form.tsx'
import type { Locale } from '@/i18n/locales.ts'
import { authPage } from '../../auth-page.tsx'

export const revalidate = 3600

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

const Registration = async ({ locale }: { locale: Locale }) => {
  const site = await siteContent(locale)
  return site.registrationOpen ? <RegisterForm terms={<Terms />} /> : <Closed />
}

const page = authPage({
  path: '/auth/register',
  title: 'registerTitle',
  description: 'registerMeta',
  blankSign: true,
  after: { question: 'haveAccount', way: 'loginTitle', href: '/auth/login' },
  body: (locale) => <Registration locale={locale} />,
})

export const { generateMetadata } = page
export default page.Page
