'use client'
import { useLocale, useTranslations } from 'next-intl'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import type { AttachmentWords } from '@/lib/attachments/attachment-words.ts'

/** The texts of files beside messages, in the reader's language. */
export const useAttachmentWords = (): AttachmentWords => {
  const t = useTranslations('tickets.files')
  const tc = useTranslations('common')
  const failureText = useFailureText()
  const tooLarge = t('faults.tooLarge')
  return {
    locale: useLocale(),
    attach: t('attach'),
    rule: t('rule'),
    files: t('list'),
    remove: (name) => t('remove', { name }),
    cancel: (name) => t('cancel', { name }),
    retry: (name) => t('retry', { name }),
    uploading: (name) => t('uploading', { name }),
    uploaded: (name) => t('uploaded', { name }),
    gone: t('gone'),
    removed: t('removed'),
    full: t('full'),
    faults: {
      'too large': tooLarge,
      empty: t('faults.empty'),
      kind: t('faults.kind'),
      unreadable: t('faults.unreadable'),
    },
    obstacles: { uploading: t('obstacles.uploading'), failed: t('obstacles.failed') },
    failure: (failure) =>
      failure instanceof ApiFailure && failure.code === 'PAYLOAD_TOO_LARGE' ? tooLarge : failureText(failure),
    open: (name) => t('open', { name }),
    save: (name) => t('save', { name }),
    unshown: t('unshown'),
    again: tc('retry'),
  }
}
