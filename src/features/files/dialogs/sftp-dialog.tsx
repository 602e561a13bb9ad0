'use client'
import { useTranslations } from 'next-intl'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { useFiles } from '../files-context.tsx'
import { SftpFacts } from '../sftp-facts.tsx'

/** How to reach the server's files with a program. */
export const SftpDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const t = useTranslations('files.sftp')
  const tc = useTranslations('common')
  const { server } = useFiles()
  return (
    <Dialog open={open} onClose={onClose} title={t('title')} closeLabel={tc('close')}>
      {open ? (
        <div className="stack">
          <p>{t('text')}</p>
          <SftpFacts server={server} />
        </div>
      ) : null}
    </Dialog>
  )
}
