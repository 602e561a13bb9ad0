import type { Metadata } from 'next'
import { getTranslations, setRequestLocale } from 'next-intl/server'
import { AuthBar } from '@/features/content/components/auth-bar.tsx'
import { pageMetadata } from '@/features/content/page-metadata.ts'
import { AuthFrame } from '@/features/users/components/auth-frame.tsx'
import { Logout } from '@/features/users/components/logout.tsx'
import type { Locale } from '@/i18n/locales.ts'

export const revalidate = 3600

type Props = { params: Promise<{ locale: Locale }> }
const path = '/auth/logout'

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { locale } = await params
  const words = await getTranslations({ locale, namespace: 'auth' })
  return pageMetadata({ locale, path, title: words('logoutTitle'), description: words('logoutText'), hidden: true })
}

const LogoutPage = async ({ params }: Props) => {
  const { locale } = await params
  setRequestLocale(locale)
  const words = await getTranslations('auth')
  return (
    <AuthFrame
      locale={locale}
      bar={<AuthBar locale={locale} path={path} />}
      title={words('logoutTitle')}
      sign={{ big: words('signBig'), text: words('signText') }}
    >
      <Logout />
    </AuthFrame>
  )
}

export default LogoutPage
