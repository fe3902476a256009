import { example } from '../../ui/form/example.ts'
import { Input } from 'antd'
import { type PlatformRegistry, platformRegistries } from '@gantry/contract/images/platform-registries'
import { registries, type Registry } from '@gantry/contract/images/registries'
import type { z } from 'zod'
import { call } from '../../api/call.ts'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import type { Needs } from '../../api/session.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { Field } from '../../ui/form/form.tsx'
import { useTeamId } from '../../ui/link.tsx'
import { TryForm } from '../../ui/form/try-form.tsx'

interface DialogProps<R extends Registry> {
  /** The registry to change; absent: a new one. */
  registry?: R
  onClose: () => void
}

type Body = z.input<typeof registries.create.body>

/** Adds or changes a registry of the team. The connection is tested before it is saved. */
export function RegistryDialog({ registry, onClose }: DialogProps<Registry>) {
  const teamId = useTeamId()
  const create = useWrite(registries.create, { done: 'add-success', quiet: true })
  const update = useWrite(registries.update, { done: 'update-success', quiet: true })
  return (
    <RegistryForm
      {...(registry ? { registry } : {})}
      needs={registry ? registries.update : registries.create}
      onClose={onClose}
      save={(body) =>
        registry
          ? update.mutateAsync({
              params: { teamId, registryId: registry.id },
              body: { ...body, revision: registry.revision },
            })
          : create.mutateAsync({ params: { teamId }, body })
      }
    />
  )
}

/** The same for a registry of the platform. */
export function PlatformRegistryDialog({ registry, onClose }: DialogProps<PlatformRegistry>) {
  const create = useWrite(platformRegistries.create, { done: 'add-success', quiet: true })
  const update = useWrite(platformRegistries.update, { done: 'update-success', quiet: true })
  return (
    <RegistryForm
      {...(registry ? { registry } : {})}
      needs={registry ? platformRegistries.update : platformRegistries.create}
      onClose={onClose}
      save={(body) =>
        registry
          ? update.mutateAsync({ params: { id: registry.id }, body: { ...body, revision: registry.revision } })
          : create.mutateAsync({ body })
      }
    />
  )
}

interface RegistryFormProps extends DialogProps<Registry> {
  needs: Needs
  save: (body: Body) => Promise<unknown>
}

const RegistryForm = ({ registry, needs, onClose, save }: RegistryFormProps) => (
  <FormDialog
    title={registry ? t('images-ui-edit', { name: registry.name }) : t('images-ui-add')}
    onClose={onClose}
    schema={registries.create.body}
    {...(registry ? { initial: typed(registry) } : {})}
    submit={registry ? t('ui-save') : t('images-ui-add')}
    needs={needs}
    foot={<Verify id={registry?.id} />}
    onSubmit={(body) => save(body)}
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
    <Field name="ca" label={t('images-ui-ca')} help={t('images-ui-ca-help')}>
      <Input.TextArea rows={3} spellCheck={false} className="g-mono" />
    </Field>
  </FormDialog>
)

const typed = ({ name, url, username, password, ca }: Registry) => ({ name, url, username, password, ca })

/** Tests the connection with the present input, before anything is saved. */
const Verify = ({ id }: { id: number | undefined }) => (
  <TryForm
    label={t('images-ui-verify')}
    fine={t('check-success')}
    fields={['url', 'username', 'password', 'ca']}
    ask={(typed) => call(registries.verify, { body: registries.verify.body.parse({ ...typed, id }) })}
  />
)
