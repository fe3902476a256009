import type { ServiceDetail } from '@gantry/contract/stacks/services'
import { isPhrase, t } from '../../../api/language.ts'
import { atHand, ResourceTable } from '../../../ui/table/resource-table.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { Time } from '../../../ui/time.tsx'
import { ImageName } from './badges.tsx'

const askedFor = (action: string): string => {
  const key = `stacks-ui-asked-${action}`
  return isPhrase(key) ? t(key) : action
}

/** Every change of a service: who asked for what, and which image came of it. */
export function RevisionTable({ service }: { service: ServiceDetail }) {
  const rows = service.revisions.toSorted((a, b) => b.revision - a.revision)
  return (
    <ResourceTable
      label={t('stacks-ui-revisions')}
      query={atHand(rows)}
      rowKey={(row) => row.revision}
      columns={[
        {
          key: 'revision',
          title: t('stacks-ui-revision'),
          cell: (row) => (
            <span className="g-title">
              <span className="g-num">{row.revision}</span>
              {row.revision === service.revision && <StateBadge state="active" text={t('stacks-ui-current')} />}
            </span>
          ),
        },
        { key: 'action', title: t('stacks-ui-asked'), cell: (row) => askedFor(row.action) },
        {
          key: 'image',
          title: t('stacks-ui-image'),
          cell: (row) => <ImageName image={row.image} digest={row.digest} />,
        },
        { key: 'by', title: t('stacks-ui-by'), cell: (row) => row.by },
        { key: 'at', title: t('stacks-ui-when'), cell: (row) => <Time at={row.createdAt} /> },
      ]}
    />
  )
}
