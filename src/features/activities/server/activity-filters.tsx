'use client'
import { Search, X } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { ACTIVITY_WAYS } from '#contracts/activity-ways.ts'
import { IMPERSONAL_ACTORS } from '#contracts/http/panel/server-activity.ts'
import type { ActivityPerson } from '#contracts/http/panel/server-activity.ts'
import { ACTIVITY_GROUPS, groupOfActivity } from '#domain/servers/activity-groups.ts'
import { formatDate } from '@/lib/format/date.ts'
import { GroupIcon } from '@/lib/servers/activity-icon.tsx'
import { Button } from '@/ui/controls/button.tsx'
import { Chip } from '@/ui/controls/chip.tsx'
import { Input } from '@/ui/controls/input.tsx'
import { KNOWN_TYPES } from '../activity-words.ts'
import { useActorWords } from './actor-mark.tsx'
import { firstOf, isFiltered, RANGES } from './filter-address.ts'
import type { ActivityChoice } from './filter-address.ts'

/** The groups that have an entry in this build. */
const OFFERED = ACTIVITY_GROUPS.filter((group) => KNOWN_TYPES.some((type) => groupOfActivity(type) === group))

/** The kinds of entries that a reader can have: the contract is the owner's. */
const Groups = ({ chosen, hasContract }: { chosen: ActivityChoice; hasContract: boolean }) => {
  const t = useTranslations('serverActivity.groups')
  const { choice, setGroup } = chosen
  const groups = OFFERED.filter((group) => group !== 'contract' || hasContract)
  return (
    <div className="act-groups" role="group" aria-label={t('label')} tabIndex={0}>
      <Chip pressed={choice.group === 'all'} onClick={() => setGroup('all')}>
        {t('all')}
      </Chip>
      {groups.map((group) => (
        <Chip
          key={group}
          pressed={choice.group === group}
          onClick={() => setGroup(choice.group === group ? 'all' : group)}
        >
          <GroupIcon group={group} />
          {t(group)}
        </Chip>
      ))}
    </div>
  )
}

const People = ({ chosen, people }: { chosen: ActivityChoice; people: readonly ActivityPerson[] }) => {
  const t = useTranslations('serverActivity')
  const words = useActorWords()
  const { choice, setWho } = chosen
  const actors = [...people.map((person) => ({ id: person.id, name: words(person) }))]
  const impersonal = IMPERSONAL_ACTORS.map((id) => ({ id, name: words(id) }))
  const all = [...actors.toSorted((a, b) => a.name.localeCompare(b.name)), ...impersonal]
  const isKnown = choice.who === '' || all.some(({ id }) => id === choice.who)
  return (
    <select
      className="select"
      aria-label={t('who')}
      value={choice.who}
      onChange={(event) => setWho(event.currentTarget.value)}
    >
      <option value="">{t('everyone')}</option>
      {isKnown ? null : <option value={choice.who}>{t('someone')}</option>}
      {all.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}

const Dates = ({ chosen }: { chosen: ActivityChoice }) => {
  const t = useTranslations('serverActivity')
  const { choice, timeZone, setFrom, setUntil } = chosen
  const locale = useLocale()
  const { day, atMs } = firstOf(choice.from, timeZone)
  return (
    <div className="act-dates">
      <label>
        <span className="small t2">{t('from')}</span>
        <input
          className="input"
          type="date"
          value={day}
          max={choice.until || undefined}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
      </label>
      {atMs === null ? null : (
        <Button size="s" onClick={() => setFrom(day)}>
          {t('fromTime', { time: formatDate(atMs, locale, { style: 'time', timeZone }) })}
          <X className="i i-s" aria-hidden />
          <span className="vh">{t('wholeDay')}</span>
        </Button>
      )}
      <label>
        <span className="small t2">{t('until')}</span>
        <input
          className="input"
          type="date"
          value={choice.until}
          min={day || undefined}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
      </label>
    </div>
  )
}

/** The filter of the log. It is kept in the address of the page. */
export const ActivityFilters = ({
  chosen,
  people,
  hasContract,
}: {
  chosen: ActivityChoice
  people: readonly ActivityPerson[]
  hasContract: boolean
}) => {
  const t = useTranslations('serverActivity')
  const ta = useTranslations('activities')
  const { choice, setText, setWay, setRange, clear } = chosen
  return (
    <search className="act-filters">
      <div className="act-fields">
        <Input
          type="search"
          label={t('search')}
          placeholder={t('searchHint')}
          icon={<Search className="i i-s" aria-hidden />}
          value={choice.text}
          maxLength={100}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <People chosen={chosen} people={people} />
        <select
          className="select"
          aria-label={t('way')}
          value={choice.way}
          onChange={(event) => setWay(event.currentTarget.value as typeof choice.way)}
        >
          <option value="any">{t('anyWay')}</option>
          {ACTIVITY_WAYS.map((way) => (
            <option key={way} value={way}>
              {ta(`ways.${way}`)}
            </option>
          ))}
        </select>
        <select
          className="select"
          aria-label={t('when')}
          value={choice.range}
          onChange={(event) => setRange(event.currentTarget.value as typeof choice.range)}
        >
          {RANGES.map((range) => (
            <option key={range} value={range}>
              {t(`ranges.${range}`)}
            </option>
          ))}
        </select>
      </div>
      {choice.range === 'own' ? <Dates chosen={chosen} /> : null}
      <div className="act-kinds">
        <Groups chosen={chosen} hasContract={hasContract} />
        {isFiltered(choice) ? (
          <Button size="s" look="quiet" onClick={clear}>
            <X className="i i-s" aria-hidden />
            {t('clear')}
          </Button>
        ) : null}
      </div>
    </search>
  )
}
