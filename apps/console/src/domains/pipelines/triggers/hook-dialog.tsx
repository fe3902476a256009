import { Select } from 'antd'
import type { Pipeline } from '@gantry/contract/pipelines/pipelines'
import { Forge } from '@gantry/contract/pipelines/repository-url'
import { triggers, type Trigger } from '@gantry/contract/pipelines/triggers'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'
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
    <Dialog title={t('pipelines-ui-trigger-hook-title')} onClose={onClose}>
      <p className="g-dialog-text">{t('pipelines-ui-trigger-hook-about')}</p>
      <Form
        schema={triggers.setHook.body}
        initial={{ forge: trigger.hook ?? forgeOf(pipeline.repository?.url ?? '') }}
        submit={t('pipelines-ui-trigger-hook-title')}
        needs={triggers.setHook}
        onCancel={onClose}
        onSubmit={async (body) => {
          await set.mutateAsync({ params: { id: pipeline.id, triggerId: trigger.id }, body })
          onClose()
        }}
      >
        <Field name="forge" label={t('pipelines-ui-trigger-forge')} filled>
          <Select options={Forge.options.map((value) => ({ value, label: forgeNames[value] }))} />
        </Field>
      </Form>
    </Dialog>
  )
}
