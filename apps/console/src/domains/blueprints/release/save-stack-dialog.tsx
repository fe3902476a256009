import { Checkbox, Input } from 'antd'
import { blueprints } from '@gantry/contract/blueprints/blueprints'
import type { Stack } from '@gantry/contract/stacks/stacks'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { Field } from '../../../ui/form/form.tsx'

/** Saves the services of a stack as a version of its product. */
export function SaveStackDialog({ stack, onClose }: { stack: Stack; onClose: () => void }) {
  const { teamId, envId, uuid, name } = stack
  const save = useWrite(blueprints.saveStack, { done: 'save-success', quiet: true })
  return (
    <FormDialog
      title={t('blueprints-ui-save-title', { stack: name })}
      onClose={onClose}
      about={
        <>
          {stack.productId === null && (
            <p className="g-note g-note-warn">{t('blueprints-product-required', { stack: name })}</p>
          )}
          <p className="g-dialog-text g-faint">{t('blueprints-ui-save-memo')}</p>
        </>
      }
      schema={blueprints.saveStack.body}
      initial={{ digests: false }}
      submit={t('blueprints-ui-save')}
      needs={blueprints.saveStack}
      disabled={stack.productId === null && t('blueprints-product-required', { stack: name })}
      onSubmit={(body) => save.mutateAsync({ named: body.version, params: { teamId, envId, uuid }, body })}
    >
      <Field name="version" label={t('blueprints-ui-version')} help={t('blueprints-ui-version-help')}>
        <Input autoFocus maxLength={60} spellCheck={false} autoComplete="off" />
      </Field>
      <Field name="description" label={t('blueprints-ui-description')}>
        <Input.TextArea rows={2} maxLength={1000} />
      </Field>
      <Field name="digests" label={t('blueprints-ui-digests')} help={t('blueprints-ui-digests-help')} value="checked">
        <Checkbox />
      </Field>
    </FormDialog>
  )
}
