import { example } from '../../ui/form/example.ts'
import { Select } from 'antd'
import { registries } from '@gantry/contract/images/registries'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import { useMay } from '../../api/session.ts'
import { useTeamId } from '../../ui/link.tsx'

/** What the field of an image's path says, where an image goes to this registry. */
export function useImagePath(registryId: number | undefined): { help: string; placeholder: string } {
  const query = useRead(
    registries.list,
    { params: { teamId: useTeamId() } },
    { enabled: useMay('image_registry_view') },
  )
  const prefix = query.data?.find(({ id }) => id === registryId)?.prefix ?? ''
  return prefix === ''
    ? { help: t('images-ui-path-help'), placeholder: example('team/app') }
    : { help: t('images-ui-path-in-prefix', { prefix }), placeholder: example(`${prefix}app`) }
}

interface RegistrySelectProps {
  id?: string
  value?: number
  onChange?: (value: number | undefined) => void
  label?: string
  disabled?: boolean
  status?: 'error'
}

/** Picks one of the registries that the team may use, its own and shared ones. A field of a Form. */
export function RegistrySelect({ id, value, onChange, label, disabled = false, status }: RegistrySelectProps) {
  const teamId = useTeamId()
  const query = useRead(registries.list, { params: { teamId } })
  return (
    <Select
      {...(id === undefined ? {} : { id })}
      {...(value === undefined ? {} : { value })}
      {...(label === undefined ? {} : { 'aria-label': label })}
      className="g-select"
      placeholder={t('ui-choose-one')}
      loading={query.isFetching}
      allowClear
      disabled={disabled}
      {...(status ? { status } : {})}
      options={(query.data ?? []).map((registry) => ({
        value: registry.id,
        label: registry.sandbox ? t('images-ui-sandbox-name', { name: registry.name }) : registry.name,
      }))}
      notFoundContent={
        query.error ? <span className="g-bad">{wordsOf(query.error)}</span> : t('images-ui-none-to-choose')
      }
      {...(onChange ? { onChange } : {})}
    />
  )
}
