'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useEffect, useId, useRef, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import type { ShownVoting } from '#contracts/summary/voting.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatCount } from '@/lib/format/money.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Radio } from '@/ui/controls/choice.tsx'
import { LampGlyph } from '@/ui/signs/lamp.tsx'
import { Panel, type PanelTools } from '@/ui/surfaces/panel.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'
import { useVote } from './use-vote.ts'
import { votingQuery } from './voting-query.ts'
import { VotingResults } from './voting-results.tsx'

const Problem = ({ children }: { children: string | null }) => (
  <div role="alert">
    {children === null ? null : (
      <p className="field__err">
        <LampGlyph kind="crash" />
        <span>{children}</span>
      </p>
    )}
  </div>
)

type ChoiceProps = {
  readonly voting: ShownVoting
  readonly isPending: boolean
  readonly onVote: (option: string | null) => void
  readonly problem: string | null
  /** Undefined before the first vote: there is no result to return to. */
  readonly onCancel: (() => void) | undefined
  readonly total: ReactNode
}

/** The options as a group of radio buttons: arrow keys choose, and nothing is sent before the button. */
const Choice = ({ voting, isPending, onVote, problem, onCancel, total }: ChoiceProps) => {
  const t = useTranslations('summary.voting')
  const tc = useTranslations('common')
  const name = useId()
  const [chosen, setChosen] = useState(voting.ownOption)
  const isThere = voting.options.some(({ id }) => id === chosen)
  const form = useRef<HTMLFormElement>(null)
  const isChanging = onCancel !== undefined
  useEffect(() => {
    // Readers who press "Change my vote" continue at the options, because its button is gone.
    if (isChanging) form.current?.querySelector<HTMLElement>('input:checked')?.focus()
  }, [isChanging])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onVote(isThere ? chosen : null)
    if (!isThere) form.current?.querySelector('input')?.focus()
  }
  return (
    <form ref={form} onSubmit={submit} className="vote">
      <fieldset>
        <legend>{voting.question}</legend>
        {voting.options.map(({ id, text }) => (
          <Radio key={id} name={name} checked={id === chosen} onChange={() => setChosen(id)}>
            {text}
          </Radio>
        ))}
      </fieldset>
      <Problem>{problem}</Problem>
      <div className="row vote-end">
        <Button type="submit" size="s" busy={isPending}>
          {t('vote')}
        </Button>
        {onCancel === undefined ? null : (
          <Button size="s" look="quiet" onClick={onCancel}>
            {tc('cancel')}
          </Button>
        )}
        {total}
      </div>
    </form>
  )
}

const Total = ({ votes, state }: Pick<ShownVoting, 'votes' | 'state'>) => {
  const t = useTranslations('summary.voting')
  const locale = useLocale()
  const shown = formatCount(votes, locale)
  return <span className="small t2">{t(state === 'active' ? 'soFar' : 'total', { count: votes, shown })}</span>
}

const Voting = ({ voting }: { voting: ShownVoting }) => {
  const t = useTranslations('summary.voting')
  const [isChanging, setChanging] = useState(false)
  const [isCounted, setCounted] = useState(false)
  const result = useRef<HTMLDivElement>(null)
  const { vote, isPending, problem, forgetProblem } = useVote(voting, () => {
    setChanging(false)
    setCounted(true)
  })
  const isChoosing = voting.state === 'active' && (voting.ownOption === null || isChanging)
  useEffect(() => {
    // The button that was pressed is gone.
    if (isCounted && !isChoosing) result.current?.focus()
  }, [isCounted, isChoosing])
  const leave = (changing: boolean) => {
    forgetProblem()
    setChanging(changing)
    setCounted(!changing)
  }
  const total = <Total votes={voting.votes} state={voting.state} />
  if (isChoosing) {
    const onCancel = isChanging ? () => leave(false) : undefined
    return <Choice {...{ voting, isPending, problem, onCancel, total }} onVote={vote} />
  }
  return (
    <div ref={result} tabIndex={-1} className="vote" role="group" aria-label={voting.question}>
      <p className="vote-question">{voting.question}</p>
      <VotingResults options={voting.options} ownOption={voting.ownOption} />
      <Problem>{problem}</Problem>
      <div className="row vote-end">
        {voting.state === 'active' ? (
          <Button size="s" onClick={() => leave(true)}>
            {t('change')}
          </Button>
        ) : null}
        {total}
      </div>
    </div>
  )
}

const End = ({ voting: { state, endsAt } }: { voting: ShownVoting }) => {
  const t = useTranslations('summary.voting')
  const locale = useLocale()
  const timeZone = useTimeZone()
  if (endsAt === null) return null
  const date = formatDate(endsAt, locale, { style: state === 'active' ? 'stamp' : 'day', timeZone })
  return (
    <span className="small t2" suppressHydrationWarning>
      {t(state === 'active' ? 'until' : 'ended', { date })}
    </span>
  )
}

/** The voting that runs, or the result of the last one. The summary shows it only while there is one, or while that is unknown. */
export const VotingPanel = (tools: PanelTools) => {
  const t = useTranslations('summary')
  const query = useQuery(votingQuery(useLocale()))
  const voting = query.data?.voting
  return (
    <Panel {...tools} title={t('panels.names.voting')} {...(voting ? { end: <End voting={voting} /> } : {})}>
      <Region query={query} skeleton={<SkeletonRows rows={4} />} failed={t('voting.failed')}>
        {(data) => (data.voting === null ? null : <Voting key={data.voting.id} voting={data.voting} />)}
      </Region>
    </Panel>
  )
}
