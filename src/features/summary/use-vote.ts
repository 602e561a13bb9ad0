'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { VotingAnswer, type ShownVoting } from '#contracts/summary/voting.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { votingQuery } from './voting-query.ts'

/** Sends the reader's choice. A refused one is explained, and the voting is read again: it has ended, or an option is gone. */
export const useVote = ({ id }: Pick<ShownVoting, 'id'>, onCounted: () => void) => {
  const t = useTranslations('summary.voting')
  const client = useQueryClient()
  const key = votingQuery(useLocale()).queryKey
  const failureText = useFailureText()
  const [problem, setProblem] = useState<string | null>(null)
  const { mutate, isPending } = useMutation({
    mutationFn: (option: string) =>
      api.call(`/api/voting/${id}/vote`, { method: 'POST', body: { option }, schema: VotingAnswer }),
    onMutate: () => client.cancelQueries({ queryKey: key }),
    onSuccess: (answer) => {
      client.setQueryData(key, answer)
      setProblem(null)
      onCounted()
    },
    onError: (failure) => {
      setProblem(failureText(failure))
      void client.invalidateQueries({ queryKey: key })
    },
  })
  const vote = (option: string | null) => {
    if (option === null) setProblem(t('choose'))
    else mutate(option)
  }
  return { vote, isPending, problem, forgetProblem: () => setProblem(null) }
}
