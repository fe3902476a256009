import { type JiraConfig, JiraInput, JiraKind, jiraConfigs } from '@gantry/contract/trackers/jira'
import { Form as Antd, Input, Select, Switch } from 'antd'
import { call } from '../../api/call.ts'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { example } from '../../ui/form/example.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { Field } from '../../ui/form/form.tsx'
import { TryForm } from '../../ui/form/try-form.tsx'
import { TeamsSelect } from '../teams/public.tsx'

const initialJira = { kind: 'cloud', allTeams: true, comment: false } satisfies Partial<JiraInput>

/** Adds or changes a connection. It is tested before it is saved. */
export function JiraDialog({ config, onClose }: { config?: JiraConfig; onClose: () => void }) {
  const options = { quiet: true } as const
  const create = useWrite(jiraConfigs.create, { ...options, done: 'add-success' })
  const update = useWrite(jiraConfigs.update, { ...options, done: 'update-success' })
  return (
    <FormDialog
      title={config ? t('trackers-ui-edit', { name: config.name }) : t('trackers-ui-add')}
      onClose={onClose}
      schema={JiraInput}
      initial={config ? inputOf(config) : initialJira}
      submit={config ? t('ui-save') : t('trackers-ui-add')}
      foot={<Verify id={config?.id} />}
      onSubmit={async (body) => {
        if (config) {
          const { id, revision } = config
          await update.mutateAsync({ named: body.name, params: { id }, body: { ...body, revision } })
        } else await create.mutateAsync({ named: body.name, body })
      }}
    >
      <Field name="name" label={t('trackers-ui-name')}>
        <Input autoFocus maxLength={60} />
      </Field>
      <Field name="url" label={t('trackers-ui-url')} help={t('trackers-ui-url-help')}>
        <Input inputMode="url" spellCheck={false} placeholder={example('https://example.atlassian.net')} />
      </Field>
      <Field name="kind" label={t('trackers-ui-kind')}>
        <Select options={JiraKind.options.map((value) => ({ value, label: t(`trackers-ui-kind-${value}`) }))} />
      </Field>
      <Login />
      <Field name="projects" label={t('trackers-ui-projects')} help={t('trackers-ui-projects-help')}>
        <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[',', ' ']} />
      </Field>
      <Field name="allTeams" label={t('trackers-ui-all-teams')} help={t('trackers-ui-teams-help')} value="checked">
        <Switch />
      </Field>
      <Teams />
      <Field name="comment" label={t('trackers-ui-comment')} help={t('trackers-ui-comment-help')} value="checked">
        <Switch />
      </Field>
      <Field name="transition" label={t('trackers-ui-transition')} help={t('trackers-ui-transition-help')}>
        <Input maxLength={120} />
      </Field>
    </FormDialog>
  )
}

const inputOf = (config: JiraConfig) => {
  const { name, url, kind, email, token, allTeams, teams, projects, comment, transition } = config
  return { name, url, kind, email, token, allTeams, teams: teams.map(({ id }) => id), projects, comment, transition }
}

/** Jira Cloud requires the account of the token. */
function Login() {
  const kind: JiraKind = Antd.useWatch('kind', Antd.useFormInstance()) ?? 'cloud'
  return (
    <>
      {kind === 'cloud' && (
        <Field name="email" label={t('trackers-ui-email')} help={t('trackers-ui-email-help')} filled>
          <Input inputMode="email" autoComplete="off" spellCheck={false} maxLength={254} />
        </Field>
      )}
      <Field name="token" label={t('trackers-ui-token')} help={t(`trackers-ui-token-help-${kind}`)}>
        <Input.Password autoComplete="new-password" maxLength={1000} />
      </Field>
    </>
  )
}

function Teams() {
  const allTeams: boolean = Antd.useWatch('allTeams', Antd.useFormInstance()) ?? true
  return (
    !allTeams && (
      <Field name="teams" label={t('trackers-ui-teams')} filled>
        <TeamsSelect />
      </Field>
    )
  )
}

const verifyFields = ['url', 'kind', 'email', 'token'] as const

const Verify = ({ id }: { id: number | undefined }) => (
  <TryForm
    label={t('trackers-ui-verify')}
    fine={t('check-success')}
    fields={[...verifyFields]}
    ask={(typed) => {
      const given = Object.entries(typed).filter(([name]) => verifyFields.some((field) => field === name))
      return call(jiraConfigs.verify, { body: jiraConfigs.verify.body.parse({ ...Object.fromEntries(given), id }) })
    }}
  >
    {({ version, login }) => <p className="g-faint">{t('trackers-ui-info', { version, login })}</p>}
  </TryForm>
)
