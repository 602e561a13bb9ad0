'use client'
import { LogOut } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { Button } from '@/ui/controls/button.tsx'
import { RemovalDialog } from './removal-dialog.tsx'
import { useLeave } from './use-collaborators.ts'

/** Leaves a server of somebody else. */
export const LeaveButton = ({ server, userId }: { server: Pick<Server, 'id' | 'name'>; userId: string }) => {
  const t = useTranslations('collaborators')
  const router = useRouter()
  const leave = useLeave(server.id)
  const [isOpen, setOpen] = useState(false)
  const act = () => leave.mutate(userId, { onSuccess: () => router.push('/dashboard/servers') })
  return (
    <>
      <Button size="s" onClick={() => setOpen(true)}>
        <LogOut className="i" aria-hidden />
        {t('leave')}
      </Button>
      <RemovalDialog
        open={isOpen}
        title={t('removal.leaveTitle', { name: server.name })}
        act={t('leave')}
        keep={t('removal.stay')}
        isBusy={leave.isPending}
        failure={leave.error}
        onAct={act}
        onClose={() => setOpen(false)}
      >
        {t('removal.leaveText')}
      </RemovalDialog>
    </>
  )
}
