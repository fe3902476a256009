import { Select } from 'antd'
import type { Pipeline } from '@gantry/contract/pipelines/pipelines'
import { Forge } from '@gantry/contract/pipelines/repository-url'
import { triggers, type Trigger } from '@gantry/contract/pipelines/triggers'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { forgeNames, forgeOf } from './trigger-words.ts'

interface HookProps {
  trigger: Trigger
  pipeline: Pipeline
  onClose: () => void
}

/** Lets the platform create a trigger's webhook at the forge. */
export function HookDialog({ trigger, pipeline, onClose }: HookProps) {
  const set = useWrite(triggers.setHook, {
    done: 'pipelines-ui-trigger-hook-done',
    quiet: true,
  })
  return (
    <FormDialog
      title={t('pipelines-ui-trigger-hook-title')}
      onClose={onClose}
      about={<p className="g-dialog-text">{t('pipelines-ui-trigger-hook-about')}</p>}
      schema={triggers.setHook.body}
      initial={{ forge: trigger.hook ?? forgeOf(pipeline.repository?.url ?? '') }}
      submit={t('pipelines-ui-trigger-hook-title')}
      needs={triggers.setHook}
      onSubmit={(body) => set.mutateAsync({ params: { id: pipeline.id, triggerId: trigger.id }, body })}
    >
      <Field name="forge" label={t('pipelines-ui-trigger-forge')} filled>
        <Select options={Forge.options.map((value) => ({ value, label: forgeNames[value] }))} />
      </Field>
    </FormDialog>
  )
}
