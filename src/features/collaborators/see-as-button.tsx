'use client'
import { Eye } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { SeenPerson } from '#contracts/http/panel/collaborators.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { seeing } from '@/lib/seeing/seeing.ts'
import { Button } from '@/ui/controls/button.tsx'
import { useToast } from '@/ui/surfaces/toast.tsx'

type Props = { readonly serverId: string; readonly person: { readonly id: string; readonly username: string } }

/** Opens the panel as this collaborator sees it. */
export const SeeAsButton = ({ serverId, person }: Props) => {
  const t = useTranslations('collaborators')
  const toast = useToast()
  const failureText = useFailureText()
  const router = useRouter()
  const start = useMutation({
    mutationFn: () =>
      api.call(`/api/server/${encodeURIComponent(serverId)}/users/${encodeURIComponent(person.id)}/see-as`, {
        method: 'POST',
        body: {},
        schema: SeenPerson,
      }),
    onSuccess: ({ id, username }) => {
      router.push(`/panel/${serverId}/console`)
      seeing.start({ serverId, id, name: username })
    },
    onError: (failure) => toast({ lamp: 'crash', text: failureText(failure) }),
  })
  return (
    <Button
      size="s"
      look="quiet"
      busy={start.isPending}
      aria-label={t('seeAsOf', { name: person.username })}
      onClick={() => start.mutate()}
    >
      <Eye className="i" aria-hidden />
      {t('seeAs')}
    </Button>
  )
}
