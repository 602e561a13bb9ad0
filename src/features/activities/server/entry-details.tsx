'use client'
import { Lock } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import type { Server } from '#contracts/http/server.ts'
import type { ServerActivity, ServerNote } from '#contracts/http/panel/server-activity.ts'
import { isPermission } from '#contracts/panel/permissions.ts'
import { KNOWN_ERRORS } from '#domain/known-errors/rules.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { noteWords } from '@/lib/servers/note-words.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { placeOfEntry } from './entry-place.ts'

const NAMED_NEEDS = [
  'owner',
  'console.read',
  'file.list',
  'backup.list',
  'database.list',
  'timer.view',
  'allocation.view',
  'startup.view',
  'user.list',
] as const

const Missing = ({ missing }: { missing: NonNullable<ServerActivity['missing']> }) => {
  const t = useTranslations('serverActivity.missing')
  const need = NAMED_NEEDS.find((key) => key === missing)
  return (
    <span className="act-missing t2">
      <Lock className="i i-s" aria-hidden />
      {need === undefined ? t('other') : t(need.replace('.', '-') as 'file-list')}
    </span>
  )
}

const given = (params: ServerNote['params']): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  )

/** Its detail is the permission that was missing. */
const DENIED = 'server:sftp.denied'

/** The text of an entry: most are a path or a command, some a number or a note of the node. */
const useDetailText = () => {
  const t = useTranslations('serverActivity')
  const tn = useTranslations('console.notes')
  const tk = useTranslations('collaborators.keys')
  return ({ type, detail, facts: { notes = [] } }: ServerActivity): string => {
    const said = notes.map((note) => noteWords(tn, { code: note.code, params: given(note.params) }))
    // A note of a newer node has no words here: then the English sentences stand for all of them.
    if (notes.length > 0) return said.includes(undefined) ? detail : said.join(' ')
    if (type === DENIED && isPermission(detail)) return tk(detail)
    if (!type.endsWith('.empty-bin')) return detail
    return detail === '*' ? t('binAll') : t('binSome', { count: Number(detail) || 1 })
  }
}

/** The title of the known error before a crash; undefined for one of a newer system. */
const useErrorTitle = ({ error, staffError }: ServerActivity['facts']): string | undefined => {
  const known = useTranslations('console.known')
  const locale = useLocale()
  const id = KNOWN_ERRORS.find((rule) => rule.id === error)?.id
  return id === undefined ? staffError?.[locale] : known(`title.${id}`)
}

const Facts = ({ facts }: Pick<ServerActivity, 'facts'>) => {
  const t = useTranslations('serverActivity.facts')
  const locale = useLocale()
  const title = useErrorTitle(facts)
  const { before, after, reason, months, chargeFt, backFt, monthlyFt } = facts
  const amounts = [
    chargeFt === undefined ? '' : t('charge', { amount: formatMoney(chargeFt, locale) }),
    backFt === undefined ? '' : t('back', { amount: formatMoney(backFt, locale) }),
    monthlyFt === undefined ? '' : t('monthly', { amount: formatMoney(monthlyFt, locale) }),
    months === undefined ? '' : t('months', { count: months }),
  ].filter(Boolean)
  return (
    <>
      {before === undefined && after === undefined ? null : (
        <span className="act-change">
          <del>{before ?? t('nothing')}</del>
          <span className="vh"> {t('became')} </span>
          <span aria-hidden="true"> → </span>
          <ins>{after ?? t('nothing')}</ins>
        </span>
      )}
      {amounts.length === 0 ? null : <span>{amounts.join(' · ')}</span>}
      {reason === undefined ? null : <span>{t('reason', { reason })}</span>}
      {title === undefined ? null : <span>{t('known', { title })}</span>}
    </>
  )
}

/** The details of an entry, as a link where the panel has a page for them. */
export const EntryDetails = ({ entry, server }: { entry: ServerActivity; server: Server }) => {
  const text = useDetailText()(entry)
  if (entry.missing !== null) return <Missing missing={entry.missing} />
  const place = placeOfEntry(server.id, entry, server.permissions)
  const isText = entry.type !== DENIED && /^server:(?:console|file|sftp)\./.test(entry.type)
  return (
    <>
      {text === '' ? null : place === null ? (
        <span className={isText ? 'act-text mono' : 'act-text'}>{text}</span>
      ) : (
        <PageLink className={isText ? 'act-text mono link' : 'act-text link'} href={place} prefetch={false}>
          {text}
        </PageLink>
      )}
      <Facts facts={entry.facts} />
    </>
  )
}
