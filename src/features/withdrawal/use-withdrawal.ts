'use client'
import { useMutation } from '@tanstack/react-query'
import { WithdrawalOffer, WithdrawalReceipt } from '#contracts/http/withdrawal.ts'
import type { WithdrawalConfirmation, WithdrawalSubject } from '#contracts/http/withdrawal.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { keys } from '@/lib/queries/queries.ts'
import { useKeyedMutation } from '@/lib/browser-client/use-keyed-mutation.ts'

/** The first step: it records its time, and returns the effect of the second. */
export const useBegin = () =>
  useMutation({
    mutationFn: ({ kind, documentId }: WithdrawalSubject) =>
      api.call('/api/withdrawal', { method: 'POST', body: { kind, documentId }, schema: WithdrawalOffer }),
  })

/** The second step, once, however often the button is pressed. */
export const useConfirm = () =>
  useKeyedMutation<WithdrawalConfirmation, typeof WithdrawalReceipt>({
    path: '/api/withdrawal/confirm',
    schema: WithdrawalReceipt,
    stale: [keys.balance, keys.withdrawals, keys.servers, ['server'], keys.me, ['premium']],
  })
