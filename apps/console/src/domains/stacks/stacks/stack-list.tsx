import { type Application, applications } from '@gantry/contract/stacks/applications'
import type { List } from '@gantry/contract/paging'
import type { ReactNode } from 'react'
import type { CallInput } from '../../../api/call.ts'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Failed } from '../../../ui/feedback/failed.tsx'
import { useTeamId } from '../../../ui/link.tsx'
import type { ListState } from '../../../ui/table/list-state.ts'
import { Pager } from '../../../ui/table/pager.tsx'
import type { Query } from '../../../ui/table/resource-table.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { until, useClusters } from '../services/reads.ts'
import { isApplicationSettled } from '../services/service-states.ts'
import type { FromProduct } from './places.ts'
import { StackCard } from './stack-card.tsx'

interface StackListProps {
  query: Query<Application> & { data: List<Application> | undefined }
  list: ListState
  /** Shown if there are no stacks at all. */
  empty: ReactNode
  /** Only the stacks of this product, so that none needs to be named. */
  from?: FromProduct
}

export const useStacks = (input: CallInput<typeof applications.list>) =>
  useRead(applications.list, input, {
    keep: false,
    every: until((data) => data.items.every(isApplicationSettled)),
    of: (data) => data?.items.flatMap(({ id, services }) => (services === null ? [] : [{ stackId: id }])) ?? [],
  })

/** A page of stacks, each with its services' present state. */
export function StackList({ query, list, empty, from }: StackListProps) {
  const clusters = useClusters(useTeamId())
  const { data, error } = query
  return (
    <>
      {error !== null && error !== undefined && <Failed error={error} retry={() => void query.refetch()} />}
      {data === undefined && !error && <Skeleton rows={6} columns={4} />}
      {data?.totalSize === 0 &&
        (list.narrowed ? (
          <div className="g-empty">
            <h2>{t('ui-nothing-matches')}</h2>
            <p>{t('ui-nothing-matches-memo')}</p>
            <Button onClick={list.clear}>{t('ui-clear-filters')}</Button>
          </div>
        ) : (
          empty
        ))}
      {data?.items.map((stack) => (
        <StackCard
          key={stack.uuid}
          stack={stack}
          cluster={clusters.data?.find(({ uuid }) => uuid === stack.envId)}
          many={from !== undefined || (clusters.data?.length ?? 2) > 1}
          {...(from ? { from } : {})}
        />
      ))}
      {data !== undefined && data.totalSize > 0 && (
        <Pager list={list} total={data.totalSize} truncated={data.truncated} />
      )}
    </>
  )
}
