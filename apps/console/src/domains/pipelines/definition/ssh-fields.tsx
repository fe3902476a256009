import { Input } from 'antd'
import { t } from '../../../api/language.ts'
import { example } from '../../../ui/form/example.ts'
import { Field } from '../../../ui/form/form.tsx'

interface SshFieldsProps {
  /** The mask may stand for a stored key. */
  kept: boolean
  /** False: the key comes from a credential. */
  withKey: boolean
  onChange: () => void
}

/** What a repository over SSH needs instead of a password: a private key, and the trusted host key. */
export function SshFields({ kept, withKey, onChange }: SshFieldsProps) {
  return (
    <>
      {withKey && (
        <Field
          name={['repository', 'privateKey']}
          label={t('pipelines-ui-private-key')}
          help={t(kept ? 'pipelines-ui-private-key-kept' : 'pipelines-ui-private-key-help')}
        >
          <Input.TextArea
            className="g-mono g-grow"
            rows={3}
            autoComplete="off"
            spellCheck={false}
            placeholder={example('-----BEGIN OPENSSH PRIVATE KEY-----')}
            onChange={onChange}
          />
        </Field>
      )}
      <Field
        name={['repository', 'knownHosts']}
        label={t('pipelines-ui-known-hosts')}
        help={t('pipelines-ui-known-hosts-help')}
      >
        <Input.TextArea
          className="g-mono g-grow"
          rows={1}
          autoComplete="off"
          spellCheck={false}
          placeholder={example('git.example.org ssh-ed25519 AAAA…')}
          onChange={onChange}
        />
      </Field>
    </>
  )
}
