import { products } from '@gantry/contract/products/products'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { useDialog } from '../../ui/feedback/dialog.tsx'
import { to, useGo, useTeamId } from '../../ui/link.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { Time } from '../../ui/time.tsx'
import { ProductImage } from './product-image.tsx'
import { ProductDialog } from './product-dialog.tsx'
import { useProductActions } from './use-product-actions.tsx'

/** A team's products: each has stacks, on one cluster or on many. */
export function ProductListPage() {
  const team = useTeamId()
  const go = useGo()
  const list = useListState('personal-products')
  const query = useRead(products.list, { params: { team }, query: list.query })
  const creating = useDialog()
  const { actionsOf, dialog } = useProductActions()
  return (
    <ListPage
      title={t('route-personal-products')}
      about={t('products-ui-about')}
      add={{ label: t('products-ui-create'), needs: products.create, onClick: () => creating.show(true) }}
      query={query}
      list={list}
      rowKey={(row) => row.id}
      nameOf={(row) => row.name}
      search={t('products-ui-search')}
      columns={[
        {
          key: 'name',
          title: t('products-ui-name'),
          cell: (row) => (
            <span className="g-row">
              <ProductImage product={row} /> {row.name}
            </span>
          ),
        },
        {
          key: 'description',
          title: t('products-ui-description'),
          wideOnly: true,
          cell: (row) => row.description || <span className="g-faint">–</span>,
        },
        {
          key: 'versions',
          title: t('products-ui-versions'),
          align: 'right',
          width: 96,
          cell: (row) => row.blueprintNum,
        },
        { key: 'stacks', title: t('products-ui-stacks'), align: 'right', width: 96, cell: (row) => row.stackNum },
        { key: 'updated', title: t('ui-changed'), width: 160, cell: (row) => <Time at={row.updatedAt} /> },
        { key: 'updatedBy', title: t('ui-changed-by'), wideOnly: true, cell: (row) => row.updatedBy || '–' },
      ]}
      open={(row) => to('product-version', { product_id: row.id })}
      actions={(row) => actionsOf(row)}
      empty={{ type: 1, title: t('products-ui-none'), memo: t('products-ui-none-memo') }}
    >
      {dialog}
      {creating.open && (
        <ProductDialog onClose={creating.hide} onDone={({ id }) => go(to('product-version', { product_id: id }))} />
      )}
    </ListPage>
  )
}
