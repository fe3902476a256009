import { Input } from 'antd'
import { stacks, type Stack } from '@gantry/contract/stacks/stacks'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { ProductSelect } from '../../products/public.tsx'

/** Changes a stack's description and product; its name and cluster cannot be changed. */
export function EditStackDialog({ stack, onClose }: { stack: Stack; onClose: () => void }) {
  const update = useWrite(stacks.update, { done: 'update-success', quiet: true })
  return (
    <FormDialog
      title={t('stacks-ui-edit-title', { name: stack.name })}
      onClose={onClose}
      schema={stacks.update.body}
      initial={{ description: stack.description, productId: stack.productId }}
      submit={t('ui-save')}
      needs={stacks.update}
      onSubmit={({ description, productId }) =>
        update.mutateAsync({
          named: stack.name,
          params: { teamId: stack.teamId, stackId: stack.uuid },
          body: { description, productId: productId ?? null, revision: stack.revision },
        })
      }
    >
      <Field name="productId" label={t('stacks-ui-product')}>
        <ProductSelect name={stack.productName} />
      </Field>
      <Field name="description" label={t('stacks-ui-description')}>
        <Input.TextArea rows={3} maxLength={1000} />
      </Field>
    </FormDialog>
  )
}
