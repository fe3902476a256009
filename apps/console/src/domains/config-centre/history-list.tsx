import { type ConfigDifference, configHistory, type ConfigRevision } from '@gantry/contract/config-centre/history'
import type { Profile } from '@gantry/contract/config-centre/profiles'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/detail.tsx'
import { Dialog, useDialog } from '../../ui/feedback/dialog.tsx'
import { Problem } from '../../ui/feedback/problem.tsx'
import { useTeamId } from '../../ui/link.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { atHand, ResourceTable } from '../../ui/table/resource-table.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { Restarts } from './restarts.tsx'

const whatOf = ({ action, keys, changes }: ConfigRevision): string =>
  t(`config-ui-history-${action}`, { keys: [...keys, ...(changes > keys.length ? ['…'] : [])].join(', ') })

/** The last revisions of a profile: who changed which keys, and the way back. */
export function HistoryList({ profile }: { profile: Profile }) {
  const list = useListState('config-history')
  const params = { teamId: useTeamId(), uuid: profile.uuid }
  const query = useRead(configHistory.list, { params, query: list.query })
  const comparing = useDialog<number>()
  return (
    <>
      <ResourceTable
        label={t('config-ui-history')}
        query={query}
        list={list}
        rowKey={(row) => row.revision}
        nameOf={(row) => String(row.revision)}
        columns={[
          {
            key: 'revision',
            title: t('config-ui-revision'),
            width: 140,
            cell: (row) => (
              <span className="g-num">
                {row.revision}{' '}
                {row.revision === profile.revision && <span className="g-faint">{t('config-ui-history-current')}</span>}
              </span>
            ),
          },
          { key: 'what', title: t('config-ui-history-what'), cell: whatOf },
          { key: 'by', title: t('ui-changed-by'), width: 140, wideOnly: true, cell: (row) => row.by },
          timeColumn('at', t('ui-changed'), { width: 160 }),
        ]}
        actions={({ revision }) => [
          {
            key: 'compare',
            label: t('config-ui-history-compare'),
            icon: 'rollback',
            onClick: () => comparing.show(revision),
          },
        ]}
      />
      {comparing.open !== undefined && (
        <ReturnDialog profile={profile} revision={comparing.open} onClose={comparing.hide} />
      )}
    </>
  )
}

interface ReturnDialogProps {
  profile: Profile
  revision: number
  onClose: () => void
}

/** Previews the differences and the restarts of a return. */
function ReturnDialog({ profile, revision, onClose }: ReturnDialogProps) {
  const params = { teamId: useTeamId(), uuid: profile.uuid, revision }
  const query = useRead(configHistory.compare, { params })
  const [problem, setProblem] = useState('')
  const back = useWrite(configHistory.returnTo, { done: 'update-success', quiet: true })
  const { data } = query
  const isSame = data?.differences.length === 0
  return (
    <Dialog
      width={760}
      title={t('config-ui-history-title', { revision })}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>{t('ui-cancel')}</Button>
          <Button
            primary
            needs={configHistory.returnTo}
            loading={back.isPending}
            disabled={data ? isSame && t('config-ui-history-same') : t('ui-loading')}
            onClick={() => {
              setProblem('')
              if (data)
                back.mutate(
                  { named: profile.name, params, body: { current: data.current } },
                  { onSuccess: onClose, onError: (error) => setProblem(wordsOf(error)) },
                )
            }}
          >
            {t('config-ui-history-return-to', { revision })}
          </Button>
        </>
      }
    >
      <Loaded query={query}>
        {({ differences }) =>
          differences.length === 0 ? (
            <p className="g-note">{t('config-ui-history-same')}</p>
          ) : (
            <>
              <Differences rows={differences} />
              <Restarts project={profile.project} profile={profile.name} />
            </>
          )
        }
      </Loaded>
      <Problem text={problem} />
    </Dialog>
  )
}

const side = (value: string | null, secret: boolean) =>
  value === null ? (
    <span className="g-faint">{t('config-ui-history-none')}</span>
  ) : secret ? (
    <span className="g-faint">{t('config-ui-secret')}</span>
  ) : (
    value || <span className="g-faint">–</span>
  )

const Differences = ({ rows }: { rows: readonly ConfigDifference[] }) => (
  <ResourceTable
    label={t('config-ui-keys')}
    query={atHand(rows)}
    rowKey={(row) => row.key}
    columns={[
      { key: 'key', title: t('config-ui-key'), mono: true, cell: (row) => row.key },
      { key: 'before', title: t('config-ui-history-then'), mono: true, cell: (row) => side(row.before, row.secret) },
      { key: 'now', title: t('config-ui-history-now'), mono: true, cell: (row) => side(row.now, row.secret) },
    ]}
  />
)
