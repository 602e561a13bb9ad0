'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { Transaction } from '#contracts/http/balance.ts'
import { TopupCheck } from '#contracts/http/payment.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { keys } from '@/lib/queries/queries.ts'
import { Button } from '@/ui/controls/button.tsx'
import { useToast } from '@/ui/surfaces/toast.tsx'

const resultPath = (transaction: string) => `/dashboard/balance/ok?transaction=${transaction}`

/** The address at which the payment goes on: the provider's, the card's, or our page with its state. */
const nextAddress = ({ next, paymentId, transactionId }: TopupCheck): string => {
  if (next?.kind === 'redirect') return next.url
  return next?.kind === 'page' ? `${next.path}?transaction=${paymentId}` : resultPath(transactionId)
}

const useTopupCall = (path: `/api/balance/topup/${'check' | 'cancel'}`, onDone: (check: TopupCheck) => void) => {
  const client = useQueryClient()
  const toast = useToast()
  const failureText = useFailureText()
  return useMutation({
    mutationFn: (transaction: string) => api.call(path, { method: 'POST', body: { transaction }, schema: TopupCheck }),
    onSuccess: onDone,
    onError: (failure) => toast({ lamp: 'crash', text: failureText(failure) }),
    onSettled: () =>
      Promise.all([keys.balance, keys.transactions].map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
}

/** A top-up that was not finished can be continued where it stopped, or cancelled at once. */
export const PendingTopup = ({ row }: { row: Transaction }) => {
  const t = useTranslations('balance.pending')
  const toast = useToast()
  const router = useRouter()
  const check = useTopupCall('/api/balance/topup/check', (answer) => {
    const address = nextAddress(answer)
    // The provider's page and the card's have policies of their own, so they need a full page load.
    if (address === resultPath(answer.transactionId)) router.push(address)
    else window.location.assign(address)
  })
  const cancel = useTopupCall('/api/balance/topup/cancel', ({ status }) =>
    toast({ lamp: status === 'finished' ? 'done' : 'off', text: t(status === 'finished' ? 'arrived' : 'cancelled') }),
  )
  const isBusy = check.isPending || cancel.isPending
  return (
    <span className="row wrap pending">
      <Button size="s" busy={check.isPending || check.isSuccess} onClick={() => isBusy || check.mutate(row.id)}>
        {t('continue')}
      </Button>
      <Button size="s" look="quiet" busy={cancel.isPending} onClick={() => isBusy || cancel.mutate(row.id)}>
        {t('cancel')}
      </Button>
    </span>
  )
}
