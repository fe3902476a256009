import { type HelmRepository, helmRepositories } from '@gantry/contract/helm/repositories'
import { Input } from 'antd'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { example } from '../../ui/form/example.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { Field } from '../../ui/form/form.tsx'
import { TeamsDialog } from '../teams/public.tsx'

/** Adds or changes a repository. It is read before it is saved. */
export function RepositoryDialog({ repository, onClose }: { repository?: HelmRepository; onClose: () => void }) {
  const create = useWrite(helmRepositories.create, { done: 'add-success', quiet: true })
  const update = useWrite(helmRepositories.update, { done: 'update-success', quiet: true })
  return (
    <FormDialog
      title={repository ? t('helm-ui-edit', { name: repository.name }) : t('helm-ui-add')}
      onClose={onClose}
      schema={helmRepositories.create.body}
      {...(repository ? { initial: inputOf(repository) } : {})}
      submit={repository ? t('ui-save') : t('helm-ui-add')}
      onSubmit={async (body) => {
        if (repository) {
          const { id, revision } = repository
          await update.mutateAsync({ named: repository.name, body: { ...body, id, revision } })
        } else await create.mutateAsync({ named: body.name, body })
      }}
    >
      <Field name="name" label={t('helm-ui-name')}>
        <Input autoFocus maxLength={60} />
      </Field>
      <Field name="url" label={t('helm-ui-url')} help={t('helm-ui-url-help')}>
        <Input inputMode="url" spellCheck={false} placeholder={example('https://charts.example.org')} />
      </Field>
      <Field name="username" label={t('helm-ui-username')}>
        <Input autoComplete="off" spellCheck={false} />
      </Field>
      <Field name="password" label={t('helm-ui-password')}>
        <Input.Password autoComplete="new-password" />
      </Field>
      <Field name="ca" label={t('helm-ui-ca')} help={t('helm-ui-ca-help')}>
        <Input.TextArea rows={3} spellCheck={false} />
      </Field>
    </FormDialog>
  )
}

const inputOf = ({ name, url, username, password, ca }: HelmRepository) => ({ name, url, username, password, ca })

/** Sets all teams that deploy from a repository at once. */
export function AssignTeamsDialog({ repository, onClose }: { repository: HelmRepository; onClose: () => void }) {
  const { id, name, teams } = repository
  const assign = useWrite(helmRepositories.assign, { done: 'assign-success', quiet: true })
  return (
    <TeamsDialog
      title={t('helm-ui-teams-of', { name })}
      label={t('helm-ui-teams')}
      help={t('helm-ui-teams-help')}
      teams={teams}
      onSave={async ({ teams }) => {
        await assign.mutateAsync({ named: name, params: { helmId: id }, body: { teams } })
      }}
      onClose={onClose}
    />
  )
}
