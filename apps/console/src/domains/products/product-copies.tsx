import { Input } from 'antd'
import { products, type Product } from '@gantry/contract/products/products'
import { call } from '../../api/call.ts'
import { useWrite } from '../../api/hooks.ts'
import { refreshReads } from '../../api/queries.ts'
import { t } from '../../api/language.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { Field } from '../../ui/form/form.tsx'
import { PictureDialog } from './picture-dialog.tsx'

interface OfProduct {
  product: Product
  onClose: () => void
}

/** Creates a product of another name with the same versions and picture. */
export function CloneProductDialog({ product, onClose }: OfProduct) {
  const { id, teamId, name } = product
  const clone = useWrite(products.clone, { done: 'clone-success', quiet: true })
  return (
    <FormDialog
      title={t('products-ui-clone-title', { name })}
      onClose={onClose}
      about={<p className="g-dialog-text g-faint">{t('products-ui-clone-memo')}</p>}
      schema={products.clone.body}
      submit={t('products-ui-clone')}
      needs={products.clone}
      onSubmit={(body) => clone.mutateAsync({ params: { team: teamId, id }, body })}
    >
      <Field name="name" label={t('products-ui-name')}>
        <Input autoFocus maxLength={30} />
      </Field>
    </FormDialog>
  )
}

/** The picture of a product, which its list shows. */
export const ImageDialog = ({ product: { id, teamId, name }, onClose }: OfProduct) => (
  <PictureDialog
    title={t('products-ui-image-title', { name })}
    send={async (file) => {
      await call(products.setImage, { params: { team: teamId, id }, file })
      await refreshReads([products.setImage])
    }}
    onClose={onClose}
  />
)
