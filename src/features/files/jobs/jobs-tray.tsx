'use client'
import { Archive, ArrowRightLeft, CloudDownload, Copy, PackageOpen, Trash2 } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import type { CSSProperties } from 'react'
import { isDeletion } from '#contracts/panel/file-jobs.ts'
import type { FileJob } from '#contracts/panel/file-jobs.ts'
import { nameOf } from '#contracts/panel/file-path.ts'
import { bytesText } from '@/lib/format/size.ts'
import { IconButton } from '@/ui/controls/button.tsx'
import { Icon } from '@/ui/signs/icon.tsx'
import { LampGlyph } from '@/ui/signs/lamp.tsx'
import { FileTrouble } from '../file-trouble.ts'
import { useFiles } from '../files-context.tsx'
import { useTroubleText } from '../trouble-text.ts'
import { isOpen } from './job-end.ts'
import { sayingOf } from './job-saying.ts'
import { useJobs } from './use-jobs.ts'
import { useRate } from './use-rate.ts'

const ICONS = {
  copy: Copy,
  compress: Archive,
  extract: PackageOpen,
  delete: Trash2,
  'empty-bin': Trash2,
  pull: CloudDownload,
  transfer: ArrowRightLeft,
} as const
const SHOWN_ENDED = 3
const SHOWN_LEFT_OUT = 5

/** How the job stands, as a sentence. */
const useJobText = () => {
  const t = useTranslations('files.jobs')
  const tf = useTranslations('files')
  const troubleText = useTroubleText()
  return (job: FileJob): string => {
    const { things, refusal, refusals } = job
    const name = nameOf(job.path)
    const said = sayingOf(job)
    if (said.is === 'text') return t(said.key, { name, count: things })
    const text = said.why === null ? t(said.key, { name }) : troubleText(new FileTrouble(said.why), name)
    const more = refusal === null ? refusals.filter((each) => each !== null).length - 1 : 0
    return more > 0 ? tf('andMore', { text, count: more }) : text
  }
}

const LeftOut = ({ job: { leftOut, leftOutCount } }: { job: FileJob }) => {
  const t = useTranslations('files.jobs')
  if (leftOutCount === 0) return null
  const shown = leftOut.slice(0, SHOWN_LEFT_OUT)
  return (
    <div className="small t2">
      {t('leftOut', { count: leftOutCount })}
      <ul className="tray-out">
        {shown.map(({ name, why }, index) => (
          <li key={index}>
            <b className="cut">{name}</b> <span>{t(`why.${why}`)}</span>
          </li>
        ))}
      </ul>
      {leftOutCount > shown.length ? t('more', { count: leftOutCount - shown.length }) : null}
    </div>
  )
}

const Progress = ({ job: { kind, state, done, total } }: { job: FileJob }) => {
  const t = useTranslations('files.jobs')
  const tu = useTranslations('files.uploads')
  const locale = useLocale()
  const rate = useRate(done)
  if (state === 'waiting') return <span className="t2 nw small">{t('waiting')}</span>
  const amount = (count: number) =>
    isDeletion(kind) ? new Intl.NumberFormat(locale).format(count) : bytesText(count, locale)
  const seconds = rate === null || rate <= 0 || total === null ? null : Math.ceil((total - done) / rate)
  return (
    <span className="t2 nw small tray-progress">
      {amount(done)}
      {total === null ? null : ` / ${amount(total)}`}
      {rate === null ? null : ` · ${tu('rate', { rate: amount(Math.round(rate)) })}`}
      {seconds === null ? null : ` · ${tu('left', { seconds })}`}
    </span>
  )
}

/** `onEnd` null: the job is somebody else's, and not the reader's to end. */
const JobLine = ({ job, onEnd }: { job: FileJob; onEnd: (() => void) | null }) => {
  const t = useTranslations('files.jobs')
  const jobText = useJobText()
  const Drawing = ICONS[job.kind]
  const tb = useTranslations('files.bin')
  const name = job.kind === 'empty-bin' ? tb('title') : nameOf(job.path)
  const share = job.total === null || job.total === 0 ? 0 : Math.min(1, job.done / job.total)
  const isBad = job.state === 'failed' || job.state === 'interrupted' || job.refusals.some((each) => each !== null)
  return (
    <li className="ftray">
      <div className="row">
        {isBad ? <LampGlyph kind="crash" /> : <Drawing className="i" aria-hidden />}
        <span className="grow tray-text" role="status">
          {jobText(job)}
        </span>
        {isOpen(job) ? <Progress job={job} /> : null}
        {onEnd === null ? null : (
          <IconButton
            small
            label={t(isOpen(job) ? 'cancel' : 'close', { name })}
            icon={<Icon name="close" />}
            onClick={onEnd}
          />
        )}
      </div>
      {isOpen(job) ? (
        <span className="meter meter-live" style={{ '--v': share } as CSSProperties} aria-hidden>
          <i />
        </span>
      ) : (
        <LeftOut job={job} />
      )}
    </li>
  )
}

/** Copies, archives, extractions, deletions, pulls and transfers that run, and the last that ended with something to say. */
export const JobsTray = () => {
  const t = useTranslations('files.jobs')
  const files = useFiles()
  const { jobs, end } = useJobs(files)
  const mayAll = files.server.permissions.includes('file.update')
  const open = jobs.filter(isOpen)
  const ended = jobs.filter((job) => !isOpen(job)).slice(0, SHOWN_ENDED)
  if (open.length + ended.length === 0) return null
  return (
    <ul aria-label={t('title')} className="ftrays">
      {[...open, ...ended].map((job) => (
        <JobLine key={job.id} job={job} onEnd={job.isOwn || mayAll ? () => end(job) : null} />
      ))}
    </ul>
  )
}
