import { Input } from 'antd'
import { dockerfiles } from '@gantry/contract/dockerfiles/dockerfiles'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { useTeamId } from '../../ui/link.tsx'

interface CloneDialogProps {
  source: { id: number; name: string }
  onClose: () => void
}

export function CloneDialog({ source, onClose }: CloneDialogProps) {
  const params = { teamId: useTeamId(), dockerfileId: source.id }
  const clone = useWrite(dockerfiles.clone, { done: 'create-success', quiet: true })
  return (
    <Dialog title={t('dockerfiles-ui-clone-title', { name: source.name })} onClose={onClose}>
      <Form
        schema={dockerfiles.clone.body}
        submit={t('dockerfiles-ui-clone')}
        needs={dockerfiles.clone}
        onCancel={onClose}
        onSubmit={async (body) => {
          await clone.mutateAsync({ named: body.name ?? source.name, params, body })
          onClose()
        }}
      >
        <Field name="name" label={t('dockerfiles-ui-name')} help={t('dockerfiles-ui-clone-help')}>
          <Input autoFocus />
        </Field>
      </Form>
    </Dialog>
  )
}
