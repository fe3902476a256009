import { Input, Select } from 'antd'
import { useState } from 'react'
import { type Credential, CredentialKind, credentials } from '@gantry/contract/pipelines/credentials'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { example } from '../../../ui/form/example.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { useTeamId } from '../../../ui/link.tsx'

interface CredentialDialogProps {
  /** The credential to change; absent: a new one. */
  credential?: Credential
  onClose: () => void
}

export function CredentialDialog({ credential, onClose }: CredentialDialogProps) {
  const teamId = useTeamId()
  const [kind, setKind] = useState<CredentialKind>(credential?.kind ?? 'password')
  const create = useWrite(credentials.create, { done: 'create-success', quiet: true })
  const update = useWrite(credentials.update, {
    done: 'update-success',
    quiet: true,
  })
  const { name = '', description = '', host = '', username = '', secret = '' } = credential ?? {}
  return (
    <FormDialog
      title={credential ? t('pipelines-ui-credential-edit', { name }) : t('pipelines-ui-credential-create')}
      onClose={onClose}
      schema={credentials.create.body}
      initial={{ kind, ...(credential && { name, description, host, username, secret }) }}
      submit={credential ? t('ui-save') : t('pipelines-ui-credential-create')}
      needs={credential ? credentials.update : credentials.create}
      onChange={(values) => setKind(values.kind ?? 'password')}
      onSubmit={async (body) => {
        if (credential)
          await update.mutateAsync({
            params: { teamId, credentialId: credential.id },
            query: { revision: credential.revision },
            body,
          })
        else await create.mutateAsync({ params: { teamId }, body })
      }}
    >
      <Field name="name" label={t('pipelines-ui-name')}>
        <Input autoFocus maxLength={50} />
      </Field>
      <Field name="kind" label={t('pipelines-ui-credential-kind')}>
        <Select
          options={CredentialKind.options.map((value) => ({ value, label: t(`pipelines-ui-credential-${value}`) }))}
        />
      </Field>
      <Field name="host" label={t('pipelines-ui-credential-host')} help={t('pipelines-ui-credential-host-help')}>
        <Input spellCheck={false} placeholder={example('git.example.org')} />
      </Field>
      {kind !== 'ssh' && (
        <Field name="username" label={t('pipelines-ui-username')}>
          <Input autoComplete="off" spellCheck={false} />
        </Field>
      )}
      <Field name="secret" label={t('pipelines-ui-credential-secret')} help={t('pipelines-ui-credential-secret-help')}>
        {kind === 'ssh' ? (
          <Input.TextArea className="g-mono g-grow" rows={4} autoComplete="off" spellCheck={false} />
        ) : (
          <Input.Password autoComplete="new-password" />
        )}
      </Field>
      <Field name="description" label={t('pipelines-ui-description')}>
        <Input.TextArea rows={2} maxLength={1000} />
      </Field>
    </FormDialog>
  )
}
