'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { WithdrawalOffer, WithdrawalReceipt } from '#contracts/http/withdrawal.ts'
import type { WithdrawalConfirmation, WithdrawalSubject } from '#contracts/http/withdrawal.ts'
import { createAttemptKeys } from '@/lib/api-client/attempt-keys.ts'
import { api } from '@/lib/api-client/browser-client.ts'
import { mayPass } from '@/lib/api-client/failure.ts'
import { keys } from '@/lib/api-client/queries.ts'
import { newRequestId } from '@/lib/api-client/request-id.ts'

const attemptKeys = createAttemptKeys(newRequestId)

/** The first step: it is written when it was taken, and answers what the second does. */
export const useBegin = () =>
  useMutation({
    mutationFn: ({ kind, documentId }: WithdrawalSubject) =>
      api.call('/api/withdrawal', { method: 'POST', body: { kind, documentId }, schema: WithdrawalOffer }),
  })

/** The second step, once, however often the button is pressed. */
export const useConfirm = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: WithdrawalConfirmation) =>
      api.call('/api/withdrawal/confirm', {
        ...{ method: 'POST', body, schema: WithdrawalReceipt },
        idempotencyKey: attemptKeys.keyFor(body),
      }),
    onSuccess: () => attemptKeys.settle(),
    // After a lost answer the same key asks for the same again; any readable refusal settles the attempt.
    onError: (failure) => {
      if (!mayPass(failure)) attemptKeys.settle()
    },
    onSettled: () => {
      for (const queryKey of [keys.balance, keys.withdrawals, keys.servers, ['server'], keys.me, ['premium']]) {
        void client.invalidateQueries({ queryKey })
      }
    },
  })
}
