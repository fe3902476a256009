import { AutoComplete } from 'antd'
import { services } from '@gantry/contract/stacks/services'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { useTeamId } from '../../../ui/link.tsx'
import { useStack } from './stack-select.tsx'

interface ServiceSelectProps {
  id?: string
  /** The stack's UUID. */
  stack: string
  value?: string
  onChange?: (value: string) => void
  disabled?: boolean
  status?: 'error'
}

/** Names a service of a stack: an existing one, or one that the deployment creates. A field of a Form. */
export function ServiceSelect({ id, stack: uuid, value, onChange, disabled = false, status }: ServiceSelectProps) {
  const teamId = useTeamId()
  const stack = useStack(uuid)
  const query = useRead(
    services.list,
    { params: { teamId, envId: stack?.envId ?? '', uuid }, query: { pageSize: -1 } },
    { enabled: stack !== undefined },
  )
  const names = (query.data?.items ?? []).map((service) => service.name)
  return (
    <AutoComplete
      {...(id === undefined ? {} : { id })}
      value={value ?? ''}
      disabled={disabled}
      {...(status ? { status } : {})}
      placeholder={t('pipelines-ui-service-name')}
      options={names.map((name) => ({ value: name }))}
      showSearch={{
        // A service that is already selected hides no other.
        filterOption: (text, option) => names.includes(text) || String(option?.value ?? '').includes(text),
      }}
      {...(onChange ? { onChange } : {})}
    />
  )
}
