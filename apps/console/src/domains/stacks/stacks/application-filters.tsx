import { Select } from 'antd'
import { ServiceType } from '@gantry/contract/stacks/spec'
import { t } from '../../../api/language.ts'
import { useTeamId } from '../../../ui/link.tsx'
import { osNames } from '../../../ui/os-names.ts'
import type { ListState } from '../../../ui/table/list-state.ts'
import { ProductSelect } from '../../products/public.tsx'
import { useClusters } from '../services/reads.ts'
import styles from './stacks.module.css'

/** Filters by cluster, product, and by the type and operating system of services. */
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
      <Select
        aria-label={t('stacks-map-kind')}
        prefix={<span className="g-faint">{t('stacks-map-kind')}</span>}
        value={list.filters['type'] ?? 'all'}
        popupMatchSelectWidth={false}
        options={[
          { value: 'all', label: t('ui-any') },
          ...ServiceType.options.map((value) => ({ value, label: t(`stacks-map-kind-${value}`) })),
        ]}
        onChange={(value) => list.setFilter('type', value)}
      />
      <Select
        aria-label={t('stacks-ui-os')}
        prefix={<span className="g-faint">{t('stacks-ui-os')}</span>}
        value={list.filters['osType'] ?? 'all'}
        popupMatchSelectWidth={false}
        options={[
          { value: 'all', label: t('ui-any') },
          ...(['linux', 'windows'] as const).map((value) => ({ value, label: osNames[value] })),
        ]}
        onChange={(value) => list.setFilter('osType', value)}
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
