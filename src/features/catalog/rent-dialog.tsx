'use client'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect, useRef } from 'react'
import type { Service } from '#contracts/http/service.ts'
import { Picture } from '@/lib/pictures/picture.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { isRentable } from './offers.ts'
import { RentFlow } from './rent-flow.tsx'
import { useRentAddress } from './use-rent-address.ts'

/**
 * The rent form over the catalog, open while the address names an offer that can be rented. Closing it goes back to
 * the list that it was opened from; a form that was opened by its address alone leaves the list in its place.
 */
export const RentDialog = ({ services }: { services: readonly Service[] }) => {
  const t = useTranslations('services')
  const tc = useTranslations('common')
  const router = useRouter()
  const { rent, size, closed } = useRentAddress()
  const hasList = useRef(false)
  const service = services.find((offer) => offer.slug === rent && isRentable(offer))
  useEffect(() => {
    if (rent === null) hasList.current = true
  }, [rent])
  const close = () => {
    // The dialog also closes when the address has changed already, by the back button.
    if (!new URLSearchParams(window.location.search).has('rent')) return
    if (hasList.current) router.back()
    else router.replace(closed, { scroll: false })
  }
  return (
    <Dialog
      open={service !== undefined}
      onClose={close}
      title={service ? t('rentTitle', { name: service.name }) : ''}
      closeLabel={tc('close')}
      className="rent"
    >
      {service ? <Picture path={service.banner} width={1_200} height={480} className="rent-banner" eager /> : null}
      {service ? <RentFlow key={`${service.id} ${size}`} service={service} asked={size} /> : null}
    </Dialog>
  )
}
