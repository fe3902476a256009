import { stacks } from '@gantry/contract/stacks/stacks'
import { t } from '../../api/language.ts'
import { EmptyState, type EmptyProps } from '../../ui/feedback/empty-state.tsx'
import { Failed } from '../../ui/feedback/failed.tsx'
import { useTeamId } from '../../ui/link.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { Pager } from '../../ui/table/pager.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { useClusters } from './services/reads.ts'
import { isStackSettled } from './services/service-states.ts'
import { StackCard } from './stacks/stack-card.tsx'
import { useFollowed } from './services/use-followed.ts'

export { CreateStackDialog } from './stacks/create-stack-dialog.tsx'

interface OfProductProps {
  product: { id: number; name: string }
  add: NonNullable<EmptyProps['add']>
}

/** The stacks that run a product, each with its services as they are now. */
export function StacksOfProduct({ product, add }: OfProductProps) {
  const team = useTeamId()
  const list = useListState('product-app')
  const query = useFollowed(
    stacks.ofProduct,
    {
      params: { team, productId: product.id },
      query: { requestPage: list.page, pageSize: list.pageSize },
    },
    { teamId: team },
    (data) => data.items.every(isStackSettled),
  )
  const clusters = useClusters(team)
  const data = query.data
  if (query.error && data === undefined) return <Failed error={query.error} retry={() => void query.refetch()} />
  if (data === undefined) return <Skeleton rows={6} columns={4} />
  if (data.totalSize === 0)
    return <EmptyState title={t('stacks-ui-product-none')} memo={t('stacks-ui-product-none-memo')} add={add} />
  return (
    <>
      {data.items.map((stack) => (
        <StackCard
          key={stack.uuid}
          stack={stack}
          cluster={clusters.data?.find(({ uuid }) => uuid === stack.envId)}
          many
          from={product}
        />
      ))}
      <Pager list={list} total={data.totalSize} truncated={data.truncated} />
    </>
  )
}
