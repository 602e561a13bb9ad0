'use client'
import clsx from 'clsx'
import { useTranslations } from 'next-intl'
import { Icon } from '@/ui/signs/icon.tsx'
import { ORDERS } from '../files-queries.ts'
import type { Order } from '../files-queries.ts'

/** The columns of the list; each orders it by itself, and once more the other way round. */
export const ListHead = ({ order, onOrder }: { order: Order; onOrder: (by: Order['by']) => void }) => {
  const t = useTranslations('files.columns')
  return (
    <div className="fcols" role="group" aria-label={t('title')}>
      {ORDERS.map((by) => (
        <button
          key={by}
          type="button"
          className={clsx('fcol', `fcol-${by}`)}
          aria-pressed={order.by === by}
          onClick={() => onOrder(by)}
        >
          {t(by)}
          {order.by === by ? (
            <>
              <Icon name="down" size={14} {...(order.descending ? {} : { className: 'turned' })} />
              <span className="vh">{t(order.descending ? 'descending' : 'ascending')}</span>
            </>
          ) : null}
        </button>
      ))}
    </div>
  )
}
