import { Input } from 'antd'
import { groups, type Group } from '@gantry/contract/pipelines/groups'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'
import { useTeamId } from '../../../ui/link.tsx'

interface GroupDialogProps {
  /** The group to change; absent: a new one. */
  group?: Group
  onClose: () => void
  onDone?: (group: Group) => void
}

/** Creates a pipeline group, or changes its name and description. */
export function GroupDialog({ group, onClose, onDone }: GroupDialogProps) {
  const teamId = useTeamId()
  const create = useWrite(groups.create, { done: 'create-success', quiet: true })
  const update = useWrite(groups.update, { done: 'update-success', quiet: true })
  return (
    <Dialog
      title={group ? t('pipelines-ui-group-edit', { name: group.name }) : t('pipelines-ui-group-create')}
      onClose={onClose}
    >
      <Form
        schema={groups.create.body}
        {...(group ? { initial: { name: group.name, description: group.description } } : {})}
        submit={group ? t('ui-save') : t('pipelines-ui-group-create')}
        needs={group ? groups.update : groups.create}
        onCancel={onClose}
        onSubmit={async (body) => {
          const done = group
            ? await update.mutateAsync({
                params: { id: group.id },
                query: { teamId },
                body: { ...body, revision: group.updatedAt },
              })
            : await create.mutateAsync({ params: { teamId }, body })
          onDone?.(done)
          onClose()
        }}
      >
        <Field name="name" label={t('pipelines-ui-name')} help={t('pipelines-ui-group-name-help')}>
          <Input autoFocus maxLength={30} />
        </Field>
        <Field name="description" label={t('pipelines-ui-description')}>
          <Input.TextArea rows={3} maxLength={1000} />
        </Field>
      </Form>
    </Dialog>
  )
}
