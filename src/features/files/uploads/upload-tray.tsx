'use client'
import { Pause, Play } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import type { CSSProperties } from 'react'
import { nameOf } from '#contracts/panel/file-path.ts'
import { bytesText } from '@/lib/format/size.ts'
import { Button, IconButton } from '@/ui/controls/button.tsx'
import { Icon } from '@/ui/signs/icon.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { useTroubleText } from '../trouble-text.ts'
import { useRate } from '../jobs/use-rate.ts'
import { totalsOf } from './upload-queue.ts'
import type { Policy, Upload, UploadQueue } from './upload-queue.ts'

const POLICIES = ['skip', 'replace', 'keep both'] as const
const POLICY_WORDS: Readonly<Record<Policy, 'skip' | 'replace' | 'keep'>> = {
  skip: 'skip',
  replace: 'replace',
  'keep both': 'keep',
}
const SHOWN_FAILURES = 4
const SHOWN_ON_THE_WAY = 6

const Failures = ({ list }: { list: readonly Upload[] }) => {
  const troubleText = useTroubleText()
  const failed = list.filter(({ state }) => state === 'failed')
  return (
    <ul className="tray-failed">
      {failed.slice(0, SHOWN_FAILURES).map(({ id, path, failure }) => (
        <li key={id} className="small">
          <b className="cut">{nameOf(path)}</b> {troubleText(failure, nameOf(path))}
        </li>
      ))}
    </ul>
  )
}

const isOnTheWay = ({ state }: Upload): boolean => state === 'waiting' || state === 'sending' || state === 'paused'

type PauseProps = { readonly isPaused: boolean; readonly label: string; readonly onClick: () => void }

const PauseButton = ({ isPaused, label, onClick }: PauseProps) => {
  const Drawing = isPaused ? Play : Pause
  return <IconButton small label={label} icon={<Drawing className="i" aria-hidden />} onClick={onClick} />
}

/** Each file that is not there yet, the ones that move first. */
const OnTheWay = ({ queue, list }: { queue: UploadQueue; list: readonly Upload[] }) => {
  const t = useTranslations('files.uploads')
  const locale = useLocale()
  const order = ['sending', 'paused', 'waiting']
  const open = list.filter(isOnTheWay).sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
  const more = open.length - SHOWN_ON_THE_WAY
  return (
    <>
      <ul className="tray-files" aria-label={t('files')}>
        {open.slice(0, SHOWN_ON_THE_WAY).map(({ id, path, size, sent, state }) => (
          <li key={id}>
            <span className="cut" title={path}>
              {nameOf(path)}
            </span>
            <span className="t2 nw small">
              {state === 'paused' ? t('isPaused') : `${bytesText(sent, locale)} / ${bytesText(size, locale)}`}
            </span>
            <PauseButton
              isPaused={state === 'paused'}
              label={t(state === 'paused' ? 'resumeOne' : 'pauseOne', { name: nameOf(path) })}
              onClick={() => (state === 'paused' ? queue.resume(id) : queue.pause(id))}
            />
          </li>
        ))}
      </ul>
      {more > 0 ? <span className="small t2">{t('more', { count: more })}</span> : null}
    </>
  )
}

const ClashDialog = ({ queue, list }: { queue: UploadQueue; list: readonly Upload[] }) => {
  const t = useTranslations('files.uploads')
  const tc = useTranslations('common')
  const taken = list.filter(({ state }) => state === 'taken')
  return (
    <Dialog
      open={queue.isAsking}
      onClose={() => {
        // Closing decides the way that changes nothing.
        if (queue.isAsking) queue.decide('skip')
      }}
      title={t('clash', { count: taken.length })}
      closeLabel={tc('close')}
      actions={POLICIES.map((policy) => (
        <Button
          key={policy}
          {...(policy === 'keep both' ? { look: 'primary' } : {})}
          onClick={() => queue.decide(policy)}
        >
          {t(POLICY_WORDS[policy])}
        </Button>
      ))}
    >
      <p>{t('clashText', { name: nameOf(taken[0]?.path ?? ''), count: taken.length })}</p>
    </Dialog>
  )
}

/** The uploads that are on their way, with their progress, their rate and what is left. */
export const UploadTray = ({ queue, list }: { queue: UploadQueue; list: readonly Upload[] }) => {
  const t = useTranslations('files.uploads')
  const locale = useLocale()
  const totals = totalsOf(list)
  const rate = useRate(totals.sent)
  if (list.length === 0) return null
  const share = totals.bytes === 0 ? totals.settled / totals.all : totals.sent / totals.bytes
  const isOver = totals.settled + totals.failed === totals.all
  const open = list.filter(isOnTheWay)
  // The act on uploads that can still be paused comes first: the button resumes once nothing moves.
  const isPaused = open.length > 0 && open.every(({ state }) => state === 'paused')
  const isMoving = !isOver && !queue.isInterrupted && !isPaused
  const seconds = rate === null || rate <= 0 ? null : Math.ceil((totals.bytes - totals.sent) / rate)
  const title = isOver
    ? t('over', { done: totals.settled, failed: totals.failed })
    : t('running', { done: totals.settled, all: totals.all })
  return (
    <div className="ftray">
      <div className="row">
        <span className="grow cut" role="status">
          {isOver || totals.all > 1 ? title : nameOf(list[0]?.path ?? '')}
        </span>
        <span className="t2 nw small">
          {bytesText(totals.sent, locale)} / {bytesText(totals.bytes, locale)}
          {!isMoving || rate === null ? null : ` · ${t('rate', { rate: bytesText(rate, locale) })}`}
          {!isMoving || seconds === null ? null : ` · ${t('left', { seconds })}`}
        </span>
        {open.length === 0 ? null : (
          <PauseButton
            isPaused={isPaused}
            label={t(isPaused ? 'resume' : 'pause')}
            onClick={() => (isPaused ? queue.resume() : queue.pause())}
          />
        )}
        <IconButton
          small
          label={isOver ? t('close') : t('cancel')}
          icon={<Icon name="close" />}
          onClick={() => queue.clear()}
        />
      </div>
      <span className="meter meter-live" style={{ '--v': Math.min(1, share) } as CSSProperties} aria-hidden>
        <i />
      </span>
      {isPaused || queue.isInterrupted ? (
        <p className="small" role="status">
          {t(isPaused ? 'paused' : 'interrupted')}
        </p>
      ) : null}
      {totals.all > 1 && open.length > 0 ? <OnTheWay queue={queue} list={list} /> : null}
      {totals.failed > 0 ? (
        <>
          <Failures list={list} />
          <Button size="s" onClick={() => queue.retry()}>
            {t('retry')}
          </Button>
        </>
      ) : null}
      <ClashDialog queue={queue} list={list} />
    </div>
  )
}
