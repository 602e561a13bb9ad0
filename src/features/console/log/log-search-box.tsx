'use client'
import clsx from 'clsx'
import { useLocale, useTranslations } from 'next-intl'
import type { KeyboardEvent, RefObject } from 'react'
import { formatCount } from '@/lib/format/money.ts'
import { IconButton } from '@/ui/controls/button.tsx'
import { Icon } from '@/ui/signs/icon.tsx'
import { Input } from '@/ui/controls/input.tsx'
import type { LogSearch } from './use-log-search.ts'

const Count = ({ search }: { search: LogSearch }) => {
  const t = useTranslations('console.find')
  const locale = useLocale()
  if (search.invalid) return t('invalid')
  const values = { place: formatCount(search.place, locale), count: formatCount(search.count, locale) }
  if (search.count === 0) return t(search.partial ? 'tooSlow' : 'none')
  return search.place > 0 ? t('place', values) : t('count', { ...values, number: search.count })
}

type LogSearchBoxProps = {
  search: LogSearch
  input: RefObject<HTMLInputElement | null>
  onLeave: () => void
}

/** Enter and Shift+Enter go through the hits; Escape leaves. The browser's own find is not affected. */
export const LogSearchBox = ({ search, input, onLeave }: LogSearchBoxProps) => {
  const t = useTranslations('console')
  const isUsed = search.text !== ''
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      search.step(event.shiftKey ? 1 : -1)
    }
    if (event.key === 'Escape') {
      event.preventDefault()
      search.setText('')
      onLeave()
    }
  }
  return (
    <div className="find" role="search">
      {isUsed ? (
        <span className={clsx('find-count small tnum', search.invalid && 'find-bad')} role="status">
          <Count search={search} />
        </span>
      ) : null}
      <Input
        ref={input}
        small
        type="search"
        label={t('search')}
        placeholder={t('searchHint')}
        icon={<Icon name="search" size={16} className="i i-s" />}
        aria-keyshortcuts="/"
        aria-invalid={search.invalid}
        value={search.text}
        onChange={(event) => search.setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <button
        type="button"
        className="chip chip-s find-regex"
        aria-pressed={search.isRegex}
        aria-label={t('find.regex')}
        title={t('find.regex')}
        onClick={() => search.setRegex(!search.isRegex)}
      >
        .*
      </button>
      {isUsed ? (
        <>
          <IconButton
            small
            label={t('find.previous')}
            icon={<Icon name="down" className="turned" />}
            onClick={() => search.step(-1)}
          />
          <IconButton small label={t('find.next')} icon={<Icon name="down" />} onClick={() => search.step(1)} />
        </>
      ) : null}
    </div>
  )
}
