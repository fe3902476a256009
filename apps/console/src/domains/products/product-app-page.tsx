import { stacks } from '@gantry/contract/stacks/stacks'
import { products, type Product } from '@gantry/contract/products/products'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/detail.tsx'
import { useDialog } from '../../ui/feedback/dialog.tsx'
import { to, useGo, useParam, useTeamId } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { ActionMenu } from '../../ui/table/row-actions.tsx'
import { CreateStackDialog, StacksOfProduct } from '../stacks/public.tsx'
import { ProductTabs } from './product-tabs.tsx'
import { useProductActions } from './use-product-actions.tsx'

/** A product and the stacks that run it. */
export function ProductAppPage() {
  const team = useTeamId()
  const go = useGo()
  const id = Number(useParam('product_id'))
  const query = useRead(products.get, { params: { team, id } })
  const { actionsOf, dialog } = useProductActions()
  const creating = useDialog<Product>()
  const product = query.data
  const add = { label: t('products-ui-stack-create'), needs: stacks.create }
  return (
    <Page
      title={product?.name ?? '…'}
      about={product?.description || t('products-ui-app-about')}
      crumbs={[{ label: t('route-personal-products'), to: to('personal-products') }]}
      actions={
        product && (
          <>
            <ActionMenu
              label={t('ui-actions-of', { name: product.name })}
              actions={actionsOf(product, () => go(to('personal-products'), { replace: true }))}
            />
            <Button primary icon="add" needs={add.needs} onClick={() => creating.show(product)}>
              {add.label}
            </Button>
          </>
        )
      }
    >
      <ProductTabs id={id} current="product-app" />
      <Loaded query={query}>
        {(data) => <StacksOfProduct product={data} add={{ ...add, onClick: () => creating.show(data) }} />}
      </Loaded>
      {dialog}
      {creating.open && <CreateStackDialog productId={creating.open.id} onClose={creating.hide} />}
    </Page>
  )
}
