'use client'
import { useLocale, useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import type { FormEvent } from 'react'
import type { ModificationQuote, ServerSize } from '#contracts/http/modification.ts'
import type { Server } from '#contracts/http/server.ts'
import { ResourceChoice } from '#contracts/http/service.ts'
import { ApiFailure, isUnknown } from '@/lib/browser-client/failure.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { useApiForm } from '@/lib/forms/use-api-form.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { MissingMoney } from './missing-money.tsx'
import { ModificationDialog } from './modification-dialog.tsx'
import { ModificationSum } from './modification-sum.tsx'
import { resourceKeys, SizeSliders } from './size-sliders.tsx'
import type { Ranges, Sizes } from './size-sliders.tsx'
import { useModificationQuote, useModify } from './use-modification.ts'

const isSameSize = (a: Sizes, b: Sizes): boolean => resourceKeys.every((kind) => a[kind] === b[kind])

const Missing = ({ missingFt }: { missingFt: number }) => {
  const t = useTranslations('serverSettings.modification')
  const locale = useLocale()
  return (
    <MissingMoney missingFt={missingFt} topUp={t('topUp')}>
      {t('missing', { amount: formatMoney(missingFt, locale) })}
    </MissingMoney>
  )
}

type FailureProps = {
  failure: unknown
  /** A change was sent. A mere quote changes nothing, whatever its result. */
  wasAsked: boolean
}

const Failure = ({ failure, wasAsked }: FailureProps) => {
  const t = useTranslations('serverSettings.modification')
  const failureText = useFailureText()
  if (failure instanceof ApiFailure && failure.code === 'INSUFFICIENT_BALANCE') {
    return <Missing missingFt={Number(failure.params.price ?? 0)} />
  }
  return (
    <Notice tone="stop" role="alert">
      {failureText(failure)} {t(wasAsked && isUnknown(failure) ? 'unknown' : 'nothingCharged')}
    </Notice>
  )
}

/** The button's text: the charge or the refund. */
const useButtonText = (quote: ModificationQuote | undefined): string => {
  const t = useTranslations('serverSettings.modification')
  const locale = useLocale()
  if (quote && quote.chargeFt > 0) return t('pay', { price: formatMoney(quote.chargeFt, locale) })
  if (quote && quote.backFt > 0) return t('giveBack', { price: formatMoney(quote.backFt, locale) })
  return t('free')
}

type Props = { server: Server; size: ServerSize; ranges: Ranges; onDone: (sizes: Sizes) => void }

/** The chosen size, its price once the input settles, and the change, which is made once for the displayed sum. */
const useWish = ({ server, size, onDone }: Props) => {
  const modify = useModify(server.id)
  const expected = useRef(0)
  const { form, submit, failure, isBusy } = useApiForm({
    schema: ResourceChoice,
    defaultValues: size.resources,
    fields: resourceKeys,
    send: async (resources) => {
      await modify.mutateAsync({ resources, expectedChargeFt: expected.current })
      return resources
    },
    // The sliders cannot show a sentence: any refusal is a notice of the form.
    refusedIn: () => ({}),
    onDone,
  })
  const sizes = form.watch()
  const isChanged = !isSameSize(sizes, size.resources)
  const price = useModificationQuote(server.id, isChanged ? sizes : undefined)
  const choose = (next: Sizes) => {
    for (const kind of resourceKeys) form.setValue(kind, next[kind], { shouldDirty: true })
  }
  const change = ({ chargeFt, backFt }: ModificationQuote) => {
    expected.current = chargeFt - backFt
    return submit()
  }
  return { sizes, isChanged, price, choose, change, failure, isBusy }
}

/** Sliders of the service, charge or refund, and a change that is made once. */
export const ModificationForm = (props: Props) => {
  const { server, ranges } = props
  const t = useTranslations('serverSettings.modification')
  const { sizes, isChanged, price, choose, change, failure, isBusy } = useWish(props)
  const [asking, setAsking] = useState(false)
  const quote = isChanged ? price.quote : undefined
  const canChange = price.isCurrent && quote?.missingFt === 0
  const text = useButtonText(quote)
  const ask = (event: FormEvent) => {
    event.preventDefault()
    if (canChange) setAsking(true)
  }
  const confirm = async () => {
    if (quote) await change(quote)
    setAsking(false)
  }
  return (
    <form className="renewal" noValidate onSubmit={ask}>
      <p>{t('text')}</p>
      <SizeSliders id="modify" ranges={ranges} sizes={sizes} onChange={choose} />
      {quote ? (
        <ModificationSum quote={quote} stale={!price.isCurrent} />
      ) : (
        <p className="t2">{isChanged ? null : t('unchanged')}</p>
      )}
      {quote && quote.missingFt > 0 ? <Missing missingFt={quote.missingFt} /> : null}
      {isChanged && price.failure !== null ? <Failure failure={price.failure} wasAsked={false} /> : null}
      {failure !== null && isChanged ? <Failure failure={failure} wasAsked /> : null}
      <Button look="primary" type="submit" busy={isBusy} aria-disabled={!canChange || undefined}>
        {text}
      </Button>
      {quote ? (
        <ModificationDialog
          open={asking}
          serverName={server.name}
          quote={quote}
          isBusy={isBusy}
          onClose={() => setAsking(false)}
          onConfirm={() => void confirm()}
        />
      ) : null}
    </form>
  )
}
