'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { WheelView } from '#contracts/http/spin.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { formatDate } from '@/lib/format/date.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Field } from '@/ui/controls/field.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { PrizePicture } from './prize-picture.tsx'
import { usePrizeWords } from './prize-words.ts'
import { useSpin } from './use-spin.ts'
import { WheelDrawing } from './wheel-drawing.tsx'

const seedBytes = 8

/** A seed from the reader's own browser, so that the host alone cannot choose a draw. */
const newSeed = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(seedBytes)), (byte) => byte.toString(16).padStart(2, '0')).join('')

const DrawPromise = ({ hash, seed, onSeed }: { hash: string; seed: string; onSeed: (seed: string) => void }) => {
  const t = useTranslations('spin')
  return (
    <details className="wheel-promise">
      <summary>{t('fair.title')}</summary>
      <p className="help my-3">{t('fair.text')}</p>
      <p className="small t2">{t('fair.hash')}</p>
      <code className="mono select-all wrap-anywhere">{hash}</code>
      <Field
        label={t('fair.seed')}
        className="mt-3"
        value={seed}
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        help={t('fair.seedHelp')}
        onChange={(event) => onSeed(event.currentTarget.value)}
      />
    </details>
  )
}

/** The wheel, its spin button, and the result. */
export const WheelPanel = ({ view }: { view: WheelView }) => {
  const t = useTranslations('spin')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const words = usePrizeWords()
  const failureText = useFailureText()
  const [seed, setSeed] = useState(newSeed)
  const { turnDeg, won, isBusy, failure, spin } = useSpin(view)
  const canSpin = view.spinCount > 0
  return (
    <Panel title={t('wheel')} end={<span className="t2">{t('left', { count: view.spinCount })}</span>}>
      <WheelDrawing fields={view.fields} turnDeg={turnDeg} wonId={won?.prizeId ?? null} />
      <Button
        look="primary"
        wide
        className="mt-3"
        busy={isBusy}
        aria-disabled={!canSpin || undefined}
        onClick={() => {
          if (!canSpin) return
          spin(seed)
          setSeed(newSeed())
        }}
      >
        {isBusy ? t('spinning') : t('spin')}
      </Button>
      <p className="help mt-3">
        {view.nextFreeSpinAt === null
          ? t('freeNow')
          : t('freeAt', { date: formatDate(view.nextFreeSpinAt, locale, { style: 'dateTime', timeZone }) })}
      </p>
      <div role="status">
        {won === null ? null : (
          <Notice tone={won.type === 'nothing' ? 'plain' : 'go'} className="my-3">
            <span className="prize">
              <PrizePicture prize={won} width={40} />
              <span>
                {won.type === 'nothing' ? t('wonNothing') : t('won', { prize: words(won) })}
                {won.couponCode === null ? null : <> {t('wonCode', { code: won.couponCode })}</>}
              </span>
            </span>
          </Notice>
        )}
      </div>
      {failure === null ? null : (
        <Notice tone="stop" role="alert" className="my-3">
          {failureText(failure)}
        </Notice>
      )}
      {view.serverSeedHash === null ? null : <DrawPromise hash={view.serverSeedHash} seed={seed} onSeed={setSeed} />}
    </Panel>
  )
}
