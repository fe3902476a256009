import { Form as Antd, InputNumber, Switch } from 'antd'
import { z } from 'zod'
import { pipelines, Reviewers, type Pipeline, type StoredSetting } from '@gantry/contract/pipelines/pipelines'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Loaded } from '../../../ui/detail.tsx'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'
import { PeopleFields } from './people-fields.tsx'

interface ReviewersProps {
  pipeline: Pipeline
  onClose: () => void
}

const schema = z.object({ on: z.boolean().default(false), ...Reviewers.partial().shape })

/** Whether a pipeline's triggers are reviewed, by whom, and how many approvals they need. */
export function ReviewersDialog({ pipeline, onClose }: ReviewersProps) {
  const params = { appId: pipeline.appId, pipelineId: pipeline.id }
  const setting = useRead(pipelines.setting, { params })
  return (
    <Dialog title={t('pipelines-ui-review-set-title', { name: pipeline.projectName })} onClose={onClose}>
      <Loaded query={setting}>
        {(data) => <ReviewersForm pipeline={pipeline} setting={data} onClose={onClose} />}
      </Loaded>
    </Dialog>
  )
}

function ReviewersForm({ pipeline, setting, onClose }: ReviewersProps & { setting: StoredSetting }) {
  const save = useWrite(pipelines.setSetting, {
    done: 'save-success',
    quiet: true,
  })
  return (
    <Form
      schema={schema}
      initial={{ on: setting.review !== null, ...(setting.review ?? { count: 1, users: [], roles: [] }) }}
      submit={t('ui-save')}
      needs={pipelines.setSetting}
      onCancel={onClose}
      onSubmit={async ({ on, count = 1, users = [], roles = [] }) => {
        const review = on ? { count, users, roles } : null
        const params = { appId: pipeline.appId, pipelineId: pipeline.id }
        await save.mutateAsync({ params, body: { ...setting, review } })
        onClose()
      }}
    >
      <Field name="on" label={t('pipelines-ui-review-on')} value="checked">
        <Switch />
      </Field>
      <Antd.Item noStyle shouldUpdate>
        {(form) => form.getFieldValue('on') === true && <Who teamId={pipeline.teamId} />}
      </Antd.Item>
    </Form>
  )
}

function Who({ teamId }: { teamId: number }) {
  return (
    <>
      <Field name="count" label={t('pipelines-ui-review-count')} filled>
        <InputNumber min={1} max={10} precision={0} />
      </Field>
      <PeopleFields
        teamId={teamId}
        users={t('pipelines-ui-review-users')}
        roles={t('pipelines-ui-review-roles')}
        help={t('pipelines-ui-review-who-help')}
      />
    </>
  )
}
