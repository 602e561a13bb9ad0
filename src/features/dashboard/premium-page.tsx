import { getTranslations } from 'next-intl/server'
import type { Locale } from '@/i18n/locales.ts'
import { PageLink } from '@/ui/page-link.tsx'
import { buttonClass } from '@/ui/button.tsx'
import { EmptyState } from '@/ui/states.tsx'

/** Premium is not on sale: the page says so, and that nothing is charged. */
export const PremiumPage = async ({ locale }: { locale: Locale }) => {
  const t = await getTranslations({ locale, namespace: 'dashboard.premium' })
  return (
    <div className="page">
      <header className="page-h">
        <h1>{t('title')}</h1>
      </header>
      <EmptyState
        title={t('emptyTitle')}
        action={
          <PageLink className={buttonClass({})} href="/dashboard/services/game">
            {t('toServices')}
          </PageLink>
        }
      >
        {t('empty')}
      </EmptyState>
    </div>
  )
}
