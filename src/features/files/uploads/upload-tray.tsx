'use client'
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
  const isMoving = !isOver && !queue.isInterrupted
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
      {queue.isInterrupted ? (
        <p className="small" role="status">
          {t('interrupted')}
        </p>
      ) : null}
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
