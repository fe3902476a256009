import { products } from '@gantry/contract/products/products'
import { blueprints, type Blueprint } from '@gantry/contract/blueprints/blueprints'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { useDialog } from '../../ui/feedback/dialog.tsx'
import { to, useGo, useParam, useTeamId } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { ActionMenu } from '../../ui/table/row-actions.tsx'
import { BlueprintList, blueprintParams, CreateBlueprintDialog, ImportBlueprintDialog } from '../blueprints/public.tsx'
import { ProductTabs } from './product-tabs.tsx'
import { useProductActions } from './use-product-actions.tsx'

/** A product and its versions: each is a blueprint, from which stacks are deployed. */
export function ProductVersionPage() {
  const team = useTeamId()
  const go = useGo()
  const id = Number(useParam('product_id'))
  const query = useRead(products.get, { params: { team, id } })
  const { actionsOf, dialog } = useProductActions()
  const adding = useDialog<'create' | 'import'>()
  const product = query.data
  const needs = blueprints.create
  const add = { label: t('blueprints-ui-create'), needs, onClick: () => adding.show('create') }
  const done = (made: Blueprint) => go(to('blueprint', blueprintParams(made)))
  return (
    <Page
      title={product?.name ?? '…'}
      about={product?.description || t('blueprints-ui-versions-about')}
      crumbs={[{ label: t('route-personal-products'), to: to('personal-products') }]}
      actions={
        <>
          {/* Rendered before the product is loaded, so that nothing moves when it arrives. */}
          {!query.error && (
            <ActionMenu
              label={t('ui-actions-of', { name: product?.name ?? '…' })}
              actions={product ? actionsOf(product, () => go(to('personal-products'), { replace: true })) : []}
            />
          )}
          <Button icon="upload" needs={needs} onClick={() => adding.show('import')}>
            {t('blueprints-ui-import')}
          </Button>
          <Button primary icon="add" needs={needs} onClick={add.onClick}>
            {add.label}
          </Button>
        </>
      }
    >
      <ProductTabs id={id} current="product-version" />
      <BlueprintList productId={id} add={add} />
      {dialog}
      {adding.open === 'create' && <CreateBlueprintDialog productId={id} onClose={adding.hide} onDone={done} />}
      {adding.open === 'import' && <ImportBlueprintDialog productId={id} onClose={adding.hide} onDone={done} />}
    </Page>
  )
}
