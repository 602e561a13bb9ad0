'use client'
import { useTranslations } from 'next-intl'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { FileTrouble } from './file-trouble.ts'

const PERMISSIONS = ['file.list', 'file.read', 'file.create', 'file.update', 'file.compress', 'file.sftp'] as const

/** Why something with files was not done, as a sentence; `path` is what it was about. */
export const useTroubleText = () => {
  const t = useTranslations('files.trouble')
  const failureText = useFailureText()
  return (failure: unknown, path = ''): string => {
    if (!(failure instanceof FileTrouble)) return failureText(failure)
    if (failure.code !== 'FORBIDDEN') return t(failure.code, { path })
    const permission = PERMISSIONS.find((key) => key === failure.permission)
    return permission === undefined ? t('FORBIDDEN') : t(`permissions.${permission.replace('file.', '') as 'list'}`)
  }
}
