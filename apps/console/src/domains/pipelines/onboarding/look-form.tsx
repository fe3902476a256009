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
import { CredentialFields } from '../definition/repository-fields.tsx'

const { url, username, password, privateKey, knownHosts, credentialId } = Repository.shape
const schema = z.object({
  repository: z.object({ url, username, password, privateKey, knownHosts, credentialId }),
})
export type RepositoryInput = z.input<typeof schema>['repository']
export type Found = z.output<typeof proposals.look.data>

/** Errors that other credentials may solve: many hosts deny that a private repository exists. */
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
  /** The last input. */
  input: RepositoryInput
  onFound: (input: RepositoryInput, found: Found) => void
}

/** Asks for the address of a repository, and for credentials if it turns out to need them. */
export function LookForm({ input, onFound }: LookFormProps) {
  const teamId = useTeamId()
  const [isPrivate, setPrivate] = useState(typeof input.credentialId === 'number' || Boolean(input.password))
  return (
    <Form
      schema={schema}
      initial={{ repository: input }}
      submit={t('pipelines-onboard-look')}
      needs={proposals.look}
      onSubmit={async ({ repository }) => {
        try {
          const found = await call(proposals.look, { params: { teamId }, body: { repository } })
          // the presented host key is pinned, so that the first build accepts no other
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
      <Credentials isPrivate={isPrivate} />
    </Form>
  )
}

function Credentials({ isPrivate }: { isPrivate: boolean }) {
  const typed: Partial<RepositoryInput> | undefined = Antd.useWatch('repository', Antd.useFormInstance())
  if (!isPrivate && readSshUrl(typed?.url?.trim() ?? '') === undefined) return null
  return (
    <div role="group" aria-label={t('pipelines-onboard-credentials')}>
      <CredentialFields kept={false} />
    </div>
  )
}
