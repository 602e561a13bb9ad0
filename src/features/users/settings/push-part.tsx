'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { NotificationSettings } from '#contracts/http/notification-settings.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Mark, Notice } from '@/ui/surfaces/notice.tsx'
import { pushBrowserQuery, useLookAgain, usePushChange } from './notification-queries.ts'
import { pushParts, turnPushOff, turnPushOn } from './push-browser.ts'
import type { PushAnswer } from './push-browser.ts'

type Push = NotificationSettings['push']
type Refusal = Exclude<PushAnswer['kind'], 'subscribed'>

/** Runs one change at a time, and keeps its result. */
const usePushSwitch = (publicKey: string) => {
  const change = usePushChange()
  const lookAgain = useLookAgain()
  const turning = useMutation({
    mutationFn: async (on: boolean): Promise<Refusal | null> => {
      const found = pushParts()
      if (!on) {
        await change(null)
        if (found) await turnPushOff(found)
        return null
      }
      const answer = found ? await turnPushOn(found, publicKey) : ({ kind: 'unreachable' } as const)
      if (answer.kind !== 'subscribed') return answer.kind
      await change(answer.subscription)
      return null
    },
    onSettled: () => lookAgain(),
  })
  const { data: refusal = null, error: failure, isPending: isBusy, mutate } = turning
  return { isBusy, refusal, failure, turnOn: () => mutate(true), turnOff: () => mutate(false) }
}

/** Pushes to this browser: its capabilities in words, and the switch if it has them. It never prompts by itself. */
export const PushPart = ({ push }: { push: Push }) => {
  const t = useTranslations('settings.notifications.push')
  const failureText = useFailureText()
  const present = useQuery(pushBrowserQuery()).data
  const { isBusy, refusal, failure, turnOn, turnOff } = usePushSwitch(push.publicKey)
  const isOn = present?.kind === 'ready' && present.isSubscribed && push.isHere
  const others = push.browsers - (push.isHere ? 1 : 0)
  return (
    <div className="stack">
      <h3>{t('title')}</h3>
      {present?.kind === 'unsupported' ? <p className="t2">{t('unsupported')}</p> : null}
      {present?.kind === 'blocked' && refusal === null ? <Notice tone="wait">{t('blocked')}</Notice> : null}
      {present?.kind === 'ready' ? (
        <>
          <p>
            {isOn ? <Mark tone="go">{t('on')}</Mark> : <Mark>{t('off')}</Mark>}{' '}
            <span className="t2">{isOn ? t('onText') : t('offText')}</span>
          </p>
          <div>
            <Button busy={isBusy} onClick={isOn ? turnOff : turnOn}>
              {isOn ? t('turnOff') : t('turnOn')}
            </Button>
          </div>
        </>
      ) : null}
      <div role="status">{refusal === null ? null : <Notice tone="wait">{t(refusal)}</Notice>}</div>
      {failure === null ? null : (
        <Notice tone="stop" role="alert">
          {failureText(failure)}
        </Notice>
      )}
      {others > 0 ? <p className="t2">{t('others', { count: others })}</p> : null}
    </div>
  )
}
