import { example } from '../../ui/form/example.ts'
import { Input } from 'antd'
import { registries, type Registry } from '@gantry/contract/images/registries'
import { call } from '../../api/call.ts'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { useTeamId } from '../../ui/link.tsx'
import { TryForm } from '../../ui/form/try-form.tsx'

interface RegistryDialogProps {
  /** The one to change; absent: a new one. */
  registry?: Registry
  onClose: () => void
}

/** Adds a registry, or changes one. Either is reached and signed in to before it is saved. */
export function RegistryDialog({ registry, onClose }: RegistryDialogProps) {
  const teamId = useTeamId()
  const create = useWrite(registries.create, { refreshes: [registries.list], done: 'add-success', quiet: true })
  const update = useWrite(registries.update, { refreshes: [registries.list], done: 'update-success', quiet: true })
  return (
    <Dialog title={registry ? t('images-ui-edit', { name: registry.name }) : t('images-ui-add')} onClose={onClose}>
      <Form
        schema={registries.create.body}
        {...(registry ? { initial: typed(registry) } : {})}
        submit={registry ? t('ui-save') : t('images-ui-add')}
        needs={registry ? 'image_registry_edit' : 'image_registry_create'}
        onCancel={onClose}
        foot={<Verify id={registry?.id} />}
        onSubmit={async (body) => {
          if (registry) await update.mutateAsync({ params: { teamId, registryId: registry.id }, body })
          else await create.mutateAsync({ params: { teamId }, body })
          onClose()
        }}
      >
        <Field name="name" label={t('images-ui-name')}>
          <Input autoFocus maxLength={30} />
        </Field>
        <Field name="url" label={t('images-ui-url')} help={t('images-ui-url-help')}>
          <Input inputMode="url" spellCheck={false} placeholder={example('https://registry.example.org')} />
        </Field>
        <Field name="username" label={t('images-ui-username')}>
          <Input autoComplete="off" spellCheck={false} />
        </Field>
        <Field
          name="password"
          label={t('images-ui-password')}
          help={t(registry ? 'images-ui-password-kept' : 'images-ui-password-help')}
        >
          <Input.Password autoComplete="new-password" />
        </Field>
      </Form>
    </Dialog>
  )
}

const typed = ({ name, url, username, password }: Registry) => ({ name, url, username, password })

/** Reaches the registry with what is typed, before anything is saved. */
const Verify = ({ id }: { id: number | undefined }) => (
  <TryForm
    label={t('images-ui-verify')}
    fine={t('check-success')}
    fields={['url', 'username', 'password']}
    ask={(typed) => call(registries.verify, { body: registries.verify.body.parse({ ...typed, id }) })}
  />
)
