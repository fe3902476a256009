import { Input, Select } from 'antd'
import {
  type BuildImage,
  BuildImageInput,
  buildImages,
  BuildImageType,
} from '@gantry/contract/build-images/build-images'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { example } from '../../ui/form/example.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { Field } from '../../ui/form/form.tsx'
import { TeamSelect } from '../teams/public.tsx'

interface BuildImageDialogProps {
  /** The image to change; absent: a new one. */
  image?: BuildImage
  onClose: () => void
}

export function BuildImageDialog({ image, onClose }: BuildImageDialogProps) {
  const create = useWrite(buildImages.create, { done: 'add-success', quiet: true })
  const update = useWrite(buildImages.update, { done: 'update-success', quiet: true })
  return (
    <FormDialog
      title={image ? t('build-images-ui-edit', { name: image.name }) : t('build-images-ui-add')}
      onClose={onClose}
      schema={BuildImageInput}
      initial={image ? toInput(image) : { type: 'BUILD', teamId: null }}
      submit={image ? t('ui-save') : t('build-images-ui-add')}
      onSubmit={(body) =>
        image
          ? update.mutateAsync({ params: { id: image.id }, body: { ...body, revision: image.revision } })
          : create.mutateAsync({ body })
      }
    >
      <Field name="name" label={t('build-images-ui-name')}>
        <Input autoFocus maxLength={64} />
      </Field>
      <Field name="image" label={t('build-images-ui-image')} help={t('build-images-ui-image-help')}>
        <Input className="g-mono" spellCheck={false} maxLength={500} placeholder={example('node:24')} />
      </Field>
      <div className="g-columns">
        <Field name="type" label={t('build-images-ui-type')}>
          <Select
            options={BuildImageType.options.map((value) => ({ value, label: t(`build-images-ui-type-${value}`) }))}
          />
        </Field>
        <Field name="catalog" label={t('build-images-ui-catalog')} help={t('build-images-ui-catalog-help')}>
          <Input maxLength={30} />
        </Field>
      </div>
      {image?.kind !== 'internal' && (
        <Field name="teamId" label={t('build-images-ui-team')} help={t('build-images-ui-team-help')}>
          <TeamSelect none={t('build-images-ui-team-all')} {...(image?.teamId ? { valueLabel: image.teamName } : {})} />
        </Field>
      )}
      <Field name="description" label={t('build-images-ui-description')}>
        <Input.TextArea rows={3} maxLength={1000} />
      </Field>
    </FormDialog>
  )
}

const toInput = ({ name, image, description, catalog, type, teamId }: BuildImage) => ({
  name,
  image,
  description,
  catalog,
  type,
  teamId,
})
