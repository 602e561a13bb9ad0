'use client'
import { useTranslations } from 'next-intl'
import type { CSSProperties } from 'react'
import type { SharingRoom } from '#contracts/http/panel/collaborators.ts'
import { buttonClass } from '@/ui/controls/button.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'

/** How many places are taken; a full server says what makes room. */
export const RoomMeter = ({ room, isOwner }: { room: SharingRoom; isOwner: boolean }) => {
  const t = useTranslations('collaborators.room')
  const tt = useTranslations('premium.tiers')
  const { limit, used, next } = room
  const isFull = used >= limit
  const places = Array.from({ length: Math.max(limit, used) }, (_, at) => at)
  return (
    <>
      <div className="room">
        <span className="room-bar" style={{ '--places': places.length } as CSSProperties} aria-hidden>
          {places.map((at) => (
            <span key={at} className={at >= limit ? 'over' : at < used ? 'taken' : undefined} />
          ))}
        </span>
        <span className="small t2">{t('taken', { used, limit })}</span>
      </div>
      {isFull ? (
        <Notice
          tone="wait"
          className="room-note"
          action={
            isOwner && next !== null ? (
              <PageLink className={buttonClass({ size: 's' })} href="/dashboard/premium">
                {t('toPremium')}
              </PageLink>
            ) : undefined
          }
        >
          {used > limit ? t('above', { used, limit }) : t('full', { limit })}
          {isOwner && next !== null ? ` ${t('premium', { tier: tt(next.tier), limit: next.limit })}` : null}
        </Notice>
      ) : null}
    </>
  )
}
