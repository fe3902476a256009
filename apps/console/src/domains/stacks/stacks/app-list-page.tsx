import { Select } from 'antd'
import { stacks } from '@gantry/contract/stacks/stacks'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { useDialog } from '../../../ui/feedback/dialog.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Failed } from '../../../ui/feedback/failed.tsx'
import { useTeamId } from '../../../ui/link.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { Page } from '../../../ui/page.tsx'
import { Pager } from '../../../ui/table/pager.tsx'
import { RefreshButton } from '../../../ui/table/refresh-button.tsx'
import { SearchBox } from '../../../ui/table/search-box.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { CreateStackDialog } from './create-stack-dialog.tsx'
import { useClusters } from '../services/reads.ts'
import { isStackSettled } from '../services/service-states.ts'
import { StackCard } from './stack-card.tsx'
import { useFollowed } from '../services/use-followed.ts'

/** The stacks of a team, on one cluster or on all, each with its services as they are now. */
export function AppListPage() {
  const teamId = useTeamId()
  const list = useListState('app-list', { filters: { env: 'all' } })
  const { env: _, ...paged } = list.query
  const envId = list.filters['env'] ?? 'all'
  const query = useFollowed(stacks.list, { params: { teamId, envId }, query: paged }, { teamId }, (data) =>
    data.items.every(isStackSettled),
  )
  const clusters = useClusters(teamId)
  const creating = useDialog()
  const add = {
    label: t('stacks-ui-create'),
    needs: 'stack_stack_create',
    onClick: () => creating.show(true),
  }
  const data = query.data
  return (
    <Page
      title={t('route-app-list')}
      about={t('stacks-ui-about')}
      actions={
        <Button primary icon="add" needs={add.needs} onClick={add.onClick}>
          {add.label}
        </Button>
      }
    >
      <div className="g-bar">
        <SearchBox label={t('stacks-ui-search')} value={list.keyword} onSearch={list.setKeyword} />
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
        <RefreshButton query={query} />
      </div>
      {query.error && <Failed error={query.error} retry={() => void query.refetch()} />}
      {data === undefined && !query.error && <Skeleton rows={6} columns={4} />}
      {data?.totalSize === 0 &&
        (list.narrowed ? (
          <div className="g-empty">
            <h2>{t('ui-nothing-matches')}</h2>
            <p>{t('ui-nothing-matches-memo')}</p>
            <Button onClick={list.clear}>{t('ui-clear-filters')}</Button>
          </div>
        ) : (
          <EmptyState type="other" title={t('stacks-ui-none')} memo={t('stacks-ui-none-memo')} add={add} />
        ))}
      {data?.items.map((stack) => (
        <StackCard
          key={stack.uuid}
          stack={stack}
          cluster={clusters.data?.find(({ uuid }) => uuid === stack.envId)}
          many={(clusters.data?.length ?? 2) > 1}
        />
      ))}
      {data !== undefined && data.totalSize > 0 && (
        <Pager list={list} total={data.totalSize} truncated={data.truncated} />
      )}
      {creating.open && <CreateStackDialog {...(envId === 'all' ? {} : { envId })} onClose={creating.hide} />}
    </Page>
  )
}
