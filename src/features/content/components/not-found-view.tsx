import { getTranslations } from 'next-intl/server'
import type { Locale } from '@/i18n/locales.ts'
import { ButtonLink } from '@/ui/controls/button.tsx'
import { SiteBehaviour } from './site-behaviour.tsx'
import { SiteFrame } from './site-frame.tsx'

/** The 404 page: a house number where nobody lives, and two links. */
export const NotFoundView = async ({ locale }: { locale: Locale }) => {
  const words = await getTranslations({ locale, namespace: 'errorPage' })
  return (
    <>
      <SiteFrame locale={locale} path="/404" className="nf frame">
        <div className="sign nf__sign" aria-hidden="true">
          <div className="sign__in">
            <b>404</b>
          </div>
        </div>
        <div className="nf__t" data-status="404">
          <h1 className="h1">{words('notFoundTitle')}</h1>
          <p className="lead">
            {words('notFound')}. {words('notFoundText')}
          </p>
          <div className="btns">
            <ButtonLink look="primary" size="l" href="/">
              {words('backHome')}
            </ButtonLink>
            <ButtonLink size="l" href="/blog">
              {words('blog')}
            </ButtonLink>
          </div>
        </div>
      </SiteFrame>
      <SiteBehaviour />
    </>
  )
}
