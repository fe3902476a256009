import { batches, BatchState, ItemOutcome, type Batch, type BatchItem } from '@gantry/contract/batch-edits/batches'
import { t } from '../../../api/language.ts'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { Button } from '../../../ui/button.tsx'
import { confirm } from '../../../ui/feedback/dialog.tsx'
import { Failed } from '../../../ui/feedback/failed.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { stateKey } from '../../../ui/feedback/states.ts'
import { to, useGo, useTeamId } from '../../../ui/link.tsx'
import { Page, Section } from '../../../ui/page.tsx'
import { ListPage } from '../../../ui/table/list-page.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { Pager } from '../../../ui/table/pager.tsx'
import { SearchBox } from '../../../ui/table/search-box.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { Time } from '../../../ui/time.tsx'
import { Select } from 'antd'
import { changeWords } from './change-words.ts'
import { ItemList } from './item-list.tsx'
import styles from './batches.module.css'

/** The batches of a team, or the one in the address. */
export function BatchHistoryPage() {
  const [{ batch }] = useUrlState({ batch: '' })
  return Number(batch) > 0 ? <BatchPage key={batch} id={Number(batch)} /> : <BatchListPage />
}

const isWorking = ({ state }: Batch): boolean => state === 'EDITING' || state === 'RESTORING'

const crumbs = () => [
  { label: t('route-pipeline-v1-list'), to: to('pipeline-v1-list') },
  { label: t('route-cd-batch-edit'), to: to('cd-batch-edit') },
]

/** The actions on a batch, in the list and on its own page. */
function useBatchActions() {
  const restore = useWrite(batches.restore, { quiet: true })
  const retry = useWrite(batches.retry)
  const canRetry = ({ state }: Batch) =>
    state === 'PARTIAL_SUCCESS' || state === 'FAILURE' || state === 'RESTORE_FAILURE'
  const canRestore = ({ state, counts }: Batch) =>
    (state === 'SUCCESS' || state === 'PARTIAL_SUCCESS') && counts.changed > 0
  const why = (batch: Batch, key: 'restore' | 'retry') =>
    isWorking(batch) ? t('batch-edits-working', { id: batch.id }) : t(`batch-edits-nothing-to-${key}`, { id: batch.id })
  return (batch: Batch) => [
    {
      key: 'restore',
      label: t('batch-edits-ui-restore'),
      icon: 'rollback' as const,
      needs: batches.restore,
      disabled: !canRestore(batch) && why(batch, 'restore'),
      onClick: () =>
        void confirm({
          title: t('batch-edits-ui-restore-title', { id: batch.id }),
          text: t('batch-edits-ui-restore-text', { count: batch.counts.changed }),
          ok: t('batch-edits-ui-restore'),
          run: () => restore.mutateAsync({ params: { id: batch.id } }),
        }),
    },
    {
      key: 'retry',
      label: t('batch-edits-ui-retry', { count: batch.counts.failed + batch.counts.left }),
      icon: 'refresh' as const,
      needs: batches.retry,
      disabled: !canRetry(batch) && why(batch, 'retry'),
      onClick: () => retry.mutate({ params: { id: batch.id } }),
    },
  ]
}

const filterStates = ['all', ...BatchState.options] as const

function BatchListPage() {
  const teamId = useTeamId()
  const go = useGo()
  const list = useListState('cd-batch-history', { filters: { state: 'all' } })
  const query = useRead(batches.history, { params: { teamId }, query: list.query })
  const actions = useBatchActions()
  return (
    <ListPage
      title={t('route-cd-batch-history')}
      about={t('batch-edits-ui-history-about')}
      crumbs={crumbs()}
      query={query}
      list={list}
      rowKey={(row) => row.id}
      nameOf={(row) => t('batch-edits-ui-title', { id: row.id })}
      search={t('batch-edits-ui-search')}
      filters={[
        {
          name: 'state',
          label: t('pipelines-ui-state'),
          options: filterStates.map((value) => ({
            value,
            label: value === 'all' ? t('pipelines-ui-state-all') : t(`state-${stateKey(value)}` as 'state-editing'),
          })),
        },
      ]}
      columns={[
        { key: 'id', title: t('batch-edits-ui-number'), width: 80, cell: (row) => `#${row.id}` },
        { key: 'state', title: t('pipelines-ui-state'), cell: (row) => <StateBadge state={row.state} /> },
        {
          key: 'changes',
          title: t('batch-edits-ui-changes'),
          cell: (row) => row.changes.map(changeWords).join('; '),
        },
        { key: 'pipelines', title: t('batch-edits-ui-selection'), cell: (row) => countsOf(row) },
        { key: 'by', title: t('batch-edits-ui-by'), cell: (row) => row.by, wideOnly: true },
        { key: 'at', title: t('batch-edits-ui-at-time'), cell: (row) => <Time at={row.createdAt} />, wideOnly: true },
      ]}
      open={(row) => to('cd-batch-history', {}, { batch: row.id })}
      actions={actions}
      add={{
        label: t('batch-edits-ui-new'),
        needs: batches.retry,
        onClick: () => go(to('cd-batch-edit')),
      }}
      empty={{ type: 1, title: t('batch-edits-ui-none'), memo: t('batch-edits-ui-none-memo') }}
    />
  )
}

