import { z } from 'zod'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { call } from '../../../api/call.ts'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { GroupSelect } from '../groups/group-select.tsx'
import type { PipelinePlace, Runnable } from './places.ts'

const schema = z.object({ appId: definitions.create.body.shape.appId })

interface MoveProps {
  pipeline: Runnable
  onClose: () => void
  onMoved?: (to: PipelinePlace) => void
}

/** Asks for the group to which a pipeline moves. */
export function MoveDialog({ pipeline, onClose, onMoved }: MoveProps) {
  const move = useWrite(pipelines.setSetting, {
    done: 'save-success',
    quiet: true,
  })
  return (
    <FormDialog
      title={t('pipelines-ui-move-title', { name: pipeline.projectName })}
      onClose={onClose}
      about={<p className="g-dialog-text">{t('pipelines-ui-group-move')}</p>}
      schema={schema}
      initial={{ appId: pipeline.appId }}
      submit={t('ui-save')}
      needs={pipelines.setSetting}
      onSubmit={async ({ appId }) => {
        const params = { appId: pipeline.appId, pipelineId: pipeline.id }
        const setting = await call(pipelines.setting, { params })
        await move.mutateAsync({ named: pipeline.projectName, params, body: { ...setting, appId } })
        onMoved?.({ id: pipeline.id, appId: Number(appId) })
      }}
    >
      <Field name="appId" label={t('pipelines-ui-group')}>
        <GroupSelect />
      </Field>
    </FormDialog>
  )
}
