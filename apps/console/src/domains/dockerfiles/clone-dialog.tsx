import { Input } from 'antd'
import { dockerfiles } from '@gantry/contract/dockerfiles/dockerfiles'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { Field } from '../../ui/form/form.tsx'
import { useTeamId } from '../../ui/link.tsx'

interface CloneDialogProps {
  source: { id: number; name: string }
  onClose: () => void
}

export function CloneDialog({ source, onClose }: CloneDialogProps) {
  const params = { teamId: useTeamId(), dockerfileId: source.id }
  const clone = useWrite(dockerfiles.clone, { done: 'create-success', quiet: true })
  return (
    <FormDialog
      title={t('dockerfiles-ui-clone-title', { name: source.name })}
      onClose={onClose}
      schema={dockerfiles.clone.body}
      submit={t('dockerfiles-ui-clone')}
      needs={dockerfiles.clone}
      onSubmit={(body) => clone.mutateAsync({ named: body.name ?? source.name, params, body })}
    >
      <Field name="name" label={t('dockerfiles-ui-name')} help={t('dockerfiles-ui-clone-help')}>
        <Input autoFocus />
      </Field>
    </FormDialog>
  )
}
