import { useState } from 'react'
import { revisions } from '@gantry/contract/stacks/revisions/revisions'
import type { ServiceDetail } from '@gantry/contract/stacks/services'
import { useRead } from '../../../api/hooks.ts'
import { isPhrase, t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { Dialog, useDialog } from '../../../ui/feedback/dialog.tsx'
import { Loaded } from '../../../ui/detail.tsx'
import { later } from '../../../ui/feedback/later.ts'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { useTeamId } from '../../../ui/link.tsx'
import { atHand, ResourceTable } from '../../../ui/table/resource-table.tsx'
import { Time } from '../../../ui/time.tsx'
import { AskedBy } from './asked-by.tsx'
import { ImageName } from './badges.tsx'
import { allows } from './service-states.ts'
import { wordsOfChanges } from './spec-changes.ts'

const ReturnDialog = later(async () => (await import('./return-dialog.tsx')).ReturnDialog)
const SpecDifference = later(async () => (await import('../spec/spec-difference.tsx')).SpecDifference)

type Row = ServiceDetail['revisions'][number]

const actionName = (action: string): string => {
  const key = `stacks-ui-asked-${action}`
  return isPhrase(key) ? t(key) : action
}

/** Every revision of a service: its changes, the user or the build that requested it, and a comparison of any two. */
export function RevisionTable({ service }: { service: ServiceDetail }) {
  const [compared, setCompared] = useState<readonly [Row, Row]>()
  const returning = useDialog<number>()
  const { name, state } = service
  const rows = service.revisions.toSorted((a, b) => b.revision - a.revision)
  const compare = (chosen: readonly Row[]): Promise<boolean> => {
    const [newer, older] = chosen
    if (!newer || !older || chosen.length > 2) toast.error(t('stacks-ui-compare-two'))
    else setCompared([older, newer])
    return Promise.resolve(false)
  }
  return (
    <>
      <ResourceTable
        label={t('stacks-ui-revisions')}
        query={atHand(rows)}
        rowKey={(row) => row.revision}
        nameOf={(row) => `${t('stacks-ui-revision')} ${row.revision}`}
        actions={(row) =>
          row.revision === service.revision
            ? []
            : [
                {
                  key: 'return',
                  label: t('stacks-ui-return'),
                  icon: 'rollback',
                  needs: revisions.returnTo,
                  disabled: !allows(state, 'upgrade') && t(`stacks-not-now-${state}`, { name }),
                  onClick: () => returning.show(row.revision),
                },
              ]
        }
        bulk={[{ key: 'compare', label: t('stacks-ui-compare'), whole: compare }]}
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
          { key: 'action', title: t('stacks-ui-asked'), cell: (row) => actionName(row.action) },
          { key: 'changes', title: t('stacks-ui-changes'), cell: (row) => wordsOfChanges(row.changes ?? []) || '–' },
          {
            key: 'image',
            title: t('stacks-ui-image'),
            cell: (row) => (
              <>
                <ImageName image={row.image} digest={row.digest} />
                {row.unpinned !== '' && (
                  <span title={row.unpinned}>
                    <StateBadge state="warning" text={t('stacks-ui-unpinned')} />
                  </span>
                )}
              </>
            ),
          },
          { key: 'by', title: t('stacks-ui-by'), cell: (row) => <AskedBy revision={row} /> },
          { key: 'at', title: t('stacks-ui-when'), cell: (row) => <Time at={row.createdAt} /> },
        ]}
      />
      {returning.open !== undefined && (
        <ReturnDialog service={service} revision={returning.open} onClose={returning.hide} />
      )}
      {compared && <Comparison service={service} rows={compared} onClose={() => setCompared(undefined)} />}
    </>
  )
}

interface ComparisonProps {
  service: ServiceDetail
  /** The older one first. */
  rows: readonly [Row, Row]
  onClose: () => void
}

function Comparison({ service, rows: [older, newer], onClose }: ComparisonProps) {
  const teamId = useTeamId()
  const params = { teamId, envId: service.envId, id: service.id }
  const before = useRead(revisions.get, { params: { ...params, revision: older.revision } })
  const after = useRead(revisions.get, { params: { ...params, revision: newer.revision } })
  return (
    <Dialog
      width={960}
      title={t('stacks-ui-compare-revisions', { name: service.name, older: older.revision, newer: newer.revision })}
      onClose={onClose}
    >
      <Loaded query={before}>
        {(old) => <Loaded query={after}>{(now) => <SpecDifference before={old} after={now} />}</Loaded>}
      </Loaded>
    </Dialog>
  )
}
