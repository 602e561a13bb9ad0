import type { Metadata } from 'next'
import { getLocale, getTranslations } from 'next-intl/server'
import '@/ui/site-frame.css'
import { SiteBehaviour } from '@/features/content/components/site-behaviour.tsx'
import { SiteFrame } from '@/features/content/components/site-frame.tsx'
import { ButtonLink } from '@/ui/button.tsx'

export const metadata: Metadata = { title: '404', robots: { index: false } }

const NotFoundPage = async () => {
  const locale = await getLocale()
  const words = await getTranslations('errorPage')
  return (
    <>
      <SiteFrame locale={locale} path="/404" className="nf frame">
        <div className="sign nf__sign" aria-hidden="true">
          <div className="sign__in">
            <b>404</b>
          </div>
        </div>
        <div className="nf__t">
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

export default NotFoundPage
