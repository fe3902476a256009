import { Select } from 'antd'
import { t } from '../../../api/language.ts'
import { useTeamId } from '../../../ui/link.tsx'
import type { ListState } from '../../../ui/table/list-state.ts'
import { ProductSelect } from '../../products/public.tsx'
import { useClusters } from '../services/reads.ts'
import styles from './stacks.module.css'

/** The cluster and the product of stacks and of services. */
export function ApplicationFilters({ list }: { list: ListState }) {
  const clusters = useClusters(useTeamId())
  const envId = list.filters['env'] ?? 'all'
  const productId = Number(list.filters['productId']) || undefined
  return (
    <>
      <Select
        aria-label={t('stacks-ui-cluster')}
        prefix={<span className="g-faint">{t('stacks-ui-cluster')}</span>}
        value={envId}
        popupMatchSelectWidth={false}
        options={[
          { value: 'all', label: t('stacks-ui-cluster-all') },
          ...(clusters.data ?? []).map(({ uuid, name }) => ({ value: uuid, label: name })),
          ...(envId !== 'all' && !clusters.data?.some(({ uuid }) => uuid === envId)
            ? [{ value: envId, label: envId.slice(0, 8) }]
            : []),
        ]}
        onChange={(value) => list.setFilter('env', value)}
      />
      <span className={styles.productFilter}>
        <ProductSelect
          label={t('stacks-ui-product')}
          placeholder={t('stacks-ui-product-all')}
          {...(productId === undefined ? {} : { value: productId })}
          onChange={(value) => list.setFilter('productId', value === undefined ? '' : String(value))}
        />
      </span>
    </>
  )
}
