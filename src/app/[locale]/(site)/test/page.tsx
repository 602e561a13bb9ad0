import type { Metadata } from 'next'
import { getTranslations, setRequestLocale } from 'next-intl/server'
import { pageMetadata } from '@/features/content/page-metadata.ts'
import { SiteFrame } from '@/features/content/components/site-frame.tsx'
import type { Locale } from '@/i18n/locales.ts'
import { Lamp } from '@/ui/signs/lamp.tsx'
import type { LampKind } from '@/ui/signs/lamp.tsx'

export const revalidate = 3600

type Props = { params: Promise<{ locale: Locale }> }
const path = '/test'

const lamps = [
  ['go', 'running'],
  ['healthy', 'stopped'],
  ['busy', 'starting'],
  ['stopping', 'stopping'],
  ['crash', 'crashed'],
  ['held', 'suspended'],
  ['away', 'maintenance'],
  ['off', 'stopped'],
] as const satisfies readonly (readonly [LampKind, string])[]

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { locale } = await params
  const words = await getTranslations({ locale, namespace: 'site' })
  return pageMetadata({ locale, path, title: words('testTitle'), description: words('testText'), hidden: true })
}

/** A page that needs only the site itself: it shows that the site responds, and every lamp of the design language. */
const TestPage = async ({ params }: Props) => {
  const { locale } = await params
  setRequestLocale(locale)
  const [words, status] = await Promise.all([getTranslations('site'), getTranslations('status')])
  return (
    <SiteFrame locale={locale} path={path} className="page frame">
      <h1 className="h1">{words('testTitle')}</h1>
      <p className="lead">{words('testText')}</p>
      <ul className="page__lamps">
        {lamps.map(([kind, word]) => (
          <li key={kind}>
            <Lamp kind={kind}>{status(word)}</Lamp>
          </li>
        ))}
      </ul>
    </SiteFrame>
  )
}

export default TestPage
