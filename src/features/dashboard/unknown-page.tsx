'use client'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { Drawing } from '@/lib/pictures/picture.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { screenTimes } from '@/ui/screen/screen-times.ts'
import { buttonClass } from '@/ui/controls/button.tsx'
import { EmptyState } from '@/ui/surfaces/states.tsx'

const home = '/dashboard/summary'

/** An unknown address of the dashboard: its status is 404, it says so and redirects to the summary, unless the reader moved the focus. */
export const UnknownPage = () => {
  const t = useTranslations('dashboard.unknown')
  const router = useRouter()
  useEffect(() => {
    const timer = window.setTimeout(() => router.push(home), screenTimes.leaveUnknownAfterMs)
    const stay = () => window.clearTimeout(timer)
    document.addEventListener('focusin', stay)
    return () => {
      stay()
      document.removeEventListener('focusin', stay)
    }
  }, [router])
  return (
    <div className="page" data-status="404">
      <header className="page-h">
        <h1>{t('title')}</h1>
      </header>
      <EmptyState
        picture={<Drawing group="empty" name="nothing-found" width={320} />}
        action={
          <PageLink className={buttonClass({ look: 'primary' })} href={home}>
            {t('home')}
          </PageLink>
        }
      >
        {t('text')}
      </EmptyState>
    </div>
  )
}
