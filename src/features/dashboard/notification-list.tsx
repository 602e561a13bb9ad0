'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import clsx from 'clsx'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useEffect, useId, useState } from 'react'
import type { Notification } from '#contracts/http/notification.ts'
import type { Server } from '#contracts/http/server.ts'
import { markNotificationsRead } from '@/lib/queries/mark-notifications.ts'
import { unreadOf } from '@/lib/queries/notice-store.ts'
import { notificationsQuery, serversQuery } from '@/lib/queries/queries.ts'
import { formatDate } from '@/lib/format/date.ts'
import { KNOWN_ERRORS } from '#domain/known-errors/rules.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { plateText } from '@/lib/format/plate-text.ts'
import { LampGlyph } from '@/ui/signs/lamp.tsx'
import { Plate } from '@/ui/signs/plate.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { EmptyState, SkeletonRows } from '@/ui/surfaces/states.tsx'
import { byDay, noticeViewOf } from './notice-view.ts'

const nothing: readonly Notification[] = []

/**
 * Opening the list marks unread notifications as read on the server, also those that arrive while it is open. Returns
 * the ids that were unread when first shown here, which keep their dot until the list is closed.
 */
const useReadOnOpen = (notices: readonly Notification[]): ReadonlySet<string> => {
  const client = useQueryClient()
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set())
  const unread = unreadOf(notices).map(({ id }) => id)
  const newest = unread[0]
  const appeared = unread.filter((id) => !fresh.has(id))
  if (appeared.length > 0) setFresh(new Set([...fresh, ...appeared]))
  useEffect(() => {
    if (newest !== undefined) void markNotificationsRead(client, newest)
  }, [client, newest])
  return fresh
}

type RowProps = {
  notice: Notification
  servers: readonly Server[]
  isNew: boolean
  isToday: boolean
  onLeave: () => void
}

const Row = ({ notice, servers, isNew, isToday, onLeave }: RowProps) => {
  const t = useTranslations('dashboard.bell')
  const words = useTranslations('notifications')
  const known = useTranslations('console.known')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const { name, server, link, lamp } = noticeViewOf(notice, servers)
  const { product = name, amount, debt, isTest, days = 0, reason = '', purchase = 'order' } = notice.data
  const { person = '', title = '', merged = '', count = 1 } = notice.data
  const again = notice.data.again === true ? 'yes' : 'no'
  // A newer system may know more errors than this page.
  const id = KNOWN_ERRORS.find((rule) => rule.id === notice.data.error)?.id
  const error = id === undefined ? notice.data.staffError?.[locale] : known(`title.${id}`)
  const inside = (
    <>
      <span className="nt-ic">
        <LampGlyph kind={lamp} />
      </span>
      <b>{t(`titles.${notice.text}`, { purchase, again, count })}</b>
      <time dateTime={notice.createdAt}>
        {formatDate(notice.createdAt, locale, { style: isToday ? 'time' : 'day', timeZone })}
        {isNew ? <span className="vh">{t('new')}</span> : null}
      </time>
      <span className="nt-sub">
        {server ? <Plate size="xs">{plateText(server)}</Plate> : null}
        <span>
          {words(notice.text, {
            name,
            person,
            title,
            merged,
            product,
            purchase,
            reason,
            days,
            amount: amount === undefined ? '' : formatMoney(amount, locale),
            owes: debt === undefined ? 'no' : 'yes',
            test: isTest === true ? 'yes' : 'no',
            debt: debt === undefined ? '' : formatMoney(debt, locale),
            again,
            known: error === undefined ? 'no' : 'yes',
            error: error ?? '',
            count,
            rates: notice.data.rates === true ? 'yes' : 'no',
          })}
        </span>
      </span>
    </>
  )
  return (
    <li className={clsx(isNew && 'nt-new')}>
      {link === null ? (
        <div className="nt-row">{inside}</div>
      ) : (
        <PageLink className="nt-row" href={link} onClick={onLeave}>
          {inside}
        </PageLink>
      )}
    </li>
  )
}

type GroupProps = Omit<RowProps, 'notice' | 'isNew'> & {
  title: string
  notices: readonly Notification[]
  fresh: ReadonlySet<string>
}

const Group = ({ title, notices, fresh, ...row }: GroupProps) => {
  const id = useId()
  if (notices.length === 0) return null
  return (
    <>
      <p className="nt-d" id={id}>
        {title}
      </p>
      <ul aria-labelledby={id}>
        {notices.map((notice) => (
          <Row key={notice.id} notice={notice} isNew={fresh.has(notice.id)} {...row} />
        ))}
      </ul>
    </>
  )
}

type GroupsProps = Pick<GroupProps, 'notices' | 'fresh' | 'onLeave'>

const Groups = ({ notices, ...row }: GroupsProps) => {
  const t = useTranslations('dashboard.bell')
  const servers = useQuery(serversQuery()).data ?? []
  const { today, earlier } = byDay(notices, new Date(), useTimeZone())
  if (notices.length === 0) return <EmptyState title={t('emptyTitle')}>{t('empty')}</EmptyState>
  return (
    <div className="nt-l" tabIndex={0} role="region" aria-label={t('list')}>
      <Group title={t('today')} notices={today} servers={servers} isToday {...row} />
      <Group title={t('earlier')} notices={earlier} servers={servers} isToday={false} {...row} />
    </div>
  )
}

/** The bell's list: newest first, today's separate, with links to all events and to the notification settings. */
export const NotificationList = ({ onLeave }: { onLeave: () => void }) => {
  const t = useTranslations('dashboard.bell')
  const tc = useTranslations('common')
  const query = useQuery(notificationsQuery())
  const fresh = useReadOnOpen(query.data ?? nothing)
  return (
    <>
      <div className="nt-h">
        <b className="b grow">{t('label')}</b>
        {fresh.size > 0 ? <span className="small t2">{t('newCount', { count: fresh.size })}</span> : null}
      </div>
      <Region query={query} skeleton={<SkeletonRows label={tc('loading')} rows={4} />} failed={t('failed')}>
        {(notices) => <Groups notices={notices} fresh={fresh} onLeave={onLeave} />}
      </Region>
      <p className="nt-f">
        <PageLink className="link" href="/dashboard/activities" onClick={onLeave}>
          {t('allActivities')}
        </PageLink>
        <PageLink className="link" href="/dashboard/settings/notifications" onClick={onLeave}>
          {t('toSettings')}
        </PageLink>
      </p>
    </>
  )
}
