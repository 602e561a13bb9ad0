'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Laptop, MonitorSmartphone, Smartphone, Tablet } from 'lucide-react'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { Device, SessionEntry } from '#contracts/http/session.ts'
import { Nothing } from '#contracts/primitives.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { sessionsQuery } from '@/lib/queries/people-queries.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { formatDate } from '@/lib/format/date.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { Lamp } from '@/ui/signs/lamp.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'

const drawings = { desktop: Laptop, phone: Smartphone, tablet: Tablet, other: MonitorSmartphone } as const

const useDeviceName = () => {
  const t = useTranslations('sessions')
  return ({ browser, system }: Device): string => {
    if (browser !== '' && system !== '') return t('named', { browser, system })
    return browser || system || t('unknown')
  }
}

const Row = ({ session }: { session: SessionEntry }) => {
  const t = useTranslations('sessions')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const client = useQueryClient()
  const failureText = useFailureText()
  const name = useDeviceName()(session.device)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const Drawing = drawings[session.device.kind]
  const end = async () => {
    setBusy(true)
    setFailure(null)
    try {
      await api.call(`/api/user/sessions/${encodeURIComponent(session.id)}/end`, { method: 'POST', schema: Nothing })
    } catch (error) {
      setFailure(error)
    }
    await client.invalidateQueries({ queryKey: sessionsQuery().queryKey })
    setBusy(false)
  }
  const used = formatDate(session.lastUsedAt, locale, { style: 'stamp', timeZone })
  return (
    <li className="session">
      <Drawing className="i" aria-hidden />
      <div className="session-what">
        <p>
          <b>{name}</b> {session.isCurrent ? <Lamp kind="healthy">{t('thisDevice')}</Lamp> : null}
        </p>
        <p className="t2">
          {[session.ipAddress, session.place].filter(Boolean).join(' · ')} · {t('lastUsed', { time: used })}
        </p>
        {failure === null ? null : <Notice tone="stop">{failureText(failure)}</Notice>}
      </div>
      {session.isCurrent ? null : (
        <Button size="s" busy={isBusy} aria-label={t('endNamed', { name })} onClick={() => void end()}>
          {t('end')}
        </Button>
      )}
    </li>
  )
}

const Everywhere = () => {
  const t = useTranslations('sessions')
  const tc = useTranslations('common')
  const failureText = useFailureText()
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const end = async () => {
    setBusy(true)
    setFailure(null)
    try {
      await api.call('/api/auth/logout', { method: 'POST', body: { all: true }, schema: Nothing })
      window.location.assign('/auth/login')
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }
  return (
    <>
      <div>
        <Button look="danger" onClick={() => setOpen(true)}>
          {t('endAll')}
        </Button>
      </div>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={t('endAll')}
        closeLabel={tc('close')}
        actions={
          <>
            <Button onClick={() => setOpen(false)}>{tc('cancel')}</Button>
            <Button look="danger" busy={isBusy} onClick={() => void end()}>
              {t('endAllSubmit')}
            </Button>
          </>
        }
      >
        <p>{t('endAllText')}</p>
        {failure === null ? null : (
          <Notice tone="stop" role="alert">
            {failureText(failure)}
          </Notice>
        )}
      </Dialog>
    </>
  )
}

/** The account's sessions; each can be signed out from here. */
export const SessionsPanel = () => {
  const t = useTranslations('sessions')
  const common = useTranslations('common')
  const query = useQuery(sessionsQuery())
  return (
    <Panel title={t('title')}>
      <Region query={query} skeleton={<SkeletonRows rows={3} label={common('loading')} />} failed={t('failed')}>
        {(sessions) => (
          <div className="stack-24">
            <p className="t2">{t('text')}</p>
            <ul className="sessions">
              {sessions.map((session) => (
                <Row key={session.id} session={session} />
              ))}
            </ul>
            <Everywhere />
          </div>
        )}
      </Region>
    </Panel>
  )
}
