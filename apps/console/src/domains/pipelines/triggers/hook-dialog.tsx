import { Select } from 'antd'
import { Forge, triggers, type Trigger } from '@gantry/contract/pipelines/triggers'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'

/** Names of products are the same in every language. */
export const forgeNames: Record<Forge, string> = { gitea: 'Gitea', github: 'GitHub', gitlab: 'GitLab' }

interface HookProps {
  trigger: Trigger
  pipelineId: number
  onClose: () => void
}

/** Has the platform create a trigger's webhook at the forge. */
export function HookDialog({ trigger, pipelineId, onClose }: HookProps) {
  const set = useWrite(triggers.setHook, {
    refreshes: [triggers.list],
    done: 'pipelines-ui-trigger-hook-done',
    quiet: true,
  })
  return (
    <Dialog title={t('pipelines-ui-trigger-hook-title')} onClose={onClose}>
      <p className="g-dialog-text">{t('pipelines-ui-trigger-hook-about')}</p>
      <Form
        schema={triggers.setHook.body}
        initial={{ forge: trigger.hook ?? 'gitea' }}
        submit={t('pipelines-ui-trigger-hook-title')}
        needs="pipeline_pipeline_edit"
        onCancel={onClose}
        onSubmit={async (body) => {
          await set.mutateAsync({ params: { id: pipelineId, triggerId: trigger.id }, body })
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
