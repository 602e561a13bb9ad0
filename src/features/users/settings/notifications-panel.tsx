'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useId } from 'react'
import type { NotificationSettings } from '#contracts/http/notification-settings.ts'
import { MATRIX_KEYS, matrixKeysOf } from '#domain/notifications/matrix.ts'
import type { MatrixKey } from '#domain/notifications/matrix.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { meQuery } from '@/lib/queries/queries.ts'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { notificationSettingsQuery, useMatrixChange } from './notification-queries.ts'
import { PushPart } from './push-part.tsx'

type Way = 'mail' | 'push'
type CellProps = { label: string; checked: boolean; disabled?: boolean; note?: string; onChange: (on: boolean) => void }

const Cell = ({ label, checked, disabled = false, note, onChange }: CellProps) => (
  <td>
    <label className="check check-bare">
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        disabled={disabled}
        {...(note === undefined ? {} : { 'aria-describedby': note })}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </label>
  </td>
)

const Matrix = ({ settings }: { settings: NotificationSettings }) => {
  const t = useTranslations('settings.notifications')
  const titles = useTranslations('dashboard.bell.titles')
  const failureText = useFailureText()
  const note = useId()
  const change = useMatrixChange()
  const me = useQuery(meQuery()).data
  const isStaff = me?.role.some(({ isAdmin, isSupport }) => isAdmin === 1 || isSupport === 1) ?? false
  const matrix = change.draft ?? settings.matrix
  const hasBrowser = settings.push.browsers > 0
  const set = (key: MatrixKey, way: Way) => (on: boolean) =>
    change.choose({ ...matrix, [key]: { ...matrix[key], [way]: on } })
  return (
    <div className="stack">
      <table className="t matrix">
        <caption className="vh">{t('caption')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('what')}</th>
            <th scope="col">{t('bell')}</th>
            <th scope="col">{t('mail')}</th>
            <th scope="col">{t('pushColumn')}</th>
          </tr>
        </thead>
        <tbody>
          {matrixKeysOf({ isStaff }).map((key) => {
            const title = titles(key, { purchase: '', again: '', count: 2 })
            return (
              <tr key={key}>
                <th scope="row">{title}</th>
                <td>
                  <span className="t2">{t('always')}</span>
                </td>
                <Cell
                  label={t('cell', { what: title, way: t('mail') })}
                  checked={matrix[key].mail}
                  onChange={set(key, 'mail')}
                />
                <Cell
                  label={t('cell', { what: title, way: t('pushColumn') })}
                  checked={matrix[key].push}
                  disabled={!hasBrowser}
                  {...(hasBrowser ? {} : { note })}
                  onChange={set(key, 'push')}
                />
              </tr>
            )
          })}
        </tbody>
      </table>
      {hasBrowser ? null : (
        <p className="t2 small" id={note}>
          {t('noBrowser')}
        </p>
      )}
      <p className="small t2" role="status">
        {change.isPending ? t('saving') : change.isSuccess ? t('saved') : ''}
      </p>
      {change.isError ? (
        <Notice tone="stop" role="alert">
          {failureText(change.error)}
        </Notice>
      ) : null}
    </div>
  )
}

/** Shown, locked, until the choices are known. */
const NOTHING_CHOSEN: NotificationSettings = {
  matrix: Object.fromEntries(
    MATRIX_KEYS.map((key) => [key, { mail: false, push: false }]),
  ) as NotificationSettings['matrix'],
  push: { publicKey: '', isHere: false, browsers: 0 },
}

const Choices = ({ settings, isBlank = false }: { settings: NotificationSettings; isBlank?: boolean }) => {
  const t = useTranslations('settings.notifications')
  return (
    <div className="stack-24" inert={isBlank}>
      <p className="t2">{t('text')}</p>
      <Matrix settings={settings} />
      {isBlank ? null : <PushPart push={settings.push} />}
      <p className="t2">{t('security')}</p>
    </div>
  )
}

/** The notifications that are also sent by mail and push; the bell shows all of them. */
export const NotificationsPanel = () => {
  const t = useTranslations('settings.notifications')
  const query = useQuery(notificationSettingsQuery())
  return (
    <Panel title={t('title')}>
      {query.data === undefined && !query.isError ? (
        <Choices settings={NOTHING_CHOSEN} isBlank />
      ) : (
        <Region query={query} skeleton={null} failed={t('failed')}>
          {(settings) => <Choices settings={settings} />}
        </Region>
      )}
    </Panel>
  )
}
