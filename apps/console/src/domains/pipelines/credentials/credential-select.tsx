import { credentials } from '@gantry/contract/pipelines/credentials'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { RemoteSelect } from '../../../ui/form/remote-select.tsx'
import { useTeamId } from '../../../ui/link.tsx'

interface CredentialSelectProps {
  id?: string
  value?: number | null
  onChange?: (value: number | undefined) => void
}

/** Picks a credential of the team; without one the repository has its own. The field `credentialId` of a Form. */
export function CredentialSelect({ id, value, onChange }: CredentialSelectProps) {
  const teamId = useTeamId()
  const known = useRead(
    credentials.get,
    { params: { teamId, credentialId: value ?? 0 } },
    { enabled: typeof value === 'number' },
  )
  return (
    <RemoteSelect
      {...(id === undefined ? {} : { id })}
      endpoint={credentials.list}
      input={{ params: { teamId } }}
      pageSize={10}
      clearable
      placeholder={t('pipelines-ui-credential-own')}
      option={(one) => ({ value: one.id, label: `${one.name} · ${one.host}` })}
      {...(typeof value === 'number' ? { value } : {})}
      {...(known.data?.id === value && known.data ? { valueLabel: `${known.data.name} · ${known.data.host}` } : {})}
      {...(onChange ? { onChange } : {})}
    />
  )
}
