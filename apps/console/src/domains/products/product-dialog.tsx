import { Input } from 'antd'
import { products, type Product } from '@gantry/contract/products/products'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { Field } from '../../ui/form/form.tsx'
import { useTeamId } from '../../ui/link.tsx'

interface ProductDialogProps {
  /** The product to change; absent: a new one. */
  product?: Product
  onClose: () => void
  onDone?: (product: Product) => void
}

/** Creates a product, or changes its name and description. */
export function ProductDialog({ product, onClose, onDone }: ProductDialogProps) {
  const team = useTeamId()
  const create = useWrite(products.create, { done: 'create-success', quiet: true })
  const update = useWrite(products.update, { done: 'update-success', quiet: true })
  return (
    <FormDialog
      title={product ? t('products-ui-edit-title', { name: product.name }) : t('products-ui-create')}
      onClose={onClose}
      schema={products.create.body}
      {...(product ? { initial: { name: product.name, description: product.description } } : {})}
      submit={product ? t('ui-save') : t('products-ui-create')}
      needs={product ? products.update : products.create}
      onSubmit={async (body) => {
        const done = product
          ? await update.mutateAsync({
              params: { team, id: product.id },
              body: { ...body, revision: product.updatedAt },
            })
          : await create.mutateAsync({ params: { team }, body })
        onDone?.(done)
      }}
    >
      <Field name="name" label={t('products-ui-name')}>
        <Input autoFocus maxLength={30} />
      </Field>
      <Field name="description" label={t('products-ui-description')}>
        <Input.TextArea rows={3} maxLength={1000} />
      </Field>
    </FormDialog>
  )
}
