import { t } from '../../../api/language.ts'
import { ImagePathInput, RegistrySelect, useImagePath } from '../../images/public.tsx'
import { StepField } from './step-field.tsx'

interface Destination {
  registryId: number
  repository: string
}

interface DestinationProps {
  destination: Destination
  label: string
  help: string
  onChange: (change: Partial<Destination>) => void
}

/** The target of an image: a registry of the team, and a path in it. */
export function DestinationFields({
  destination: { registryId, repository },
  label,
  help,
  onChange,
}: DestinationProps) {
  const path = useImagePath(registryId)
  return (
    <>
      <StepField name="registryId" label={label} help={help}>
        {(control) => (
          <RegistrySelect
            {...control}
            {...(registryId > 0 ? { value: registryId } : {})}
            onChange={(chosen) => onChange({ registryId: chosen ?? 0 })}
          />
        )}
      </StepField>
      <StepField name="repository" label={t('pipelines-ui-image-path')} help={path.help}>
        {(control) => (
          <ImagePathInput
            {...control}
            registryId={registryId}
            placeholder={path.placeholder}
            value={repository}
            onChange={(typed) => onChange({ repository: typed })}
          />
        )}
      </StepField>
    </>
  )
}
