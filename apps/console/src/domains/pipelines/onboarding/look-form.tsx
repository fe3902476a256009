import { Form as Antd, Input } from 'antd'
import { useState } from 'react'
import { z } from 'zod'
import { Repository } from '@gantry/contract/pipelines/pipelines'
import { proposals } from '@gantry/contract/pipelines/editing/proposals'
import { readSshUrl } from '@gantry/contract/pipelines/repository-url'
import { call, CallError } from '../../../api/call.ts'
import { t } from '../../../api/language.ts'
import { example } from '../../../ui/form/example.ts'
import { Field, Form } from '../../../ui/form/form.tsx'
import { useTeamId } from '../../../ui/link.tsx'
import { CredentialSelect } from '../credentials/credential-select.tsx'
import { SshFields } from '../definition/ssh-fields.tsx'

const { url, username, password, privateKey, knownHosts, credentialId } = Repository.shape
const schema = z.object({
  repository: z.object({ url, username, password, privateKey, knownHosts, credentialId }),
})
export type Asked = z.input<typeof schema>['repository']
export type Found = z.output<typeof proposals.look.data>

/** Refusals that other credentials may lift: many hosts deny that a private repository is there. */
const wantsCredentials = [
  'git-password-needed',
  'git-wrong-password',
  'git-key-needed',
  'git-key-refused',
  'git-key-invalid',
  'git-forbidden',
  'git-not-found',
]

interface LookFormProps {
  /** What was asked before. */
  asked: Asked
  onFound: (asked: Asked, found: Found) => void
}

/** Asks for the address of a repository, and for credentials once it turns out that it needs them. */
export function LookForm({ asked, onFound }: LookFormProps) {
  const teamId = useTeamId()
  const [isPrivate, setPrivate] = useState(typeof asked.credentialId === 'number' || Boolean(asked.password))
  return (
    <Form
      schema={schema}
      initial={{ repository: asked }}
      submit={t('pipelines-onboard-look')}
      needs="pipeline_pipeline_create"
      onSubmit={async ({ repository }) => {
        try {
          const found = await call(proposals.look, { params: { teamId }, body: { repository } })
          // the host key that was met is pinned, so that the first build meets no other
          onFound({ ...repository, knownHosts: repository.knownHosts || (found.hostKey?.knownHosts ?? '') }, found)
        } catch (error) {
          if (error instanceof CallError && wantsCredentials.includes(error.key)) setPrivate(true)
          throw error
        }
      }}
    >
      <Field name={['repository', 'url']} label={t('pipelines-ui-url')} help={t('pipelines-ui-url-help')}>
        <Input
          autoFocus
          inputMode="url"
          spellCheck={false}
          placeholder={example('https://git.example.org/team/app.git')}
        />
      </Field>
      <CredentialFields isPrivate={isPrivate} />
    </Form>
  )
}

function CredentialFields({ isPrivate }: { isPrivate: boolean }) {
  const form = Antd.useFormInstance()
  const typed: Partial<Asked> | undefined = Antd.useWatch('repository', form)
  const overSsh = readSshUrl(typed?.url?.trim() ?? '') !== undefined
  if (!isPrivate && !overSsh) return null
  const isShared = typeof typed?.credentialId === 'number'
  return (
    <div role="group" aria-label={t('pipelines-onboard-credentials')}>
      <Field
        name={['repository', 'credentialId']}
        label={t('pipelines-ui-credential')}
        help={t('pipelines-ui-credential-own-help')}
      >
        <CredentialSelect />
      </Field>
      {overSsh ? (
        <SshFields kept={false} withKey={!isShared} onChange={() => undefined} />
      ) : (
        !isShared && (
          <div className="g-columns">
            <Field name={['repository', 'username']} label={t('pipelines-ui-username')}>
              <Input autoComplete="off" spellCheck={false} />
            </Field>
            <Field
              name={['repository', 'password']}
              label={t('pipelines-ui-password')}
              help={t('pipelines-ui-password-help')}
            >
              <Input.Password autoComplete="new-password" />
            </Field>
          </div>
        )
      )}
    </div>
  )
}
