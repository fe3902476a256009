import { t } from '../../api/language.ts'
import { EmptyState, type EmptyProps } from '../../ui/feedback/empty-state.tsx'
import { useTeamId } from '../../ui/link.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { StackList, useStacks } from './stacks/stack-list.tsx'

export type { StackGraph } from './canvas/graph.ts'
export { StackCanvas } from './canvas/stack-canvas.tsx'
export { toService } from './stacks/places.ts'
export { useClusters } from './services/reads.ts'
export { schemas as outwardDocuments } from './outward/kinds.ts'
export { freshOutward, type Kind as OutwardKind, OutwardFieldsIn } from './outward/outward-fields.tsx'
export { kindOf as outwardKindOf } from './outward/spelling.ts'
export { plainSpec, ServiceFields } from './spec/service-fields.tsx'
export { ShareFields } from './stacks/share-fields.tsx'
export { CreateStackDialog } from './stacks/create-stack-dialog.tsx'

interface OfProductProps {
  product: { id: number; name: string }
  add: NonNullable<EmptyProps['add']>
}

/** The stacks that run a product, each with its services' present state. */
export function StacksOfProduct({ product, add }: OfProductProps) {
  const teamId = useTeamId()
  const list = useListState('product-app')
  const query = useStacks({ params: { teamId, envId: 'all' }, query: { ...list.query, productId: product.id } })
  return (
    <StackList
      query={query}
      list={list}
      from={product}
      empty={<EmptyState title={t('stacks-ui-product-none')} memo={t('stacks-ui-product-none-memo')} add={add} />}
    />
  )
}
