'use client'
import { Eye } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect, useRef } from 'react'
import { seeing } from '@/lib/seeing/seeing.ts'
import type { Seeing } from '@/lib/seeing/seeing.ts'
import { useSeeing } from '@/lib/servers/use-seeing.ts'
import { Button } from '@/ui/controls/button.tsx'
import { askToLeave } from '@/ui/screen/leave-guard.ts'

const Banner = ({ seen }: { seen: Seeing }) => {
  const t = useTranslations('panel.seeing')
  const router = useRouter()
  const ref = useRef<HTMLElement>(null)
  // The button that was pressed is gone with the panel that it was in.
  useEffect(() => ref.current?.focus(), [])
  const stop = () => {
    router.push(`/panel/${seen.serverId}/users`)
    seeing.stop()
    requestAnimationFrame(() => document.querySelector<HTMLElement>('#content')?.focus())
  }
  return (
    <section className="seeing" aria-label={t('label')} ref={ref} tabIndex={-1}>
      <Eye className="i" aria-hidden />
      <p className="grow">
        <b>{t('title', { name: seen.name })}</b> <span className="seeing-text">{t('text')}</span>
      </p>
      <Button size="s" onClick={() => askToLeave(stop)}>
        {t('stop')}
      </Button>
    </section>
  )
}

/** Above every page of the panel while the reader looks at it as a collaborator: as whom, and the way back. */
export const SeeingBanner = () => {
  const seen = useSeeing()
  return seen === null ? null : <Banner key={seen.id} seen={seen} />
}
