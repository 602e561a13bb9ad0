'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { SpinProof } from '#contracts/http/spin.ts'
import { verifyDraw } from '#domain/prizes/wheel-draw.ts'
import type { DrawCrypto } from '#domain/prizes/wheel-draw.ts'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'
import { proofQuery } from './prize-queries.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

const browserCrypto: DrawCrypto = {
  hmac: async (key, message) => {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    const imported = await crypto.subtle.importKey('raw', bytesOf(key), algorithm, false, ['sign'])
    return new Uint8Array(await crypto.subtle.sign('HMAC', imported, bytesOf(message)))
  },
  sha256: async (text) => {
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(text)))
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  },
}

const Verdict = ({ proof }: { proof: SpinProof }) => {
  const t = useTranslations('spin.verify')
  // A page without TLS has no cryptography API; the data to verify the draw elsewhere are shown all the same.
  const canVerify = typeof crypto.subtle !== 'undefined'
  const verdict = useQuery({
    queryKey: ['wheel', 'verdict', proof.id],
    queryFn: () => verifyDraw(proof, browserCrypto),
    enabled: canVerify,
    staleTime: Infinity,
  }).data
  if (!canVerify) return <Notice tone="wait">{t('unable')}</Notice>
  if (verdict === undefined) return null
  return (
    <Notice tone={verdict.ok ? 'go' : 'stop'} role="status">
      {verdict.ok ? t('right') : t('wrong')}
    </Notice>
  )
}

const Facts = ({ proof }: { proof: SpinProof }) => {
  const t = useTranslations('spin.verify')
  const facts = [
    ['hash', proof.serverSeedHash],
    ['serverSeed', proof.serverSeed],
    ['clientSeed', proof.clientSeed],
    ['nonce', String(proof.nonce)],
    ['ticket', String(proof.ticket)],
  ] as const
  return (
    <dl className="proof">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{t(name)}</dt>
          <dd>
            <code className="mono select-all">{value}</code>
          </dd>
        </div>
      ))}
    </dl>
  )
}

const Proof = ({ spinId }: { spinId: string }) => {
  const t = useTranslations('spin.verify')
  const tc = useTranslations('common')
  const query = useQuery(proofQuery(spinId))
  return (
    <Region query={query} skeleton={<SkeletonRows rows={4} label={tc('loading')} />} failed={t('failed')}>
      {(proof) => (
        <>
          <p className="mb-3">{t('text')}</p>
          <Verdict proof={proof} />
          <Facts proof={proof} />
        </>
      )}
    </Region>
  )
}

/** Verifies a draw in the reader's own browser, and shows all of its inputs. */
export const VerifyDialog = ({ spinId, onClose }: { spinId: string | null; onClose: () => void }) => {
  const t = useTranslations('spin.verify')
  const tc = useTranslations('common')
  return (
    <Dialog open={spinId !== null} onClose={onClose} title={t('title')} closeLabel={tc('close')}>
      {spinId === null ? null : <Proof spinId={spinId} />}
    </Dialog>
  )
}
