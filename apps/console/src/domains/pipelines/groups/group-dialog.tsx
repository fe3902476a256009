import { Input } from 'antd'
import { groups, type Group } from '@gantry/contract/pipelines/groups'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { Field } from '../../../ui/form/form.tsx'
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
    <FormDialog
      title={group ? t('pipelines-ui-group-edit', { name: group.name }) : t('pipelines-ui-group-create')}
      onClose={onClose}
      schema={groups.create.body}
      {...(group ? { initial: { name: group.name, description: group.description } } : {})}
      submit={group ? t('ui-save') : t('pipelines-ui-group-create')}
      needs={group ? groups.update : groups.create}
      onSubmit={async (body) => {
        const done = group
          ? await update.mutateAsync({
              params: { id: group.id },
              query: { teamId },
              body: { ...body, revision: group.updatedAt },
            })
          : await create.mutateAsync({ params: { teamId }, body })
        onDone?.(done)
      }}
    >
      <Field name="name" label={t('pipelines-ui-name')} help={t('pipelines-ui-group-name-help')}>
        <Input autoFocus maxLength={30} />
      </Field>
      <Field name="description" label={t('pipelines-ui-description')}>
        <Input.TextArea rows={3} maxLength={1000} />
      </Field>
    </FormDialog>
  )
}
