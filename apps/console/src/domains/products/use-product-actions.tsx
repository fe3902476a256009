import type { ReactNode } from 'react'
import { products, type Product } from '@gantry/contract/products/products'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { confirmDelete, useDialog } from '../../ui/feedback/dialog.tsx'
import { type Action, deleteAction, editAction } from '../../ui/table/row-actions.tsx'
import { CloneProductDialog, ImageDialog } from './product-copies.tsx'
import { ProductDialog } from './product-dialog.tsx'

/** The actions on a product; `dialog` must be rendered somewhere. */
export function useProductActions(): {
  actionsOf: (product: Product, gone?: () => void) => Action[]
  dialog: ReactNode
} {
  const editing = useDialog<Product>()
  const cloning = useDialog<Product>()
  const picturing = useDialog<Product>()
  const remove = useWrite(products.remove, { done: 'delete-success', quiet: true })
  const ask = (product: Product) =>
    confirmDelete({
      title: t('products-ui-delete-title', { name: product.name }),
      text: t('products-ui-delete-text'),
      goes: product.blueprintNum > 0 ? [t('products-ui-delete-versions', { count: product.blueprintNum })] : [],
      typed: 'ok',
      run: () =>
        remove.mutateAsync({
          named: product.name,
          params: { team: product.teamId, id: product.id },
          query: { confirm: product.name },
        }),
    })
  return {
    actionsOf: (product, gone) => [
      editAction({ needs: products.update, onClick: () => editing.show(product) }),
      {
        key: 'clone',
        label: t('products-ui-clone'),
        icon: 'copy',
        needs: products.clone,
        onClick: () => cloning.show(product),
      },
      {
        key: 'image',
        label: t('products-ui-image'),
        icon: 'image',
        needs: products.setImage,
        onClick: () => picturing.show(product),
      },
      deleteAction({
        needs: products.remove,
        disabled: product.stackNum > 0 && t('products-in-use', { name: product.name, count: product.stackNum }),
        onClick: () => void ask(product).then((yes) => yes && gone?.()),
      }),
    ],
    dialog: (
      <>
        {editing.open && <ProductDialog product={editing.open} onClose={editing.hide} />}
        {cloning.open && <CloneProductDialog product={cloning.open} onClose={cloning.hide} />}
        {picturing.open && <ImageDialog product={picturing.open} onClose={picturing.hide} />}
      </>
    ),
  }
}