/** The number of pipelines for each outcome; zeros are omitted. */
const countsOf = ({ counts }: Batch): string =>
  ItemOutcome.options
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${t(`batch-edits-ui-outcome-${outcome}`)} ${counts[outcome]}`)
    .join(' · ')

const itemOutcomes = ['all', ...ItemOutcome.options] as const

function BatchPage({ id }: { id: number }) {
  const go = useGo()
  const query = useRead(batches.get, { params: { id } })
  const actions = useBatchActions()
  const batch = query.data
  return (
    <Page
      title={t('batch-edits-ui-title', { id })}
      crumbs={[...crumbs(), { label: t('route-cd-batch-history'), to: to('cd-batch-history') }]}
      about={
        batch && (
          <span className="g-row">
            <StateBadge state={batch.state} />
            <span>
              {t('batch-edits-ui-done-by', { name: batch.by })} · <Time at={batch.createdAt} />
              {batch.restoredBy !== '' && <> · {t('batch-edits-ui-restored-by', { name: batch.restoredBy })}</>}
            </span>
          </span>
        )
      }
      actions={
        <>
          {batch &&
            actions(batch).map(({ key, label, ...action }) => (
              <Button key={key} {...action}>
                {label}
              </Button>
            ))}
          <Button primary icon="add" needs={batches.apply} onClick={() => go(to('cd-batch-edit'))}>
            {t('batch-edits-ui-new')}
          </Button>
        </>
      }
    >
      {query.error && !batch ? (
        <Failed error={query.error} retry={() => void query.refetch()} />
      ) : !batch ? (
        <Skeleton rows={6} />
      ) : (
        <>
          {isWorking(batch) && <Progress batch={batch} />}
          <Section title={t('batch-edits-ui-changes')}>
            <ul className={styles.words}>
              {batch.changes.map((change, index) => (
                <li key={index}>{changeWords(change)}</li>
              ))}
            </ul>
          </Section>
          <ItemSection id={id} />
        </>
      )}
    </Page>
  )
}

function Progress({ batch: { state, counts } }: { batch: Batch }) {
  const left = counts.waiting + counts.restoring
  const total = state === 'EDITING' ? counts.total : counts.restoring + counts.restored + counts.left
  return (
    <div className={styles.progress}>
      <span className="g-num">{t('batch-edits-ui-progress', { done: total - left, total })}</span>
      <div
        className="g-meter"
        role="progressbar"
        aria-label={t(`state-${stateKey(state)}` as 'state-editing')}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={total - left}
      >
        <i style={{ width: `${total > 0 ? ((total - left) / total) * 100 : 0}%` }} />
      </div>
    </div>
  )
}

function ItemSection({ id }: { id: number }) {
  const list = useListState('cd-batch-items', { filters: { outcome: 'all' }, pageSize: 20 })
  const query = useRead(batches.items, { params: { id }, query: list.query })
  const items = query.data
  return (
    <Section title={t('batch-edits-ui-selection')}>
      <div className="g-bar">
        <SearchBox label={t('batch-edits-ui-search-items')} value={list.keyword} onSearch={list.setKeyword} />
        <Select
          aria-label={t('batch-edits-ui-outcome')}
          prefix={<span className="g-faint">{t('batch-edits-ui-outcome')}</span>}
          value={list.filters['outcome'] ?? 'all'}
          popupMatchSelectWidth={false}
          options={itemOutcomes.map((value) => ({ value, label: t(`batch-edits-ui-outcome-${value}`) }))}
          onChange={(value: string) => list.setFilter('outcome', value)}
        />
      </div>
      {query.error && !items ? (
        <Failed error={query.error} retry={() => void query.refetch()} />
      ) : !items ? (
        <Skeleton rows={6} />
      ) : items.totalSize === 0 ? (
        <p className="g-quiet">{t('ui-nothing-matches')}</p>
      ) : (
        <>
          <ItemList
            label={t('batch-edits-ui-selection')}
            items={items.items}
            badge={(item) => <ItemBadge item={item} />}
            open={(item) =>
              item.exists
                ? to('cd-setting', { pipeline_group_id: item.appId, pipeline_id: item.pipelineId })
                : undefined
            }
          />
          <Pager list={list} total={items.totalSize} truncated={items.truncated} />
        </>
      )}
    </Section>
  )
}

const ItemBadge = ({ item: { outcome } }: { item: BatchItem }) => (
  <StateBadge state={outcome} text={t(`batch-edits-ui-outcome-${outcome}`)} />
)
