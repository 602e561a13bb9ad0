'use client'
import { useTranslations } from 'next-intl'
import { nameOf } from '#contracts/panel/file-path.ts'
import type { FileRefusal } from '#contracts/panel/file-refusals.ts'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { FileTrouble } from './file-trouble.ts'
import { useTroubleText } from './trouble-text.ts'

export type Outcome = { readonly path: string; readonly refusal: FileRefusal | null }

/** Says what was not done, once for many things. */
export const useTelling = () => {
  const t = useTranslations('files')
  const toast = useToast()
  const troubleText = useTroubleText()
  const fail = (failure: unknown, path = ''): void => void toast({ text: troubleText(failure, path), lamp: 'crash' })
  const tell = (outcomes: readonly Outcome[]): void => {
    const [first, ...more] = outcomes.filter(({ refusal }) => refusal !== null)
    if (!first?.refusal) return
    const text = troubleText(new FileTrouble(first.refusal), nameOf(first.path))
    toast({ text: more.length === 0 ? text : t('andMore', { text, count: more.length }), lamp: 'crash' })
  }
  return { tell, fail }
}
export type Telling = ReturnType<typeof useTelling>

/** The outcomes of things that the node has refused together; undefined where its refusal says no more of them than of others. */
export const refusedTogether = (paths: readonly string[], failure: unknown): Outcome[] | undefined => {
  if (!(failure instanceof FileTrouble) || failure.code === 'AWAY' || failure.permission !== undefined) return undefined
  const refusal = failure.code
  return paths.map((path) => ({ path, refusal }))
}

export const outcomesOf = (paths: readonly string[], refusals: readonly (FileRefusal | null)[]): Outcome[] =>
  paths.map((path, index) => ({ path, refusal: refusals[index] ?? null }))
