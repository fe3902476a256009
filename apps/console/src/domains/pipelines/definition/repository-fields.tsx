import { Problem } from '../../../ui/feedback/problem.tsx'
import { example } from '../../../ui/form/example.ts'
import { AutoComplete, type AutoCompleteProps, Form as Antd, Input } from 'antd'
import { useState } from 'react'
import type { z } from 'zod'
import { readSshUrl } from '@gantry/contract/pipelines/repository-url'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { call } from '../../../api/call.ts'
import { t } from '../../../api/language.ts'
import { wordsOf } from '../../../api/notices.ts'
import { Button } from '../../../ui/button.tsx'
import { ChoiceCards } from '../../../ui/form/choice-cards.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { useTeamId } from '../../../ui/link.tsx'
import { CredentialSelect } from '../credentials/credential-select.tsx'
import { SshFields } from './ssh-fields.tsx'
import { shortCommit } from './words.ts'
import styles from './definition.module.css'

export type Source = 'git' | 'none'

/** The initial values; the branch is a guess until the repository was asked for its default. */
export const unsetRepository = { url: '', branch: 'main' }

/** Whether a pipeline has a repository. */
export const SourceChoice = ({ value, onChange }: { value: Source; onChange: (source: Source) => void }) => (
  <ChoiceCards
    label={t('pipelines-ui-source')}
    choices={[
      { value: 'git', title: t('pipelines-ui-source-git') },
      { value: 'none', title: t('pipelines-ui-source-none') },
    ]}
    value={value}
    onChange={onChange}
  />
)

interface Typed {
  url?: string
  branch?: string
  username?: string
  password?: string
  privateKey?: string
  knownHosts?: string
  credentialId?: number | null
}

interface CredentialFieldsProps {
  /** The mask may stand for a stored password or key. */
  kept: boolean
  onChange?: () => void
}

/** A shared credential or the pipeline's own, of the kind for the address. Fields of a Form under `repository`. */
export function CredentialFields({ kept, onChange = () => undefined }: CredentialFieldsProps) {
  const typed: Typed | undefined = Antd.useWatch('repository', Antd.useFormInstance())
  const isShared = typeof typed?.credentialId === 'number'
  const overSsh = readSshUrl(typed?.url?.trim() ?? '') !== undefined
  return (
    <>
      <Field
        name={['repository', 'credentialId']}
        label={t('pipelines-ui-credential')}
        help={t('pipelines-ui-credential-own-help')}
      >
        <CredentialSelect />
      </Field>
      {overSsh ? (
        <SshFields kept={kept} withKey={!isShared} onChange={onChange} />
      ) : (
        !isShared && (
          <div className="g-columns">
            <Field name={['repository', 'username']} label={t('pipelines-ui-username')}>
              <Input autoComplete="off" spellCheck={false} onChange={onChange} />
            </Field>
            <Field
              name={['repository', 'password']}
              label={t('pipelines-ui-password')}
              help={t(kept ? 'pipelines-ui-password-kept' : 'pipelines-ui-password-help')}
            >
              <Input.Password autoComplete="new-password" onChange={onChange} />
            </Field>
          </div>
        )
      )}
    </>
  )
}

interface BranchInputProps extends Pick<AutoCompleteProps, 'id' | 'value' | 'onChange'> {
  branches: readonly string[]
}

/** A branch, one of the known ones or another. A field of a Form. */
export const BranchInput = ({ branches, ...field }: BranchInputProps) => (
  <AutoComplete
    {...field}
    options={branches.map((value) => ({ value }))}
    showSearch={{
      // a branch that is already selected hides no other
      filterOption: (text, option) => branches.includes(text) || String(option?.value ?? '').includes(text),
    }}
  />
)

type Checked =
  | { state: 'idle' | 'asking' }
  | { state: 'failed'; text: string }
  | ({ state: 'reached' } & z.output<typeof pipelines.checkRepository.data>)

/**
 * The source repository, as fields of a Form under `repository`, with a connection check, which lists the branches.
 * With a pipeline's id, a masked password means the stored one.
 */
export function RepositoryFields({ pipelineId }: { pipelineId?: number }) {
  const teamId = useTeamId()
  const form = Antd.useFormInstance()
  const typed: Typed | undefined = Antd.useWatch('repository', form)
  const [checked, setChecked] = useState<Checked>({ state: 'idle' })
  const branches = checked.state === 'reached' ? checked.branches : []
  const url = typed?.url?.trim() ?? ''
  const overSsh = readSshUrl(url) !== undefined

  const check = async () => {
    setChecked({ state: 'asking' })
    try {
      const {
        branch = '',
        username = '',
        password = '',
        privateKey = '',
        knownHosts = '',
        credentialId = null,
      } = typed ?? {}
      const credentials = overSsh ? { privateKey, knownHosts } : { username, password }
      const found = await call(pipelines.checkRepository, {
        params: { teamId },
        body: {
          repository: { url, credentialId, ...credentials },
          ...(pipelineId === undefined ? {} : { pipelineId }),
        },
      })
      setChecked({ state: 'reached', ...found })
      if (branch === '' || !form.isFieldTouched(['repository', 'branch']))
        form.setFieldValue(['repository', 'branch'], found.defaultBranch)
      if (found.hostKey && knownHosts === '') form.setFieldValue(['repository', 'knownHosts'], found.hostKey.knownHosts)
    } catch (error) {
      setChecked({ state: 'failed', text: wordsOf(error) })
    }
  }
  // A check's result belongs to the checked address and credentials.
  const stale = () => setChecked({ state: 'idle' })

  return (
    <>
      <Field name={['repository', 'url']} label={t('pipelines-ui-url')} help={t('pipelines-ui-url-help')}>
        <Input
          inputMode="url"
          spellCheck={false}
          placeholder={example('https://git.example.org/team/app.git')}
          onChange={stale}
        />
      </Field>
      <CredentialFields kept={pipelineId !== undefined} onChange={stale} />
      <div className={styles.check}>
        <Button
          icon="link"
          needs={pipelines.checkRepository}
          loading={checked.state === 'asking'}
          disabled={url === '' && t('pipelines-ui-check-first')}
          onClick={() => void check()}
        >
          {t('pipelines-ui-check')}
        </Button>
        <div aria-live="polite">
          {checked.state === 'reached' && (
            <p className={styles.reached}>
              {t('pipelines-ui-reached', { count: checked.branches.length })}
              {checked.commit !== '' && (
                <span className="g-mono g-quiet">
                  {' '}
                  {checked.defaultBranch}@{shortCommit(checked.commit)}
                </span>
              )}
            </p>
          )}
          {checked.state === 'reached' && checked.hostKey && (
            <p className={styles.reached}>
              {t('pipelines-ui-host-key-met', { type: checked.hostKey.type })}{' '}
              <span className="g-mono">{checked.hostKey.fingerprint}</span>
            </p>
          )}
        </div>
      </div>
      {checked.state === 'failed' && <Problem text={checked.text} />}
      <Field name={['repository', 'branch']} label={t('pipelines-ui-branch')} help={t('pipelines-ui-branch-help')}>
        <BranchInput branches={branches} />
      </Field>
    </>
  )
}
