import { Input } from 'antd'
import { dockerfiles, type Dockerfile } from '@gantry/contract/dockerfiles/dockerfiles'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { useMay } from '../../api/session.ts'
import { Loaded } from '../../ui/detail.tsx'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { useTeamId } from '../../ui/link.tsx'
import { DockerfileField } from './dockerfile-field.tsx'

interface DockerfileDialogProps {
  /** The Dockerfile to open; absent: a new one. */
  open?: { id: number; name: string }
  onClose: () => void
}

const width = 960
/** Creates a Dockerfile, or shows and changes one. A click outside the dialog does not discard input. */
export function DockerfileDialog({ open, onClose }: DockerfileDialogProps) {
  if (open) return <Opened {...open} onClose={onClose} />
  return (
    <Dialog width={width} closes="asked" title={t('dockerfiles-ui-create')} onClose={onClose}>
      <Create onClose={onClose} />
    </Dialog>
  )
}

const Fields = ({ readOnly = false }: { readOnly?: boolean }) => (
  <>
    <Field name="name" label={t('dockerfiles-ui-name')}>
      <Input autoFocus={!readOnly} disabled={readOnly} />
    </Field>
    <Field name="description" label={t('dockerfiles-ui-description')}>
      <Input.TextArea rows={2} disabled={readOnly} />
    </Field>
    <Field name="content" label={t('dockerfiles-ui-content')}>
      <DockerfileField readOnly={readOnly} />
    </Field>
  </>
)

function Create({ onClose }: { onClose: () => void }) {
  const params = { teamId: useTeamId() }
  const create = useWrite(dockerfiles.create, { done: 'create-success', quiet: true })
  return (
    <Form
      schema={dockerfiles.create.body}
      submit={t('dockerfiles-ui-create')}
      needs={dockerfiles.create}
      onCancel={onClose}
      onSubmit={async (body) => {
        await create.mutateAsync({ params, body })
        onClose()
      }}
    >
      <Fields />
    </Form>
  )
}

function Opened({ id, name, onClose }: { id: number; name: string; onClose: () => void }) {
  const query = useRead(dockerfiles.get, { params: { teamId: useTeamId(), dockerfileId: id } })
  return (
    <Dialog width={width} closes="asked" title={t('dockerfiles-ui-edit-title', { name })} onClose={onClose}>
      <Loaded query={query}>{(dockerfile) => <Edit dockerfile={dockerfile} onClose={onClose} />}</Loaded>
    </Dialog>
  )
}

function Edit({ dockerfile, onClose }: { dockerfile: Dockerfile; onClose: () => void }) {
  const { id, teamId, name, description, content, revision } = dockerfile
  const may = useMay(dockerfiles.update)
  const update = useWrite(dockerfiles.update, { done: 'update-success', quiet: true })
  return (
    <Form
      schema={dockerfiles.create.body}
      initial={{ name, description, content }}
      submit={t('ui-save')}
      needs={dockerfiles.update}
      onCancel={onClose}
      onSubmit={async (body) => {
        await update.mutateAsync({ params: { teamId }, body: { ...body, id, revision } })
        onClose()
      }}
    >
      <Fields readOnly={!may} />
    </Form>
  )
}
