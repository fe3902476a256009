import { ownHostKey } from '@gantry/contract/clusters/hosts'
import { t } from '../../../api/language.ts'
import type { Column } from '../../../ui/table/column.ts'
import styles from './clusters.module.css'

/** Key and value columns for a host's labels, annotations and taints; the cluster's own keys are marked. */
export const keyColumns = <R extends { key: string; value: string }>(): readonly Column<R>[] => [
  {
    key: 'key',
    title: t('hosts-ui-key'),
    cell: ({ key }) => (
      <span>
        <span className="g-key" translate="no">
          {key}
        </span>
        {ownHostKey(key) && <span className={`g-faint ${styles.own}`}> · {t('hosts-ui-own-key')}</span>}
      </span>
    ),
  },
  {
    key: 'value',
    title: t('hosts-ui-value'),
    cell: ({ value }) => (
      <span className="g-key" translate="no">
        {value || '–'}
      </span>
    ),
  },
]
