'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import type { Package, Service } from '#contracts/http/service.ts'
import { servicesQuery } from '@/lib/queries/queries.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { memoryText } from '@/lib/format/size.ts'
import { buttonClass } from '@/ui/controls/button.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { EmptyState } from '@/ui/surfaces/states.tsx'

const SizeRow = ({ size }: { size: Package }) => {
  const t = useTranslations('services.vpsPrices')
  const locale = useLocale()
  const parts = {
    memory: memoryText(size.ramMiB, locale),
    storage: memoryText(size.storageMiB, locale),
    processor: `${size.cpuPercent}\u00A0%`,
  }
  return (
    <tr>
      <th scope="row">
        <span className="what">{size.name}</span>
        <span className="block">{t('parts', parts)}</span>
        <span className="small t2 block">{size.description}</span>
      </th>
      <td className="num nw">{formatMoney(size.pricePerMonthFt, locale)}</td>
    </tr>
  )
}

/** The future monthly price of each size, without an order button. */
const Prices = ({ service }: { service: Service }) => {
  const tp = useTranslations('services.vpsPrices')
  return (
    <Panel title={tp('title')}>
      <table className="t vps-prices bleed">
        <caption className="vh">{service.name}</caption>
        <thead>
          <tr>
            <th scope="col">{tp('size')}</th>
            <th scope="col" className="num">
              {tp('monthly')}
            </th>
          </tr>
        </thead>
        <tbody>
          {service.packages.map((size) => (
            <SizeRow key={size.id} size={size} />
          ))}
        </tbody>
      </table>
      <p className="help py-3">{tp('note')}</p>
    </Panel>
  )
}

/** Virtual servers are not for rent yet: the page says so, shows their prices, and links on. */
export const VpsPage = () => {
  const t = useTranslations('services')
  const services = useQuery(servicesQuery()).data ?? []
  const quoted = services.filter(({ category, packages }) => category === 'vps' && packages.length > 0)
  return (
    <div className="page">
      <header className="page-h">
        <h1>{t('vps')}</h1>
      </header>
      <EmptyState
        title={t('vpsEmptyTitle')}
        action={
          <PageLink className={buttonClass({ look: 'primary' })} href="/dashboard/services/game">
            {t('toGames')}
          </PageLink>
        }
      >
        {t('vpsEmpty')}
      </EmptyState>
      {quoted.map((service) => (
        <Prices key={service.id} service={service} />
      ))}
    </div>
  )
}
